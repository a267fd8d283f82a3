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

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.OpResult;
import org.apache.zookeeper.Watcher.Event.EventType;
import org.jspecify.annotations.Nullable;

import io.quorlock.LogText;
import io.quorlock.zookeeper.SessionRequests.Reply;

/**
 * The nodes of one claim, one in the queue of each name, from their creation until they
 * are surely gone. Whatever becomes of the request that created them, none is left
 * behind: a create without a reply is looked for by its id, behind a {@code sync}.
 */
final class ClaimNodes {

	private static final Log logger = LogFactory.getLog(ClaimNodes.class);

	/** Between two attempts to delete what the servers refuse to delete. */
	private static final long REFUSAL_PAUSE_NANOS = 10_000_000_000L;

	private final Session session;

	private final List<String> containers;

	private final String prefix;

	private final String data;

	private final CompletableFuture<Boolean> gone = new CompletableFuture<>();

	private volatile Knowledge knowledge = Knowledge.PENDING;

	private boolean removed;

	/** What the name cools down with when the nodes are deleted, if it does (R18). */
	private volatile byte @Nullable [] cooldown;

	private volatile List<String> paths = List.of();

	/**
	 * The nodes of a claim whose names begin with a {@link ClaimQueue.Node#prefix
	 * prefix}.
	 */
	ClaimNodes(Session session, List<String> containers, String prefix, String data) {
		this.session = session;
		this.containers = containers;
		this.prefix = prefix;
		this.data = data;
	}

	Session session() {
		return this.session;
	}

	List<String> containers() {
		return this.containers;
	}

	/** The paths of the nodes in the order of the containers, once they are known. */
	List<String> paths() {
		return this.paths;
	}

	/**
	 * Completes with {@code true} when none of the nodes is left, with {@code false} when
	 * the servers refuse to delete one. It is tried again then, until the session is
	 * over.
	 */
	CompletionStage<Boolean> gone() {
		return this.gone;
	}

	/** The node in the queue of one name. */
	ClaimQueue.Node node(int index) {
		String path = this.paths.get(index);
		return Objects.requireNonNull(ClaimQueue.Node.parse(path.substring(path.lastIndexOf('/') + 1)));
	}

	/** A queue in which the number is one that the servers may give twice. */
	@Nullable String usedUp() {
		for (int i = 0; i < this.paths.size(); i++) {
			if (node(i).isBeyondLast()) {
				return this.containers.get(i);
			}
		}
		return null;
	}

	/**
	 * Create the nodes. Sent before this returns, so that what is read next sees them.
	 * @param reply receives what became of it; on {@link Code#CONNECTIONLOSS} call
	 * {@link #find}
	 */
	void create(Reply<Created> reply) {
		this.session.requests()
			.enqueue(this.containers, this.prefix, this.data.getBytes(StandardCharsets.UTF_8), (code, enqueued) -> {
				learn(code, (enqueued != null) ? enqueued.paths() : List.of());
				reply.received(code, (enqueued != null) ? new Created(enqueued.stat().getMzxid(),
						enqueued.stat().getMtime(), enqueued.alone() ? this.session.tokenBase().value() : null) : null);
			});
	}

	private void learn(Code code, List<String> existing) {
		if (code != Code.CONNECTIONLOSS) {
			this.paths = existing;
		}
		synchronized (this) {
			this.knowledge = (code != Code.CONNECTIONLOSS) ? Knowledge.CERTAIN : Knowledge.LOST;
			if (!this.removed) {
				return;
			}
		}
		removeNow();
	}

