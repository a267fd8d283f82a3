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
import java.util.function.IntPredicate;

import org.apache.zookeeper.KeeperException.Code;
import org.jspecify.annotations.Nullable;

import io.quorlock.LockMode;
import io.quorlock.store.NodeReport;

/**
 * What stands in the queue of a name, among its permits and in the queue for them: read
 * node by node, and deleted where that is asked for.
 */
final class QueueReport {

	/** Of a longer queue only the beginning is shown. */
	private static final int MOST_SHOWN = 100;

	private final Session session;

	private final List<String> containers;

	private final IntPredicate released;

	/** How many nodes of a queue may be of holders. */
	private final int mostHolders;

	private final List<NodeReport.Holder> holders = new ArrayList<>();

	private final List<NodeReport.Waiter> waiters = new ArrayList<>();

	/** Of the holders whose nodes do not name their fencing tokens. */
	private long zxid;

	private long fence;

	/** What hindered a forced release. */
	private @Nullable Code refused;

	/**
	 * Create a new report that deletes nothing.
	 * @param session reads the nodes
	 * @param paths where nodes are
	 * @param name the name
	 */
	QueueReport(Session session, LockPaths paths, String name) {
		this(session, paths, name, (permit) -> false, MOST_SHOWN);
	}

	/**
	 * Create a new report that deletes holders, however many there are.
	 * @param session reads the nodes
	 * @param paths where nodes are
	 * @param name the name
	 * @param released the permits to delete, 0 standing for what is no permit
	 */
	QueueReport(Session session, LockPaths paths, String name, IntPredicate released) {
		this(session, paths, name, released, Integer.MAX_VALUE);
	}

	private QueueReport(Session session, LockPaths paths, String name, IntPredicate released, int mostHolders) {
		this.session = session;
		this.containers = List.of(paths.container(name), paths.permits(name), paths.permitTurns(name));
		this.released = released;
		this.mostHolders = mostHolders;
	}

	/** The queue of the name, its permits, and the queue for them. */
	List<String> containers() {
		return this.containers;
	}

	/** Read what was found in the containers. */
	void read(List<List<String>> found) {
		ClaimQueue queue = new ClaimQueue(found.get(0));
		List<QueueNode> waiting = new ArrayList<>();
		for (QueueNode node : first(queue, this.mostHolders)) {
			if (queue.obstacle(node) == null) {
				holder(this.containers.get(0), node);
			}
			else {
				waiting.add(node);
			}
		}
		first(new ClaimQueue(found.get(1)), this.mostHolders).forEach((node) -> holder(this.containers.get(1), node));
		waiting.stream().limit(MOST_SHOWN).forEach((node) -> waiter(this.containers.get(0), node));
		first(new ClaimQueue(found.get(2)), MOST_SHOWN).forEach((node) -> waiter(this.containers.get(2), node));
		if (queue.isCoolingDown()) {
			cooldown(this.containers.get(0) + "/" + LockPaths.COOLDOWN);
		}
	}

	private void cooldown(String path) {
		this.session.requests().read(path, false, (code, content) -> {
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

	private static List<QueueNode> first(ClaimQueue queue, int most) {
		List<QueueNode> nodes = queue.inOrder();
		return nodes.subList(0, Math.min(most, nodes.size()));
	}

	private void holder(String container, QueueNode node) {
		String path = container + "/" + node.name();
		this.session.requests().read(path, false, (code, content) -> {
			if (content != null) {
				boolean permit = node.kind() == QueueNode.Kind.LEASE;
				add(node, content, permit ? NodeData.permitOf(content.text()) : 0);
			}
		});
	}

	private void add(QueueNode node, SessionRequests.Content content, int permit) {
		String owner = (permit > 0) ? NodeData.holderOf(content.text()) : NodeData.tokenOf(content.text());
		if (permit == 0 && NodeData.fenceOf(content.text()) > 0) {
			this.fence = Math.max(this.fence, NodeData.fenceOf(content.text()));
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
					.add(new NodeReport.Waiter(NodeData.tokenOf(content.text()), mode(node), Duration.ofMillis(since)));
			}
		});
	}

	private static LockMode mode(QueueNode node) {
		return (node.kind() == QueueNode.Kind.READ) ? LockMode.SHARED : LockMode.EXCLUSIVE;
	}

	private void delete(String path) {
		this.session.requests().delete(path, (code, deleted) -> {
			if (code != Code.OK && code != Code.NONODE) {
				this.refused = code;
			}
		});
	}

	/** What became of what was to be deleted: {@code null} if it is gone. */
	@Nullable Code refused() {
		return this.refused;
	}

	/** All of it was read: replies come in the order of the requests. */
	NodeReport complete(String node, SessionRequests.@Nullable Content base) {
		Long counted = (base != null) ? FencingTokens.base(base.data()) : null;
		if (counted != null && this.zxid > 0) {
			this.fence = Math.max(this.fence, FencingTokens.least(counted, this.zxid));
		}
		return new NodeReport(node, true, List.copyOf(this.holders), List.copyOf(this.waiters), this.fence, null);
	}

}
