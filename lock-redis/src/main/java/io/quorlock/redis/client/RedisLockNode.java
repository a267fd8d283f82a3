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

package io.quorlock.redis.client;

import java.time.Duration;
import java.util.OptionalLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;

import io.quorlock.LogText;
import io.quorlock.quorum.membership.Membership;
import io.quorlock.quorum.membership.NodeAdmission;
import io.quorlock.quorum.node.JointRenewal;
import io.quorlock.quorum.node.LockNode;
import io.quorlock.quorum.node.NodeCommand;
import io.quorlock.quorum.node.NodeListener;
import io.quorlock.quorum.node.NodeReply;
import io.quorlock.quorum.node.NodeReply.Failed.Cause;
import io.quorlock.quorum.node.NodeStatus;
import io.quorlock.quorum.node.NodeStatus.State;
import io.quorlock.quorum.node.ReplyHandler;
import io.quorlock.redis.NodeAddress;
import io.quorlock.redis.RedisKeys;
import io.quorlock.redis.client.Handshake.Greeting;
import io.quorlock.redis.client.RedisNodes.Housekeeper;

/**
 * One Redis server, through one connection at a time.
 */
final class RedisLockNode implements LockNode {

	private static final long RIVAL_PAUSE_NANOS = Duration.ofMillis(50).toNanos();

	/** Of connecting, each of which may take the whole timeout. */
	private static final int STEPS = 6;

	private final NodeAddress address;

	private final RedisNodeOptions options;

	private final Membership membership;

	private final int index;

	private final NodeAdmission admission;

	private final RedisKeys keys;

	private final RecordUpdater record;

	private final NodeHealth health;

	private final Handshake handshake;

	private final Subscriptions subscriptions;

	private final StatusLogger log;

	private final EarlyCommands early = new EarlyCommands();

	private final Housekeeper housekeeper;

	private volatile @Nullable NodeListener listener;

	private volatile @Nullable Session session;

	/** The connection that is being made. */
	private volatile @Nullable Connection opening;

	private volatile NodeStatus withoutSession = NodeStatus.of(State.DOWN, "not started");

	private volatile @Nullable Connector connector;

	private volatile boolean competing;

	/** A second connection that the server answered while the first was silent. */
	private @Nullable Greeting rival;

	/** The last connection of which something may still be under way. */
	private @Nullable Session former;

	RedisLockNode(NodeAddress address, RedisNodeOptions options, Membership membership, int index,
			Housekeeper housekeeper) {
		this.address = address;
		this.options = options;
		this.membership = membership;
		this.index = index;
		this.housekeeper = housekeeper;
		this.admission = new NodeAdmission(options.quarantine(), options.driftFactor(), options.trustFirstSeen());
		this.health = new NodeHealth(options, this.admission);
		this.record = new RecordUpdater(address.name(), index, options, membership, this.admission, this.health,
				(lists) -> tell((listener) -> listener.onLists(this, lists)));
		this.keys = options.keys();
		this.subscriptions = new Subscriptions(this.keys, () -> tell((listener) -> listener.onListening(this)),
				(text) -> tell((listener) -> listener.onMessage(this, text)));
		this.log = new StatusLogger(address.name(), options.clock());
		this.handshake = Handshake.of(address, options, this.record, this.subscriptions);
	}

	@Override
	public String name() {
		return this.address.name();
	}

	@Override
	public NodeStatus status() {
		Session session = this.session;
		if (session == null) {
			return this.withoutSession.mismatched(this.record.isMismatch());
		}
		long now = this.options.clock().minNanoTime();
		String failure = this.health.failure().isEmpty() ? this.admission.exclusion() : this.health.failure();
		State state = this.health.isVoting() ? State.VOTING : State.QUARANTINED;
		boolean unlisted = this.admission.isVoting(now) && state == State.QUARANTINED;
		String reason = unlisted ? "others may have forgotten this list of nodes since it was noted last"
				: this.admission.reason(now);
		return new NodeStatus(failure.isEmpty() ? state : State.FAILING, failure.isEmpty() ? reason : failure,
				this.admission.votesIn(now), session.server.info().runId(), session.server.info().version(),
				clockOffset(session), this.record.isMismatch());
	}

	/** As in the latest reply that carries the node's time. */
	private OptionalLong clockOffset(Session session) {
		OptionalLong latest = this.record.clockOffsetMicros();
		return latest.isPresent() ? latest : session.server.clockOffsetMicros();
	}

	/**
	 * Return what is worth knowing of a node that may well vote.
	 * @return the note; empty if there is none
	 */
	String note() {
		String degradation = degradation();
		String degraded = degradation.isEmpty() ? "" : "grants locks, but " + degradation;
		return LogText.remarks(degraded, this.record.note());
	}

