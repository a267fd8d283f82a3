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

import org.jspecify.annotations.Nullable;
import redis.clients.jedis.RedisCredentialsProvider;

import io.quorlock.quorum.membership.Membership;
import io.quorlock.quorum.membership.NodeAdmission;
import io.quorlock.redis.NodeAddress;
import io.quorlock.redis.ServerInfo;
import io.quorlock.time.LockClock;

/**
 * Opens the sessions of one node: connects, shakes hands and notes what was learned.
 */
final class SessionFactory {

	private final NodeAddress address;

	private final RedisNodeOptions options;

	/** Absent where the address has a login of its own, or there is none. */
	private final @Nullable LoginSource logins;

	private final LoginUpdater login;

	private final Membership membership;

	private final int index;

	private final NodeAdmission admission;

	private final NodeHealth health;

	private final RecordUpdater record;

	private final Handshake handshake;

	private final Subscriptions subscriptions;

	SessionFactory(NodeAddress address, RedisNodeOptions options, Membership membership, int index,
			NodeAdmission admission, NodeHealth health, RecordUpdater record, LoginUpdater login,
			Subscriptions subscriptions) {
		this.address = address;
		this.options = options;
		RedisCredentialsProvider provider = (address.password() == null) ? options.credentials() : null;
		this.logins = (provider != null) ? new LoginSource(provider, options.connectTimeout()) : null;
		this.login = login;
		this.membership = membership;
		this.index = index;
		this.admission = admission;
		this.health = health;
		this.record = record;
		this.handshake = new Handshake(address, options, record);
		this.subscriptions = subscriptions;
	}

	/**
	 * Learn which server answers.
	 * @param connection a connection that is not connected yet; closed on failure
	 */
	Greeting greet(Connection connection) throws NodeUnavailableException {
		try {
			Login login = (this.logins != null) ? this.logins.ask()
					: new Login(this.address.username(), this.address.password());
			connection.connect(this.address, this.options);
			return new Greeting(connection, login, this.handshake.identify(connection, login));
		}
		catch (NodeUnavailableException | RuntimeException | Error ex) {
			connection.close();
			throw ex;
		}
	}

	/**
	 * Open a session.
	 * @param greeting the server that answered; its connection is closed on failure
	 * @param former the session before, of which something may still be under way
	 */
	Session open(Greeting greeting, @Nullable Session former) throws NodeUnavailableException {
		Connection connection = greeting.connection();
		try {
			Handshake.Server server = greeting.server();
			ServerInfo info = server.info();
			String twin = this.membership.claim(this.index, info.runId());
			if (twin != null) {
				throw NodeUnavailableException.rejected("is the same server as " + twin + ", which has one vote");
			}
			LockClock clock = this.options.clock();
			this.admission.onConnected(info.runId(), info.uptimeSeconds(), clock.leastNanoTime());
			this.record.onServer(info);
			Handshake.Preparation preparation = this.handshake.prepare(connection, server, clientId(former, info));
			this.login.connected(greeting.login());
			this.record.onConnected(preparation.membership());
			this.health.connected(preparation.refusals());
			Pipeline pipeline = new Pipeline(this.address.name(), connection, clock, this.subscriptions::onPush);
			return new Session(pipeline, info, server.clientId(), server.clockOffsetMicros(), preparation.scratch());
		}
		catch (NodeUnavailableException | RuntimeException | Error ex) {
			connection.close();
			throw ex;
		}
	}

	// The numbers of connections begin again when the server does
	private static @Nullable Long clientId(@Nullable Session former, ServerInfo info) {
		return (former != null && former.info().runId().equals(info.runId())) ? former.clientId() : null;
	}

	/**
	 * A connection whose server is known and on which no lock depends yet.
	 */
	record Greeting(Connection connection, Login login, Handshake.Server server) {

	}

}
