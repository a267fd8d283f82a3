package io.quorlock.redis.client;

import java.time.Duration;
import java.util.OptionalLong;
import java.util.function.BiConsumer;

import org.jspecify.annotations.Nullable;

import io.quorlock.quorum.membership.NodeAdmission;
import io.quorlock.quorum.membership.Membership;
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
import io.quorlock.redis.ServerInfo;

/**
 * One Redis server, through one connection at a time.
 */
final class JedisLockNode implements LockNode {

	private final NodeAddress address;

	private final JedisNodeOptions options;

	private final Membership membership;

	private final int index;

	private final NodeAdmission admission;

	private final RedisKeys keys;

	private final RecordKeeper record;

	private final HandShake handShake;

	private final Subscriptions subscriptions;

	private final StatusLog log;

	private final NodeTicker ticker;

	private volatile @Nullable NodeListener listener;

	private volatile @Nullable Connection connection;

	/** The connection that is being made. */
	private volatile @Nullable Wire opening;

	private volatile NodeStatus withoutConnection = NodeStatus.of(State.DOWN, "not started");

	private @Nullable Connector connector;

	/** The last connection of which something may still be under way. */
	private @Nullable Connection former;

	JedisLockNode(NodeAddress address, JedisNodeOptions options, Membership membership, int index, NodeTicker ticker) {
		this.address = address;
		this.options = options;
		this.membership = membership;
		this.index = index;
		this.ticker = ticker;
		this.admission = new NodeAdmission(options.quarantine(), options.driftFactor(), options.trustFirstSeen());
		this.record = new RecordKeeper(address.name(), index, options, membership, this.admission);
		this.handShake = new HandShake(address, options, this.record.command("read"));
		this.keys = options.keys();
		this.subscriptions = new Subscriptions(this.keys, this::onWatching, this::onReleased);
		this.log = new StatusLog(address.name());
	}

	@Override
	public String name() {
		return this.address.name();
	}

	@Override
	public NodeStatus status() {
		Connection connection = this.connection;
		if (connection == null) {
			return this.withoutConnection;
		}
		long now = this.options.clock().nanoTime();
		boolean voting = this.admission.isVoting(now);
		return new NodeStatus(voting ? State.VOTING : State.QUARANTINED, this.admission.reason(now),
				this.admission.votesIn(now), connection.info().runId(), connection.info().version(),
				connection.clockOffsetMicros());
	}

	/**
	 * What is worth telling of a node that may well count.
	 * @return the note; empty if there is none
	 */
	String note() {
		return this.record.mismatch();
	}

	@Override
	public synchronized void start(NodeListener listener) {
		if (this.connector == null) {
			this.listener = listener;
			this.withoutConnection = NodeStatus.of(State.DOWN, "connecting");
			this.connector = new Connector(this);
			this.connector.start();
			this.ticker.add(this);
		}
	}

