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
import java.util.List;
import java.util.function.LongSupplier;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.OpResult;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.ACL;
import org.apache.zookeeper.data.Stat;
import org.jspecify.annotations.Nullable;

import io.quorlock.store.ReplyOutcome;
import io.quorlock.store.StoreObserver;

/**
 * The requests of one session. None of them blocks; each is replied to exactly once, in
 * the order of sending, on the event thread of the session.
 */
record SessionRequests(ZooKeeper client, String node, List<ACL> acl, LongSupplier nanoTime,
		List<StoreObserver> observers) {

	private static final Log logger = LogFactory.getLog(SessionRequests.class);

	static final byte[] NOTHING = new byte[0];

	static final String MAX_BYTES = "jute.maxbuffer";

	/** Of {@link #MAX_BYTES}: a little less than a megabyte. */
	private static final int DEFAULT_MAX_BYTES = 0xfffff;

	/**
	 * Of one name in a request: two headers, lengths, flags, what is added to its path.
	 */
	private static final int BYTES_PER_NAME = 200;

	/**
	 * Estimate the request that creates nodes in queues.
	 * @param settings the settings
	 * @param containers where the queues are
	 * @return the size in bytes, hardly less than it is
	 * @see #enqueue
	 */
	static int sizeOfEnqueue(ZooKeeperSettings settings, List<String> containers) {
		int acl = settings.acl()
			.stream()
			.mapToInt((entry) -> 12 + bytes(entry.getId().getScheme()) + bytes(entry.getId().getId()))
			.sum();
		int perName = BYTES_PER_NAME + 2 * settings.chroot().length() + acl + bytes(settings.instanceId());
		return containers.stream().mapToInt((container) -> perName + 2 * bytes(container)).sum();
	}

	private static int bytes(String text) {
		return text.getBytes(StandardCharsets.UTF_8).length;
	}

	/**
	 * Return the size from which on servers refuse requests, unless they have another
	 * one: they close the connection behind a larger one, without a reply.
	 * @param own what the client is configured with, if it is
	 * @return the size in bytes
	 */
	static int maxBytes(@Nullable String own) {
		try {
			return (own != null) ? Integer.decode(own.strip()) : Integer.getInteger(MAX_BYTES, DEFAULT_MAX_BYTES);
		}
		catch (NumberFormatException ex) {
			return DEFAULT_MAX_BYTES;
		}
	}

	void create(String path, byte[] data, CreateMode mode, Reply<Stat> reply) {
		long begun = this.nanoTime.getAsLong();
		this.client.create(path, data, this.acl, mode,
				(rc, requested, context, name, stat) -> reply(begun, "create", rc, (rc == 0) ? stat : null, reply),
				null);
	}

	/**
	 * Create the nodes that queues are kept in, which the servers delete when they have
	 * been empty for a while.
	 * @param paths at least one, the outermost first
	 * @param reply receives {@link Code#OK} if all of them are there, otherwise what
	 * hinders the first that is not
	 */
	void createContainers(List<String> paths, Reply<Boolean> reply) {
		List<Code> refusals = new ArrayList<>();
		for (int i = 0; i < paths.size(); i++) {
			boolean last = i == paths.size() - 1;
			create(paths.get(i), NOTHING, CreateMode.CONTAINER, (code, created) -> {
				if (code != Code.OK && code != Code.NODEEXISTS) {
					refusals.add(code);
				}
				if (last) {
					reply.received(refusals.isEmpty() ? Code.OK : refusals.get(0), null);
				}
			});
		}
	}

	/**
	 * Create a node in each of some queues or, if one cannot be created, none (R12). The
	 * queues are written to in the same instant, which changes nothing in them: the reply
	 * to a write contains the number of nodes, as the reply to a create does not.
	 * @param containers where the queues are
	 * @param prefix what the names of the nodes begin with
	 * @param data what the nodes contain
	 * @param reply receives the paths of the nodes, and whether they are alone
	 */
	void enqueue(List<String> containers, String prefix, byte[] data, Reply<Enqueued> reply) {
		List<Op> operations = new ArrayList<>(2 * containers.size());
		for (String container : containers) {
			operations.add(Op.create(container + "/" + prefix, data, this.acl, CreateMode.EPHEMERAL_SEQUENTIAL));
			operations.add(Op.setData(container, NOTHING, -1));
		}
		multi("create", operations,
				(code, results) -> reply.received(code, (results != null) ? Enqueued.of(containers, results) : null));
	}

	/** Create nodes and delete others in the same instant, or do nothing. */
	void replace(String operation, List<String> deleted, List<String> created, CreateMode mode, byte[] data,
			Reply<List<OpResult>> reply) {
		List<Op> operations = new ArrayList<>();
		created.forEach((path) -> operations.add(Op.create(path, data, this.acl, mode)));
		deleted.forEach((path) -> operations.add(Op.delete(path, -1)));
		multi(operation, operations, reply);
	}

	private void multi(String operation, List<Op> operations, Reply<List<OpResult>> reply) {
		long begun = this.nanoTime.getAsLong();
		this.client.multi(operations,
				(rc, path, context, results) -> reply(begun, operation, rc, (rc == 0) ? results : null, reply), null);
	}

	void children(String path, Reply<List<String>> reply) {
		children(path, false, reply);
	}

	void children(String path, boolean watch, Reply<List<String>> reply) {
		long begun = this.nanoTime.getAsLong();
		this.client.getChildren(path, watch,
				(rc, requested, context, children) -> reply(begun, "list", rc, children, reply), null);
	}

	/**
	 * Read a node.
	 * @param path the node
	 * @param watch whether its end is reported through {@link Watches}
	 * @param reply receives what it contains
	 */
	void read(String path, boolean watch, Reply<Content> reply) {
		long begun = this.nanoTime.getAsLong();
		this.client.getData(path, watch, (rc, requested, context, data, stat) -> reply(begun, "read", rc,
				(rc == 0) ? new Content((data != null) ? data : NOTHING, stat) : null, reply), null);
	}

	/**
	 * Look at the queues of some names and at a node, in one request.
	 * @param containers where the queues are
	 * @param path the node, which is read after them
	 * @param reply receives what was there, also if only part of it was
	 */
	void look(List<String> containers, String path, Reply<List<OpResult>> reply) {
		List<Op> operations = new ArrayList<>(containers.size() + 1);
		containers.forEach((container) -> operations.add(Op.getChildren(container)));
		operations.add(Op.getData(path));
		long begun = this.nanoTime.getAsLong();
		this.client.multi(operations, (rc, requested, context, results) -> reply(begun, "list", rc, results, reply),
				null);
	}

	void write(String operation, String path, byte[] data, int version, Reply<Stat> reply) {
		long begun = this.nanoTime.getAsLong();
		this.client.setData(path, data, version,
				(rc, requested, context, stat) -> reply(begun, operation, rc, stat, reply), null);
	}

	void delete(String path, Reply<Boolean> reply) {
		long begun = this.nanoTime.getAsLong();
		this.client.delete(path, -1, (rc, requested, context) -> reply(begun, "delete", rc, rc == 0, reply), null);
	}

	/** Let what was committed before be seen by what is read after. */
	void sync(String path, Reply<Boolean> reply) {
		long begun = this.nanoTime.getAsLong();
		this.client.sync(path, (rc, requested, context) -> reply(begun, "sync", rc, rc == 0, reply), null);
	}

	private <T> void reply(long begun, String operation, int rc, @Nullable T value, Reply<T> reply) {
		Code code = Code.get(rc);
		ReplyOutcome outcome = outcome(code);
		observe(operation, outcome, code, this.nanoTime.getAsLong() - begun);
		reply.received((outcome == ReplyOutcome.LOST) ? Code.CONNECTIONLOSS : code, value);
	}

	private void observe(String operation, ReplyOutcome outcome, Code code, long nanos) {
		String error = (outcome == ReplyOutcome.OK) ? null : code.toString();
		for (StoreObserver observer : this.observers) {
			try {
				observer.onReply(this.node, operation, outcome, error, nanos);
			}
			catch (RuntimeException | Error ex) {
				// A reply must not be lost by it.
				logger.error("Observer " + observer + " of lock nodes failed; mend it: it must not throw", ex);
			}
		}
	}

	private static ReplyOutcome outcome(Code code) {
		return switch (code) {
			// That a node is missing, exists, or contains others is a valid reply.
			case OK, NONODE, NODEEXISTS, NOTEMPTY, BADVERSION -> ReplyOutcome.OK;
			// Was it carried out? Find out, or ask again: a throttled one was not, for
			// now.
			case CONNECTIONLOSS, OPERATIONTIMEOUT, REQUESTTIMEOUT, SESSIONMOVED, THROTTLEDOP -> ReplyOutcome.LOST;
			case SESSIONEXPIRED -> ReplyOutcome.NOT_SENT;
			default -> ReplyOutcome.ERROR;
		};
	}

	/**
	 * Receives the reply to a request.
	 *
	 * @param <T> what the reply contains
	 */
	@FunctionalInterface
	interface Reply<T> {

		/**
		 * The reply has arrived, or was lost.
		 * @param code what became of it; {@link Code#CONNECTIONLOSS} stands for whatever
		 * leaves that open
		 * @param value the result, if the code is {@link Code#OK}
		 */
		void received(Code code, @Nullable T value);

		/** What becomes of the request does not matter, or is seen by what follows. */
		static <T> Reply<T> ignored() {
			return (code, value) -> {
			};
		}

	}

	/**
	 * Nodes that were created in queues, all in one transaction.
	 *
	 * @param paths their paths, in the order of the queues
	 * @param stat a queue behind it
	 * @param alone whether no queue contains anything else
	 */
	record Enqueued(List<String> paths, Stat stat, boolean alone) {

		/**
		 * The client leaves the chroot of its connect string in the paths of a
		 * transaction, and takes it out of all others: only the names are of use.
		 */
		private static Enqueued of(List<String> containers, List<OpResult> results) {
			List<String> paths = new ArrayList<>(containers.size());
			boolean alone = true;
			Stat last = new Stat();
			for (OpResult result : results) {
				if (result instanceof OpResult.CreateResult created) {
					String path = created.getPath();
					paths.add(containers.get(paths.size()) + path.substring(path.lastIndexOf('/')));
				}
				else if (result instanceof OpResult.SetDataResult queue) {
					last = queue.getStat();
					alone = alone && last.getNumChildren() == 1;
				}
			}
			return new Enqueued(List.copyOf(paths), last, alone);
		}

	}

	@SuppressWarnings("ArrayRecordComponent")
	record Content(byte[] data, Stat stat) {

		String text() {
			return new String(this.data, StandardCharsets.UTF_8);
		}

	}

}