	private String degradation() {
		if (this.session == null || !this.health.failure().isEmpty()) {
			return "";
		}
		String degradation = this.health.degradation();
		return degradation.isEmpty() ? this.subscriptions.refusal() : degradation;
	}

	@Override
	public synchronized void start(NodeListener listener) {
		if (this.connector == null) {
			this.listener = listener;
			this.withoutSession = NodeStatus.of(State.DOWN, "connecting");
			this.early.open();
			this.membership.onStart(this.index);
			this.connector = new Connector(this);
			this.connector.start();
			this.housekeeper.add(this);
		}
	}

	@Override
	public void stop() {
		Session session;
		Connection opening;
		Greeting rival;
		synchronized (this) {
			if (this.connector == null) {
				return;
			}
			this.connector.stop();
			this.connector = null;
			this.membership.onStop(this.index);
			this.housekeeper.remove(this);
			session = this.session;
			this.session = null;
			opening = this.opening;
			rival = this.rival;
			this.withoutSession = NodeStatus.of(State.DOWN, "stopped");
			this.subscriptions.clear();
			this.subscriptions.disconnected();
		}
		failEarly("stopped");
		if (opening != null) {
			opening.close();
		}
		if (rival != null) {
			rival.connection().close();
		}
		if (session != null) {
			this.record.bye(session.pipeline);
			session.pipeline.drain(this.options.operationTimeout().toNanos());
			session.pipeline.close("stopped");
		}
	}

	@Override
	public void submit(NodeCommand command, int slot, ReplyHandler handler) {
		send(command, slot, handler, Pipeline::submit);
	}

	@Override
	public void submit(JointRenewal joint, int slot) {
		Session session = this.session;
		if (session == null) {
			LockNode.super.submit(joint, slot);
		}
		else {
			session.pipeline.submit(new JointCommand(joint, slot, session.pipeline, this.health, this.keys));
		}
	}

	@Override
	public void enqueue(NodeCommand command, int slot, ReplyHandler handler) {
		send(command, slot, handler, Pipeline::enqueue);
	}

	private void send(NodeCommand command, int slot, ReplyHandler handler, BiConsumer<Pipeline, PendingCommand> how) {
		Session session = this.session;
		if (session == null) {
			EarlyCommands.Early early = new EarlyCommands.Early(command, slot, handler);
			if (this.early.offer(early)) {
				return;
			}
			session = this.session;
			if (session == null) {
				early.fail(this.withoutSession.reason());
				return;
			}
		}
		String refusal = session.refusal(command, this.options.clock());
		if (refusal != null) {
			handler.onReply(slot, new NodeReply.Failed(Cause.NOT_SENT, refusal));
			return;
		}
		how.accept(session.pipeline, lockCommand(command, slot, handler, session));
	}

	private @Nullable String offer(EarlyCommands.Early early, Session session) {
		String refusal = session.refusal(early.command(), this.options.clock());
		return (refusal != null) ? refusal
				: session.pipeline.offer(lockCommand(early.command(), early.slot(), early.handler(), session));
	}

	private LockCommand lockCommand(NodeCommand command, int slot, ReplyHandler handler, Session session) {
		return new LockCommand(command, slot, handler, session.pipeline, this.health, this.keys);
	}

	@Override
	public void flush() {
		Session session = this.session;
		if (session != null) {
			session.pipeline.flush();
		}
	}

	@Override
	public void listen(String instance) {
		this.subscriptions.listen(instance);
	}

	/**
	 * Open a session.
	 */
	Session connect(Connector connector) throws NodeUnavailableException {
		Greeting rival = takeRival();
		Connection connection = (rival != null) ? rival.connection() : new Connection(this.options.connectTimeout());
		Session former = opening(connector, connection, null);
		try {
			return this.handshake.open((rival != null) ? rival : this.handshake.greet(connection), former);
		}
		finally {
			opened(connection);
		}
	}

	private synchronized @Nullable Greeting takeRival() {
		Greeting rival = this.rival;
		this.rival = null;
		return rival;
	}

	/**
	 * From now on it is closed if the server does not reply, or the node is stopped.
	 * @param beside the session that it competes with, if any
	 */
	private synchronized @Nullable Session opening(Connector connector, Connection connection, @Nullable Session beside)
			throws NodeUnavailableException {
		if (this.connector != connector || this.session != beside) {
			connection.close();
			throw NodeUnavailableException.down("stopped");
		}
		if (this.opening != null) {
			this.opening.close();
		}
		this.opening = connection;
		return this.former;
	}