	/**
	 * Look for nodes to whose create there was no reply.
	 * @param reply receives {@link Code#OK} if they exist, {@link Code#NONODE} if none of
	 * them does and none will
	 */
	void find(Reply<Created> reply) {
		List<String> found = new ArrayList<>();
		List<Code> refusals = new ArrayList<>();
		AtomicInteger outstanding = new AtomicInteger(this.containers.size());
		for (String container : this.containers) {
			// A create that the former server still forwards is refused by the leader:
			// the session has moved. What the leader took is behind the sync.
			this.session.requests().sync(container, Reply.ignored());
			this.session.requests().children(container, (code, children) -> {
				ClaimQueue.Node node = (children != null) ? new ClaimQueue(children).find(idPrefix()) : null;
				if (node != null) {
					found.add(container + "/" + node.name());
				}
				if (code != Code.OK && code != Code.NONODE) {
					refusals.add(0, code);
				}
				// Replies come in order: if the last is not lost, none is.
				if (outstanding.decrementAndGet() == 0) {
					found(found, refusals.isEmpty() ? Code.OK : refusals.get(0), reply);
				}
			});
		}
	}

	private void found(List<String> found, Code worst, Reply<Created> reply) {
		boolean complete = found.size() == this.containers.size();
		Code outcome = (worst != Code.OK) ? worst : (complete ? Code.OK : Code.NONODE);
		if (worst == Code.OK || worst == Code.CONNECTIONLOSS || worst == Code.SESSIONEXPIRED) {
			learn(outcome, List.copyOf(found));
		}
		else {
			// What exists remains unknown, and goes with the session.
			refused(this.containers.get(0), worst);
		}
		reply.received(outcome, null);
	}

	/**
	 * Read when the nodes were created. All of them were at the same instant.
	 * @param reply receives it
	 */
	void inspect(Reply<Created> reply) {
		this.session.requests()
			.read(this.paths.get(0), false, (code, content) -> reply.received(code, (content != null)
					? new Created(content.stat().getCzxid(), content.stat().getCtime(), null) : null));
	}

	/**
	 * Put a reader's node where each of the nodes stands, in one transaction (R19). A new
	 * place at the end of the queue would let in a writer that waits already, so the
	 * reader's node has the number of the node that it replaces. Curator writes the same
	 * when a writer acquires the read lock.
	 * @param data what the readers' nodes contain
	 * @param reply receives what became of it, unless the nodes are being deleted; on
	 * {@link Code#CONNECTIONLOSS} it may be asked for again
	 */
	void downgrade(String data, Reply<List<OpResult>> reply) {
		synchronized (this) {
			if (this.removed) {
				return;
			}
			this.knowledge = Knowledge.PENDING;
		}
		List<String> before = this.paths;
		List<String> after = before.stream().map(this::asReader).toList();
		this.session.requests()
			.replace("downgrade", before, after, CreateMode.EPHEMERAL, data.getBytes(StandardCharsets.UTF_8),
					(code, results) -> {
						// The names are this claim's own: what exists was created before.
						Code outcome = (code == Code.NODEEXISTS) ? Code.OK : code;
						learn(outcome, (outcome == Code.OK) ? after : before);
						reply.received(outcome, results);
					});
	}

	private String idPrefix() {
		return this.prefix.substring(0, ClaimQueue.Node.ID_PREFIX_LENGTH);
	}

	private String asReader(String path) {
		int number = path.lastIndexOf(this.prefix) + this.prefix.length();
		return path.substring(0, path.lastIndexOf('/') + 1) + idPrefix() + ClaimQueue.Kind.READ.marker
				+ path.substring(number);
	}

	/**
	 * Delete the nodes, or see to it that they will be, as soon as it is known which
	 * exist.
	 * @return completes as {@link #gone()} does
	 */
	CompletionStage<Boolean> remove() {
		return remove(null);
	}

	/**
	 * Delete the nodes, and let the name cool down from the same instant on (R18).
	 * @param cooldown the data of the node that says so, or {@code null} for none
	 * @return completes as {@link #gone()} does
	 */
	CompletionStage<Boolean> remove(byte @Nullable [] cooldown) {
		synchronized (this) {
			if (this.removed) {
				return this.gone;
			}
			this.removed = true;
			this.cooldown = cooldown;
		}
		removeNow();
		return this.gone;
	}

