package io.quorlock.redis.client;

import org.jspecify.annotations.Nullable;

import io.quorlock.engine.EngineClock;
import io.quorlock.quorum.membership.Membership;
import io.quorlock.quorum.membership.NodeAdmission;
import io.quorlock.redis.NodeAddress;
import io.quorlock.redis.ServerInfo;

/**
 * Opens the sessions of one node: connects, shakes hands and notes what was learned.
 */
final class SessionFactory {

	private final NodeAddress address;

	private final JedisNodeOptions options;

	private final Membership membership;

	private final int index;

	private final NodeAdmission admission;

	private final NodeHealth health;

	private final RecordUpdater record;

	private final Handshake handshake;

	private final Subscriptions subscriptions;

	private final StatusLogger log;

	SessionFactory(NodeAddress address, JedisNodeOptions options, Membership membership, int index,
			NodeAdmission admission, NodeHealth health, RecordUpdater record, Subscriptions subscriptions,
			StatusLogger log) {
		this.address = address;
		this.options = options;
		this.membership = membership;
		this.index = index;
		this.admission = admission;
		this.health = health;
		this.record = record;
		this.handshake = new Handshake(address, options, record);
		this.subscriptions = subscriptions;
		this.log = log;
	}

	/**
	 * Open a session.
	 * @param connection a connection that is not connected yet; closed on failure
	 * @param former the session before, of which something may still be under way
	 */
	Session open(Connection connection, @Nullable Session former) throws NodeUnavailableException {
		try {
			connection.connect(this.address, this.options);
			Handshake.Server server = this.handshake.identify(connection);
			ServerInfo info = server.info();
			String twin = this.membership.claim(this.index, info.runId());
			if (twin != null) {
				throw NodeUnavailableException.rejected("is the same server as " + twin + ", which has one vote");
			}
			this.log.onServer(info);
			Handshake.Preparation preparation = this.handshake.prepare(connection, server, clientId(former, info));
			EngineClock clock = this.options.clock();
			this.admission.onConnected(info.runId(), info.uptimeSeconds(), clock.leastNanoTime());
			this.record.onRecord(preparation.membership());
			this.health.connected(preparation.failure());
			Pipeline pipeline = new Pipeline(this.address.name(), connection, clock, this.subscriptions::onPush);
			return new Session(pipeline, info, server.clientId(), server.clockOffsetMicros(), preparation.scratch());
		}
		catch (NodeUnavailableException | RuntimeException | Error ex) {
			connection.close();
			throw ex;
		}
	}

	// R3: the numbers of connections begin again when the server does
	private static @Nullable Long clientId(@Nullable Session former, ServerInfo info) {
		return (former != null && former.info().runId().equals(info.runId())) ? former.clientId() : null;
	}

}