	/**
	 * Try a second connection beside a silent one, until either is answered: TCP repeats
	 * what was lost in a cut so rarely that the network has been well for seconds by
	 * then.
	 */
	private void compete(Connector connector, Session silent) {
		try {
			while (isSilent(silent)) {
				Connection connection = new Connection(this.options.attemptTimeout());
				try {
					opening(connector, connection, silent);
					takeOver(silent, this.handshake.greet(connection));
				}
				catch (NodeUnavailableException ex) {
					LockSupport.parkNanos(RIVAL_PAUSE_NANOS);
				}
				finally {
					opened(connection);
				}
			}
		}
		finally {
			this.competing = false;
		}
	}

	/** One rival is enough: the next would take its place, and nobody would close it. */
	private synchronized boolean isSilent(Session session) {
		return this.session == session && this.rival == null
				&& this.health.onSilence(session.pipeline.silentNanos(this.options.clock().nanoTime()));
	}

	/** The silent connection is closed first, and ended by the handshake. */
	private synchronized void takeOver(Session silent, Greeting rival) {
		if (!isSilent(silent)) {
			rival.connection().close();
			return;
		}
		this.rival = rival;
		silent.pipeline.close("did not reply for %d ms, while a new connection is answered"
			.formatted(silent.pipeline.silentNanos(this.options.clock().nanoTime()) / 1_000_000));
	}

	private synchronized void opened(Connection connection) {
		if (this.opening == connection) {
			this.opening = null;
		}
	}

	/**
	 * Begin to use a session, unless the node was stopped meanwhile.
	 */
	void connected(Connector connector, Session session) {
		synchronized (this) {
			if (this.connector != connector) {
				session.pipeline.close("stopped");
				return;
			}
			this.former = session;
			this.subscriptions.connected(session.pipeline);
		}
		awaitOthers();
		this.early.connected((early) -> offer(early, session), () -> this.session = session);
		synchronized (this) {
			if (this.connector != connector) {
				this.session = (this.session == session) ? null : this.session;
				session.pipeline.close("stopped");
				return;
			}
		}
		keep(this.options.clock().nanoTime());
		tell((listener) -> listener.onConnected(this));
	}

	/** A list that another node tells of must be known before a vote counts. */
	private void awaitOthers() {
		this.membership.onTried(this.index);
		try {
			this.membership.awaitTried(STEPS * this.options.connectTimeout().toNanos());
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	void disconnected(Connector connector, NodeUnavailableException reason) {
		synchronized (this) {
			if (this.connector != connector) {
				return;
			}
			this.session = null;
			this.withoutSession = reason.status();
			this.record.disconnected();
			this.membership.onTried(this.index);
			this.subscriptions.disconnected();
		}
		failEarly(reason.status().reason());
		this.log.onStatus(status());
	}

	private void failEarly(String reason) {
		this.early.takeAll().forEach((command) -> command.fail(reason));
	}

	/**
	 * Do what is due from time to time.
	 */
	void keep(long nowNanos) {
		Connection opening = this.opening;
		if (opening != null) {
			onOverdue(opening.closeIfOverdue());
		}
		Session session = this.session;
		if (session == null) {
			return;
		}
		Pipeline pipeline = session.pipeline;
		boolean silent = this.health.onSilence(pipeline.silentNanos(nowNanos));
		// Before the probe, whose reply may end what is to be logged.
		this.log.onStatus(status());
		this.log.onDegradation(degradation());
		if (pipeline.oldestNanos(nowNanos) > this.options.deadAfterNanos()) {
			pipeline.close("did not reply for " + Duration.ofNanos(this.options.deadAfterNanos()).toSeconds() + " s");
			return;
		}
		Connector connector = this.connector;
		if (silent && !this.competing && connector != null) {
			this.competing = true;
			Connector.startThread(() -> compete(connector, session), "quorlock-rival-" + name());
		}
		this.record.update(pipeline, nowNanos);
		this.health.probe(pipeline, session.scratch, nowNanos);
		this.subscriptions.keep(nowNanos);
		pipeline.flush();
	}

	/** The thread that connects may be in a step that nothing can end. */
	private void onOverdue(@Nullable NodeUnavailableException reason) {
		if (reason != null && this.session == null) {
			this.withoutSession = reason.status();
			failEarly(reason.status().reason());
			this.log.onStatus(status());
		}
	}

	/**
	 * Log in again if there is something else to log in with.
	 */
	void login(Login login) {
		Session session = this.session;
		if (session != null && this.address.password() == null) {
			session.login(login, name());
		}
	}

	private void tell(Consumer<NodeListener> event) {
		NodeListener listener = this.listener;
		if (listener != null) {
			event.accept(listener);
		}
	}

	@Override
	public String toString() {
		return this.address.toString();
	}

}
