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
import java.util.Set;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import redis.clients.jedis.RedisCredentialsProvider;

/**
 * Asks the provider of credentials whether they changed, on a thread of its own, since
 * the provider may have to ask another server.
 */
final class LoginWatch extends NodesThread {

	private static final Log logger = LogFactory.getLog(LoginWatch.class);

	static final Duration PERIOD = Duration.ofSeconds(5);

	private final LoginSource logins;

	private boolean failed;

	LoginWatch(RedisCredentialsProvider provider) {
		super("quorlock-logins", PERIOD);
		this.logins = new LoginSource(provider, PERIOD);
	}

	@Override
	void tick(Set<RedisLockNode> nodes) {
		try {
			Login login = this.logins.ask();
			this.failed = false;
			nodes.forEach((node) -> node.login(login));
		}
		catch (NodeUnavailableException ex) {
			if (!this.failed) {
				this.failed = true;
				logger.warn("Connections to the lock nodes keep their credentials: " + ex.getMessage()
						+ "; mend the provider of the credentials");
			}
		}
	}

}