	private void replaceNext(int index, byte[] cooldown) {
		if (index == this.paths.size()) {
			this.gone.complete(true);
			return;
		}
		this.session.requests()
			.replace("release", List.of(this.paths.get(index)),
					List.of(this.containers.get(index) + "/" + LockPaths.COOLDOWN), CreateMode.PERSISTENT, cooldown,
					(code, results) -> {
						switch (code) {
							case CONNECTIONLOSS -> this.session.resume(() -> replaceNext(index, cooldown));
							case OK, NONODE -> replaceNext(index + 1, cooldown);
							// What is left of an earlier one, or no right to leave one.
							default -> deleteAll();
						}
					});
	}

	private void removeNow() {
		byte[] cooling = this.cooldown;
		switch (this.knowledge) {
			case CERTAIN -> {
				if (cooling != null) {
					this.containers.forEach((container) -> Cooldown.index(this.session.requests(), container));
					replaceNext(0, cooling);
				}
				else {
					deleteAll();
				}
			}
			case LOST -> this.session.resume(() -> find(Reply.ignored()));
			default -> {
				// Goes on when the reply is there.
			}
		}
	}

	private void deleteAll() {
		List<String> doomed = this.paths;
		if (doomed.isEmpty()) {
			this.gone.complete(true);
			return;
		}
		AtomicInteger outstanding = new AtomicInteger(doomed.size());
		doomed.forEach((path) -> delete(path, outstanding));
	}

	private void delete(String path, AtomicInteger outstanding) {
		this.session.requests().delete(path, (code, deleted) -> {
			boolean exists = code != Code.OK && code != Code.NONODE && code != Code.SESSIONEXPIRED;
			if (code == Code.CONNECTIONLOSS) {
				this.session.resume(() -> delete(path, outstanding));
			}
			else if (exists && !this.session.isOver()) {
				refused(path, code);
				this.session.later(REFUSAL_PAUSE_NANOS, () -> delete(path, outstanding));
			}
			else if (outstanding.decrementAndGet() == 0) {
				this.gone.complete(true);
			}
		});
	}

	private void refused(String path, Code code) {
		if (!this.gone.isDone()) {
			logger
				.warn("ZooKeeper refuses to delete %s: %s. The name stays locked until it can be, or until the session"
					.formatted(LogText.escape(path), code) + " is over");
			this.gone.complete(false);
		}
	}

	/**
	 * Notices when another client deletes the nodes of a claim.
	 */
	static final class Watch {

		private final Session session;

		private final Runnable onDeleted;

		/** One for each node, however often others write to it. */
		private final Map<String, Runnable> unwatch = new HashMap<>(2);

		private volatile boolean forgotten;

		Watch(Session session, List<String> paths, Runnable onDeleted) {
			this.session = session;
			this.onDeleted = onDeleted;
			session.events().watchLater(() -> paths.forEach(this::watch));
		}

		private void watch(String path) {
			synchronized (this) {
				if (this.forgotten) {
					return;
				}
				this.unwatch.put(path, this.session.events().onChange(path, (event) -> changed(path, event)));
			}
			read(path);
		}

		/** A write to the node does not take the lock away. */
		private void changed(String path, EventType event) {
			if (event == EventType.NodeDeleted) {
				deleted();
			}
			else {
				watch(path);
			}
		}

		private void read(String path) {
			if (this.forgotten) {
				return;
			}
			this.session.requests().read(path, true, (code, content) -> {
				if (code == Code.NONODE) {
					deleted();
				}
				else if (code == Code.CONNECTIONLOSS) {
					this.session.resume(() -> read(path));
				}
			});
		}

		private void deleted() {
			if (!this.forgotten) {
				this.onDeleted.run();
			}
		}

		/** Report nothing any more. */
		synchronized void forget() {
			this.forgotten = true;
			this.unwatch.values().forEach(Runnable::run);
		}

	}

	/**
	 * When the nodes were created, as the servers have it.
	 *
	 * @param zxid the transaction
	 * @param millis the leader's wall clock
	 * @param base what fencing tokens are counted from, if that is known, and nothing
	 * else is in the queues
	 */
	record Created(long zxid, long millis, @Nullable Long base) {
	}

	/** What is known of the nodes. */
	private enum Knowledge {

		/** A request is on its way. */
		PENDING,

		/** The reply was lost. */
		LOST,

		/** It is known which nodes exist. */
		CERTAIN

	}

}
