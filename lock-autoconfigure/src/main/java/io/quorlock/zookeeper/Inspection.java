package io.quorlock.zookeeper;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

import org.apache.zookeeper.KeeperException.Code;
import org.jspecify.annotations.Nullable;

import io.quorlock.LockMode;
import io.quorlock.engine.EngineTimer;
import io.quorlock.store.NodeReport;

/**
 * Reads the queue of a name, and empties its front by force.
 */
final class Inspection {

	/** Of a longer queue only the beginning is read. */
	private static final int MOST = 100;

	private final StoreContext context;

	Inspection(StoreContext context) {
		this.context = context;
	}

	CompletionStage<List<NodeReport>> inspect(String name) {
		return report(name, false);
	}

	CompletionStage<List<NodeReport>> forceRelease(String name) {
		this.context.held(name).forEach((lease) -> lease.lose("it was released by force"));
		return report(name, true);
	}

	private CompletionStage<List<NodeReport>> report(String name, boolean release) {
		CompletableFuture<List<NodeReport>> reports = new CompletableFuture<>();
		EngineTimer.Timeout timeout = this.context.timer()
			.schedule(this.context.operationTimeoutNanos(), () -> fail(reports, this.context.sessions().describe()));
		reports.whenComplete((done, error) -> timeout.cancel());
		Session session = this.context.sessions().current();
		if (session == null || !session.isReady()) {
			fail(reports, this.context.sessions().describe());
			return reports;
		}
		String container = this.context.paths().container(name);
		session.requests().sync(container, (code, synced) -> {
		});
		session.requests().children(container, (code, children) -> {
			if (code != Code.OK && code != Code.NONODE) {
				fail(reports, code.toString());
				return;
			}
			List<String> all = (children != null) ? children : List.of();
			read(session, container, new ClaimQueue(all), all.contains(LockPaths.COOLDOWN) && release, release,
					reports);
		});
		return reports;
	}

	private void read(Session session, String container, ClaimQueue queue, boolean cooling, boolean release,
			CompletableFuture<List<NodeReport>> reports) {
		List<QueueNode> nodes = queue.inOrder();
		QueueReport report = new QueueReport(session);
		for (QueueNode node : nodes.subList(0, Math.min(MOST, nodes.size()))) {
			boolean holds = queue.obstacle(node) == null;
			session.requests()
				.read(container + "/" + node.name(), false, (code, content) -> report.add(node, holds, content));
			if (holds && release) {
				session.requests().delete(container + "/" + node.name(), (code, deleted) -> {
				});
			}
		}
		if (cooling) {
			session.requests().delete(container + "/" + LockPaths.COOLDOWN, (code, deleted) -> {
			});
		}
		session.requests().read(this.context.paths().tokenBase(), false, (code, content) -> {
			if (code == Code.OK || code == Code.NONODE) {
				reports.complete(List.of(report.complete(this.context, content)));
			}
			else {
				fail(reports, code.toString());
			}
		});
	}

	private void fail(CompletableFuture<List<NodeReport>> reports, String error) {
		reports.complete(List.of(NodeReport.failed(this.context.settings().connectString(), error)));
	}

	/**
	 * What was read so far.
	 */
	private static final class QueueReport {

		private final List<NodeReport.Holder> holders = new ArrayList<>();

		private final List<NodeReport.Waiter> waiters = new ArrayList<>();

		private final Session session;

		private long zxid;

		QueueReport(Session session) {
			this.session = session;
		}

		void add(QueueNode node, boolean holds, Requests.@Nullable Content content) {
			if (content == null) {
				return;
			}
			LockMode mode = (node.kind() == QueueNode.Kind.READ) ? LockMode.SHARED : LockMode.EXCLUSIVE;
			if (holds) {
				this.zxid = Math.max(this.zxid, content.stat().getCzxid());
				// How long a foreign session would outlive its process is not told.
				Duration remaining = Duration.ofMillis(this.session.timeoutMillis());
				this.holders.add(new NodeReport.Holder(content.text(), mode, 0, remaining));
			}
			else {
				long since = Math.max(0, System.currentTimeMillis() - content.stat().getCtime());
				this.waiters.add(new NodeReport.Waiter(content.text(), mode, Duration.ofMillis(since)));
			}
		}

		NodeReport complete(StoreContext context, Requests.@Nullable Content base) {
			long fence = (base != null && this.zxid > 0)
					? FencingTokens.least(FencingTokens.base(base.data()), this.zxid) : 0;
			return new NodeReport(context.settings().connectString(), true, List.copyOf(this.holders),
					List.copyOf(this.waiters), fence, null);
		}

	}

}
