package io.quorlock.redis.client;

import java.time.Duration;
import java.util.OptionalLong;
import java.util.function.BiConsumer;

import org.jspecify.annotations.Nullable;

import io.quorlock.quorum.membership.Membership;
import io.quorlock.quorum.membership.NodeAdmission;
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

/**
 * One Redis server, through one connection at a time.
 */
final class JedisLockNode implements LockNode {

	private final NodeAddress address;

	private final JedisNodeOptions options;

	private final NodeAdmission admission;

	private final RedisKeys keys;

	private final int version;

	private final RecordUpdater record;

	private final NodeHealth health;

	private final SessionFactory sessions;

	private final Subscriptions subscriptions;

	private final StatusLogger log;

	private final Housekeeper housekeeper;

	private volatile @Nullable NodeListener listener;

	private volatile @Nullable Session session;

	/** The connection that is being made. */
	private volatile @Nullable Connection opening;

	private volatile NodeStatus withoutSession = NodeStatus.of(State.DOWN, "not started");

	private @Nullable Connector connector;

	/** The last connection of which something may still be under way. */
	private @Nullable Session former;

	JedisLockNode(NodeAddress address, JedisNodeOptions options, Membership membership, int index,
			Housekeeper housekeeper) {
		this.address = address;
		this.options = options;
		this.housekeeper = housekeeper;
		this.version = membership.seals().layout().version();
		this.admission = new NodeAdmission(options.quarantine(), options.driftFactor(), options.trustFirstSeen(),
				this.version > 0);
		this.health = new NodeHealth(options, this.admission);
		this.record = new RecordUpdater(address.name(), index, options, membership, this.admission, this.health);
		this.keys = options.keys();
		this.subscriptions = new Subscriptions(this.keys, this::onWatching, this::onAnnounced);
		this.log = new StatusLogger(address.name());
		this.sessions = new SessionFactory(address, options, membership, index, this.admission, this.health,
				this.record, this.subscriptions, this.log);
	}

	@Override
	public String name() {
		return this.address.name();
	}

	@Override
	public NodeStatus status() {
		Session session = this.session;
		if (session == null) {
			return this.withoutSession;
		}
		long now = this.options.clock().leastNanoTime();
		String failure = this.health.failure();
		State state = this.admission.isVoting(now) ? State.VOTING
				: this.admission.isRefused() ? State.SEALED : State.QUARANTINED;
		return new NodeStatus(failure.isEmpty() ? state : State.FAILING,
				failure.isEmpty() ? this.admission.reason(now) : failure, this.admission.votesIn(now),
				session.info().runId(), session.info().version(), clockOffset(session));
	}

	/** R9: as in the latest reply that carries the node's time. */
	private OptionalLong clockOffset(Session session) {
		OptionalLong latest = this.record.clockOffsetMicros();
		return latest.isPresent() ? latest : session.clockOffsetMicros();
	}

	/**
	 * Return what is worth knowing of a node that may well vote.
	 * @return the note; empty if there is none
	 */
	String note() {
		return this.record.note();
	}

	@Override
	public synchronized void start(NodeListener listener) {
		if (this.connector == null) {
			this.listener = listener;
			this.withoutSession = NodeStatus.of(State.DOWN, "connecting");
			this.connector = new Connector(this);
			this.connector.start();
			this.housekeeper.add(this);
		}
	}

	@Override
	public void stop() {
		Session session;
		Connection opening;
		synchronized (this) {
			if (this.connector == null) {
				return;
			}
			this.connector.stop();
			this.connector = null;
			this.housekeeper.remove(this);
			session = this.session;
			this.session = null;
			opening = this.opening;
			this.withoutSession = NodeStatus.of(State.DOWN, "stopped");
			this.subscriptions.clear();
			this.subscriptions.disconnected();
		}
		if (opening != null) {
			opening.close();
		}
		if (session != null) {
			session.pipeline().drain(this.options.operationTimeout().toNanos());
			session.pipeline().close("stopped");
		}
	}

	@Override
	public void submit(NodeCommand command, int slot, ReplyHandler handler) {
		send(command, slot, handler, Pipeline::submit);
	}

	@Override
	public void enqueue(NodeCommand command, int slot, ReplyHandler handler) {
		send(command, slot, handler, Pipeline::enqueue);
	}

	private void send(NodeCommand command, int slot, ReplyHandler handler, BiConsumer<Pipeline, PendingCommand> how) {
		Session session = this.session;
		if (session == null) {
			handler.onReply(slot, new NodeReply.Failed(Cause.NOT_SENT, this.withoutSession.reason()));
			return;
		}
		Pipeline pipeline = session.pipeline();
		how.accept(pipeline, new LockCommand(command, slot, handler, pipeline, this.health, this.keys, this.version));
	}

	@Override
	public void flush() {
		Session session = this.session;
		if (session != null) {
			session.pipeline().flush();
		}
	}

	@Override
	public void watch(String name) {
		this.subscriptions.watch(name);
	}

	@Override
	public void unwatch(String name) {
		this.subscriptions.unwatch(name);
	}

	/**
	 * Open a session.
	 */
	Session connect(Connector connector) throws NodeUnavailableException {
		Connection connection = new Connection(this.options.connectTimeout().toMillis());
		Session former = opening(connector, connection);
		try {
			return this.sessions.open(connection, former);
		}
		finally {
			opened(connection);
		}
	}

	/** From now on it is closed if the server does not reply, or the node is stopped. */
	private synchronized @Nullable Session opening(Connector connector, Connection connection)
			throws NodeUnavailableException {
		if (this.connector != connector) {
			throw NodeUnavailableException.down("stopped");
		}
		this.opening = connection;
		return this.former;
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
				session.pipeline().close("stopped");
				return;
			}
			this.former = session;
			this.session = session;
			this.subscriptions.connected(session.pipeline());
		}
		keep(this.options.clock().nanoTime());
		NodeListener listener = this.listener;
		if (listener != null) {
			listener.onConnected(this);
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
			this.subscriptions.disconnected();
		}
		this.log.onStatus(status());
	}

	/**
	 * Do what is due from time to time.
	 */
	void keep(long nowNanos) {
		Connection opening = this.opening;
		if (opening != null) {
			opening.closeIfOverdue();
		}
		Session session = this.session;
		if (session == null) {
			return;
		}
		// Before the probe, whose reply may end what is to be logged.
		this.log.onStatus(status());
		Pipeline pipeline = session.pipeline();
		if (pipeline.oldestNanos(nowNanos) > this.options.deadAfterNanos()) {
			pipeline.close("did not reply for " + Duration.ofNanos(this.options.deadAfterNanos()).toSeconds() + " s");
			return;
		}
		this.record.update(pipeline, nowNanos);
		this.health.probe(pipeline, session.scratch(), nowNanos);
		pipeline.flush();
	}

	private void onWatching(String name) {
		NodeListener listener = this.listener;
		if (listener != null) {
			listener.onWatching(this, name);
		}
	}

	private void onAnnounced(String name, String text) {
		NodeListener listener = this.listener;
		if (listener != null) {
			listener.onAnnounced(this, name, text);
		}
	}

	@Override
	public String toString() {
		return this.address.toString();
	}

}
