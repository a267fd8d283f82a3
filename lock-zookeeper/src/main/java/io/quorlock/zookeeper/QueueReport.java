/*
 * Copyright 2026-present the Quorlock authors.
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *      https://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */

package io.quorlock.zookeeper;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.IntPredicate;

import org.apache.zookeeper.KeeperException.Code;
import org.jspecify.annotations.Nullable;

import io.quorlock.LockMode;
import io.quorlock.store.NodeReport;
import io.quorlock.time.LockTimer;
import io.quorlock.zookeeper.SessionRequests.Reply;

/**
 * What stands in the queue of a name, among its permits and in the queue for them: read
 * node by node, and deleted where that is asked for. Requests are replied to in the order
 * of sending.
 */
final class QueueReport {

	/** Of a longer queue only the beginning is shown. */
	private static final int MAX_SHOWN = 100;

	private final StoreContext context;

	private final Session session;

	private final SessionRequests requests;

	/** The queue of the name, its permits, and the queue for them. */
	private final List<String> containers;

	private final IntPredicate released;

	/** How many nodes of a queue may be of holders. */
	private final int maxHolders;

	private final CompletableFuture<List<NodeReport>> reports = new CompletableFuture<>();

	private final List<ClaimQueue> queues = new ArrayList<>();

	private final List<NodeReport.Holder> holders = new ArrayList<>();

	private final List<NodeReport.Waiter> waiters = new ArrayList<>();

	/** Of the holders whose nodes do not name their fencing tokens. */
	private long zxid;

	private long fence;

	/** What hindered a forced release. */
	private @Nullable Code refused;

	private QueueReport(StoreContext context, Session session, String name, IntPredicate released, int maxHolders) {
		this.context = context;
		this.session = session;
		this.requests = session.requests();
		this.containers = List.of(context.paths.container(name), context.paths.permits(name),
				context.paths.permitTurns(name));
		this.released = released;
		this.maxHolders = maxHolders;
	}

	static CompletionStage<List<NodeReport>> inspect(StoreContext context, Sessions sessions, String name) {
		return report(context, sessions, name, (permit) -> false, MAX_SHOWN);
	}

	/**
	 * Free a name.
	 * @param context what the claims of the store share
	 * @param sessions where to look
	 * @param name the lock
	 * @param permit the number of the permit to free, 0 for everything
	 * @return what was there before
	 */
	static CompletionStage<List<NodeReport>> forceRelease(StoreContext context, Sessions sessions, String name,
			int permit) {
		IntPredicate released = (number) -> permit == 0 || number == permit;
		List<Runnable> removals = context.held(name)
			.stream()
			.filter((lease) -> released.test(lease.permit()))
			.map((lease) -> lease.revoke("it was released by force"))
			.toList();
		// Not before the queue was read: the next in it would be taken for a holder.
		return report(context, sessions, name, released, Integer.MAX_VALUE)
			.whenComplete((done, error) -> removals.forEach(Runnable::run));
	}

	private static CompletionStage<List<NodeReport>> report(StoreContext context, Sessions sessions, String name,
			IntPredicate released, int maxHolders) {
		Session session = sessions.current();
		if (session == null || !session.isReady()) {
			return CompletableFuture.completedFuture(failed(context, sessions.describe()));
		}
		QueueReport report = new QueueReport(context, session, name, released, maxHolders);
		LockTimer.Timeout timeout = context.timer.schedule(context.operationTimeoutNanos,
				() -> report.fail(sessions.describe()));
		report.reports.whenComplete((done, error) -> timeout.cancel());
		report.list();
		return report.reports;
	}

	private static List<NodeReport> failed(StoreContext context, String error) {
		return List.of(NodeReport.failed(context.settings.connectString(), error));
	}

	private void fail(String error) {
		this.reports.complete(failed(this.context, error));
	}

	private void list() {
		this.requests.sync(this.containers.get(0), Reply.ignored());
		for (String container : this.containers) {
			this.requests.children(container, (code, children) -> {
				if (isReadable(code)) {
					this.queues.add(new ClaimQueue((children != null) ? children : List.of()));
					if (this.queues.size() == this.containers.size()) {
						read();
						this.requests.read(this.context.paths.tokenBase(), false, this::complete);
					}
				}
			});
		}
	}

