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

import java.util.List;
import java.util.concurrent.TimeUnit;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import io.quorlock.quorum.node.NodeCommand;
import io.quorlock.redis.RespError;
import io.quorlock.redis.client.Handshake.Greeting;
import io.quorlock.time.LockClock;

/**
 * A connection in use.
 */
final class Session {

	private static final Log logger = LogFactory.getLog(Session.class);

	/** The scripts refuse a stored fence that is further ahead of a proposal. */
	private static final long A_DAY = TimeUnit.DAYS.toMicros(1);

	final Pipeline pipeline;

	final Greeting server;

	/** Tries the scripts again. */
	final List<byte[]> scratch;

	/** What the server accepted last, or is being asked to accept. */
	private volatile Login login;

	private volatile @Nullable Login refused;

	/**
	 * Create a session.
	 * @param pipeline carries the commands
	 * @param server what is known of it
	 * @param scratch tries the scripts again
	 */
	Session(Pipeline pipeline, Greeting server, List<byte[]> scratch) {
		this.pipeline = pipeline;
		this.server = server;
		this.scratch = scratch;
		this.login = server.login();
	}

	/**
	 * Return why a command must not be sent: it proposes tokens of this machine's clock,
	 * which turns out to be wrong. The name would be unusable for everybody else.
	 * @return the reason, or {@code null} if it may be sent
	 */
	@Nullable String refusal(NodeCommand command, LockClock clock) {
		if (!(command instanceof NodeCommand.Acquire acquire) || acquire.proposed() == null
				|| acquire.attempt().unconfirmedMicros() == 0 || this.server.clockOffsetMicros().isEmpty()) {
			return null;
		}
		long nodeMicros = clock.nanoTime() / 1_000 + this.server.clockOffsetMicros().getAsLong();
		long aheadMicros = acquire.attempt().unconfirmedMicros() - nodeMicros;
		return (Math.abs(aheadMicros) <= A_DAY) ? null
				: "the clock of this machine is %,d s %s its clock, which was not known when the lock was requested"
					.formatted(TimeUnit.MICROSECONDS.toSeconds(Math.abs(aheadMicros)),
							(aheadMicros > 0) ? "ahead of" : "behind");
	}

	/**
	 * Log in again, in order with the commands, unless that is what the connection is
	 * logged in with. A server that refuses it goes on with the former login.
	 * @param node the name of the node
	 */
	void login(Login login, String node) {
		if (login.password() != null && !login.equals(this.login)) {
			Login former = this.login;
			this.login = login;
			this.pipeline
				.submit(PendingCommand.of(login.auth(), (reply, queuedNanos) -> onLogin(reply, login, former, node)));
		}
	}

	private void onLogin(@Nullable Object reply, Login login, Login former, String node) {
		if (!(reply instanceof RespError error)) {
			this.refused = null;
			logger.info("Lock node %s accepted new credentials".formatted(node));
			return;
		}
		this.login = former;
		if (!login.equals(this.refused)) {
			this.refused = login;
			logger.warn(
					"Lock node %s refused new credentials, the connection keeps the former ones: it %s. Check what the provider of the credentials returns"
						.formatted(node, error.describe()));
		}
	}

}
