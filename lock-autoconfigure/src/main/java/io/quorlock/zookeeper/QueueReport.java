package io.quorlock.zookeeper;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntPredicate;

import org.jspecify.annotations.Nullable;

import io.quorlock.LockMode;
import io.quorlock.store.NodeReport;

/**
 * What stands in the queue of a name, among its permits and in the queue for them: read
 * node by node, and deleted where that is asked for.
 */
final class QueueReport {

	/** Of a longer queue only the beginning is read. */
	private static final int MOST = 100;

	private final Session session;

	private final List<String> containers;

	private final IntPredicate released;

	private final List<NodeReport.Holder> holders = new ArrayList<>();

	private final List<NodeReport.Waiter> waiters = new ArrayList<>();

	/** Of the holders whose nodes do not name their fencing tokens. */
	private long zxid;

	private long fence;

	/**
	 * Create a new report.
	 * @param session reads the nodes
	 * @param paths where nodes are
	 * @param name the name
	 * @param released the permits to delete, 0 standing for what is no permit
	 */
	QueueReport(Session session, LockPaths paths, String name, IntPredicate released) {
		this.session = session;
		this.containers = List.of(paths.container(name), paths.permits(name), paths.permitTurns(name));
		this.released = released;
	}

	/** The queue of the name, its permits, and the queue for them. */
	List<String> containers() {
		return this.containers;
	}

	/** Read what was found in the containers. */
	void read(List<List<String>> found) {
		ClaimQueue queue = new ClaimQueue(found.get(0));
		for (QueueNode node : first(queue)) {
			if (queue.obstacle(node) == null) {
				holder(this.containers.get(0), node);
			}
			else {
				waiter(this.containers.get(0), node);
			}
		}
		first(new ClaimQueue(found.get(1))).forEach((node) -> holder(this.containers.get(1), node));
		first(new ClaimQueue(found.get(2))).forEach((node) -> waiter(this.containers.get(2), node));
		if (queue.isCoolingDown() && this.released.test(0)) {
			delete(this.containers.get(0) + "/" + LockPaths.COOLDOWN);
		}
	}

	private static List<QueueNode> first(ClaimQueue queue) {
		List<QueueNode> nodes = queue.inOrder();
		return nodes.subList(0, Math.min(MOST, nodes.size()));
	}

	private void holder(String container, QueueNode node) {
		String path = container + "/" + node.name();
		this.session.requests().read(path, false, (code, content) -> {
			if (content != null) {
				boolean permit = node.kind() == QueueNode.Kind.LEASE;
				add(node, content, permit ? HeldPermits.number(content.text()) : 0);
			}
		});
	}

	private void add(QueueNode node, Requests.Content content, int permit) {
		String owner = (permit > 0) ? HeldPermits.owner(content.text()) : Owners.tokenOf(content.text());
		if (permit == 0 && Owners.fenceOf(content.text()) > 0) {
			this.fence = Math.max(this.fence, Owners.fenceOf(content.text()));
		}
		else {
			this.zxid = Math.max(this.zxid, content.stat().getCzxid());
		}
		// How long a foreign session would outlive its process is unknown.
		Duration remaining = Duration.ofMillis(this.session.timeoutMillis());
		this.holders.add(new NodeReport.Holder(owner, mode(node), permit, remaining));
		if (this.released.test(permit)) {
			delete(this.containers.get((node.kind() == QueueNode.Kind.LEASE) ? 1 : 0) + "/" + node.name());
		}
	}

	private void waiter(String container, QueueNode node) {
		this.session.requests().read(container + "/" + node.name(), false, (code, content) -> {
			if (content != null) {
				long since = Math.max(0, System.currentTimeMillis() - content.stat().getCtime());
				this.waiters
					.add(new NodeReport.Waiter(Owners.tokenOf(content.text()), mode(node), Duration.ofMillis(since)));
			}
		});
	}

	private static LockMode mode(QueueNode node) {
		return (node.kind() == QueueNode.Kind.READ) ? LockMode.SHARED : LockMode.EXCLUSIVE;
	}

	private void delete(String path) {
		this.session.requests().delete(path, (code, deleted) -> {
		});
	}

	/** All of it was read: replies come in the order of the requests. */
	NodeReport complete(String node, Requests.@Nullable Content base) {
		Long counted = (base != null) ? FencingTokens.base(base.data()) : null;
		if (counted != null && this.zxid > 0) {
			this.fence = Math.max(this.fence, FencingTokens.least(counted, this.zxid));
		}
		return new NodeReport(node, true, List.copyOf(this.holders), List.copyOf(this.waiters), this.fence, null);
	}

}