	@Override
	public void stop() {
		Connection connection;
		Wire opening;
		synchronized (this) {
			if (this.connector == null) {
				return;
			}
			this.connector.stop();
			this.connector = null;
			this.ticker.remove(this);
			connection = this.connection;
			this.connection = null;
			opening = this.opening;
			this.withoutConnection = NodeStatus.of(State.DOWN, "stopped");
			this.subscriptions.clear();
			this.subscriptions.disconnected();
		}
		if (opening != null) {
			opening.close();
		}
		if (connection != null) {
			connection.pipeline().drain(this.options.operationTimeout().toNanos());
			connection.pipeline().close("stopped");
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

	private void send(NodeCommand command, int slot, ReplyHandler handler, BiConsumer<Pipeline, Call> how) {
		Connection connection = this.connection;
		if (connection == null) {
			handler.onReply(slot, new NodeReply.Failed(Cause.NOT_SENT, this.withoutConnection.reason()));
			return;
		}
		Pipeline pipeline = connection.pipeline();
		how.accept(pipeline, new EngineCall(command, slot, handler, pipeline, this.admission, this.keys));
	}

	@Override
	public void flush() {
		Connection connection = this.connection;
		if (connection != null) {
			connection.pipeline().flush();
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
	 * Opens a connection and says on it what has to be said first.
	 */
	Connection connect(Connector connector) throws NodeUnavailableException {
		Wire wire = new Wire(this.options.connectTimeout().toMillis());
		opening(connector, wire);
		try {
			wire.connect(this.address, this.options);
			HandShake.Greeting greeting = this.handShake.greet(wire);
			ServerInfo info = greeting.info();
			String twin = this.membership.claim(this.index, info.runId());
			if (twin != null) {
				throw NodeUnavailableException.rejected("is the same server as " + twin + ", which has one vote");
			}
			this.log.onServer(info);
			var groupRecord = this.handShake.prepare(wire, formerClientId(info.runId()));
			this.admission.onConnected(info.runId(), info.uptimeSeconds(), this.options.clock().nanoTime());
			this.record.onRecord(groupRecord);
			Pipeline pipeline = new Pipeline(name(), wire, this.options.clock(), this.subscriptions::onPush);
			return new Connection(pipeline, info, greeting.clientId(), greeting.clockOffsetMicros());
		}
		catch (NodeUnavailableException | RuntimeException | Error ex) {
			wire.close();
			throw ex;
		}
		finally {
			opened(wire);
		}
	}

	/** From now on it is ended if the server does not answer, or the node is stopped. */
	private synchronized void opening(Connector connector, Wire wire) throws NodeUnavailableException {
		if (this.connector != connector) {
			throw NodeUnavailableException.down("stopped");
		}
		this.opening = wire;
	}

	private synchronized void opened(Wire wire) {
		if (this.opening == wire) {
			this.opening = null;
		}
	}

	// R3: the numbers of connections begin again when the server does
	private synchronized @Nullable Long formerClientId(String runId) {
		Connection former = this.former;
		return (former != null && former.info().runId().equals(runId)) ? former.clientId() : null;
	}

	/**
	 * Begins to use a connection, unless the node was stopped meanwhile.
	 */
	void connected(Connector connector, Connection connection) {
		synchronized (this) {
			if (this.connector != connector) {
				connection.pipeline().close("stopped");
				return;
			}
			this.former = connection;
			this.connection = connection;
			this.subscriptions.connected(connection.pipeline());
		}
		tick(this.options.clock().nanoTime());
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
			this.connection = null;
			this.withoutConnection = reason.status();
			this.record.disconnected();
			this.subscriptions.disconnected();
		}
		this.log.onStatus(status());
	}

	/**
	 * Looks after the connection every now and then.
	 */
	void tick(long nowNanos) {
		Wire opening = this.opening;
		if (opening != null) {
			opening.closeIfOverdue();
		}
		Connection connection = this.connection;
		if (connection == null) {
			return;
		}
		Pipeline pipeline = connection.pipeline();
		if (pipeline.oldestNanos(nowNanos) > this.options.deadAfterNanos()) {
			pipeline.close("did not answer for " + Duration.ofNanos(this.options.deadAfterNanos()).toSeconds() + " s");
			return;
		}
		this.record.tick(pipeline, nowNanos);
		pipeline.flush();
		this.log.onStatus(status());
	}

	private void onWatching(String name) {
		NodeListener listener = this.listener;
		if (listener != null) {
			listener.onWatching(this, name);
		}
	}

	private void onReleased(String name) {
		NodeListener listener = this.listener;
		if (listener != null) {
			listener.onReleased(this, name);
		}
	}

	@Override
	public String toString() {
		return this.address.toString();
	}

	/**
	 * A connection in use.
	 *
	 * @param pipeline carries the commands
	 * @param info what the server told of itself
	 * @param clientId the number that the server gave the connection
	 * @param clockOffsetMicros the server's wall clock less our monotonic clock
	 */
	record Connection(Pipeline pipeline, ServerInfo info, @Nullable Long clientId, OptionalLong clockOffsetMicros) {

	}

}