	private boolean isReadable(Code code) {
		boolean readable = code == Code.OK || code == Code.NONODE;
		if (!readable) {
			fail(code.toString());
		}
		return readable;
	}

	/** All of it was read, and behind the sync all is deleted that was to be. */
	private void complete(Code code, SessionRequests.@Nullable Content base) {
		if (isReadable(code)) {
			Long counted = (base != null) ? FencingTokens.base(base.data()) : null;
			if (counted != null && this.zxid > 0) {
				this.fence = Math.max(this.fence, FencingTokens.first(counted, this.zxid));
			}
			this.requests.sync(this.containers.get(0), (synced, done) -> {
				if (this.refused != null) {
					fail("the nodes cannot be deleted: " + this.refused);
				}
				this.reports.complete(List.of(new NodeReport(this.context.settings.connectString(), true,
						List.copyOf(this.holders), List.copyOf(this.waiters), this.fence, null)));
			});
		}
	}

	private void read() {
		ClaimQueue queue = this.queues.get(0);
		List<ClaimQueue.Node> waiting = new ArrayList<>();
		queue.inOrder().stream().limit(this.maxHolders).forEach((node) -> {
			if (queue.obstacle(node) == null) {
				holder(this.containers.get(0), node);
			}
			else {
				waiting.add(node);
			}
		});
		this.queues.get(1)
			.inOrder()
			.stream()
			.limit(this.maxHolders)
			.forEach((node) -> holder(this.containers.get(1), node));
		waiting.stream().limit(MAX_SHOWN).forEach((node) -> waiter(this.containers.get(0), node));
		this.queues.get(2).inOrder().stream().limit(MAX_SHOWN).forEach((node) -> waiter(this.containers.get(2), node));
		if (queue.isCoolingDown()) {
			cooldown(this.containers.get(0) + "/" + LockPaths.COOLDOWN);
		}
	}

	private void cooldown(String path) {
		this.requests.read(path, false, (code, content) -> {
			if (content != null) {
				long age = System.currentTimeMillis() - content.stat().getCtime();
				long left = Cooldown.parse(content.text()).remainingMillis(age, 0);
				this.holders
					.add(new NodeReport.Holder(null, LockMode.EXCLUSIVE, 0, Duration.ofMillis(Math.max(0, left))));
			}
		});
		if (this.released.test(0)) {
			delete(path);
		}
	}

	private void holder(String container, ClaimQueue.Node node) {
		String path = container + "/" + node.name();
		this.requests.read(path, false, (code, content) -> {
			if (content == null) {
				return;
			}
			ClaimQueue.NodeData data = ClaimQueue.NodeData.parse(content.text());
			int permit = (node.kind() == ClaimQueue.Kind.LEASE) ? (int) Math.min(data.number(), Integer.MAX_VALUE) : 0;
			if (permit == 0 && data.number() > 0) {
				this.fence = Math.max(this.fence, data.number());
			}
			else {
				this.zxid = Math.max(this.zxid, content.stat().getCzxid());
			}
			// How long a foreign session would outlive its process is unknown.
			Duration remaining = Duration.ofMillis(this.session.timeoutMillis());
			this.holders.add(new NodeReport.Holder(data.owner(), mode(node), permit, remaining));
			if (this.released.test(permit)) {
				delete(path);
			}
		});
	}

	private void waiter(String container, ClaimQueue.Node node) {
		this.requests.read(container + "/" + node.name(), false, (code, content) -> {
			if (content != null) {
				long since = Math.max(0, System.currentTimeMillis() - content.stat().getCtime());
				this.waiters.add(new NodeReport.Waiter(ClaimQueue.NodeData.parse(content.text()).owner(), mode(node),
						Duration.ofMillis(since)));
			}
		});
	}

	private static LockMode mode(ClaimQueue.Node node) {
		return (node.kind() == ClaimQueue.Kind.READ) ? LockMode.SHARED : LockMode.EXCLUSIVE;
	}

	private void delete(String path) {
		this.requests.delete(path, (code, deleted) -> {
			if (code != Code.OK && code != Code.NONODE) {
				this.refused = code;
			}
		});
	}

}
