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

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import io.quorlock.redis.RespError;

/**
 * Logs the connection to one node in again when there is another password or token, in
 * order with its commands. A server that refuses it goes on with the former one.
 */
final class LoginUpdater {

	private static final Log logger = LogFactory.getLog(LoginUpdater.class);

	private final String node;

	/** What the server accepted last, or is being asked to accept. */
	private volatile @Nullable Login current;

	private volatile @Nullable Login refused;

	LoginUpdater(String node) {
		this.node = node;
	}

	/**
	 * A connection was made.
	 */
	void connected(Login login) {
		this.current = login;
		this.refused = null;
	}

	/**
	 * Log in again unless that is what the connection is logged in with.
	 */
	void update(Login login, Pipeline pipeline) {
		if (login.password() != null && !login.equals(this.current)) {
			Login former = this.current;
			this.current = login;
			pipeline.submit(PendingCommand.of(login.auth(), (reply, queuedNanos) -> onReply(reply, login, former)));
		}
	}

	private void onReply(@Nullable Object reply, Login login, @Nullable Login former) {
		if (reply instanceof RespError error) {
			this.current = former;
			if (!login.equals(this.refused)) {
				this.refused = login;
				logger.warn(
						"Lock node %s refused new credentials, the connection keeps the former ones: it %s. Check what the provider of the credentials returns"
							.formatted(this.node, error.describe()));
			}
		}
		else {
			this.refused = null;
			logger.info("Lock node %s accepted new credentials".formatted(this.node));
		}
	}

}
