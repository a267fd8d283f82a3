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

package io.quorlock.embedded;

import java.util.Arrays;

import javax.net.ssl.SSLContext;

import org.jspecify.annotations.Nullable;
import redis.clients.jedis.ClientSetInfoConfig;
import redis.clients.jedis.CommandArguments;
import redis.clients.jedis.Connection;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.JedisClientConfig;
import redis.clients.jedis.exceptions.JedisException;
import redis.clients.jedis.util.SafeEncoder;

/**
 * A command on a connection of its own. A class of its own, since Jedis may be absent.
 */
final class RedisCommand {

	private static final int TIMEOUT_MILLIS = 5_000;

	private RedisCommand() {
	}

	static @Nullable Object execute(int port, @Nullable String password, @Nullable SSLContext tls, String... command) {
		try (Connection connection = new Connection(new HostAndPort(LoopbackPorts.HOST, port), config(password, tls))) {
			return SafeEncoder.encodeObject(connection.executeCommand(arguments(command)));
		}
		catch (JedisException ex) {
			throw new EmbeddedServerException(String.valueOf(ex.getMessage()), ex);
		}
	}

	static JedisClientConfig config(@Nullable String password, @Nullable SSLContext tls) {
		return DefaultJedisClientConfig.builder()
			.timeoutMillis(TIMEOUT_MILLIS)
			.password(password)
			.clientSetInfoConfig(ClientSetInfoConfig.DISABLED)
			.ssl(tls != null)
			.sslSocketFactory((tls != null) ? tls.getSocketFactory() : null)
			.build();
	}

	static CommandArguments arguments(String... command) {
		CommandArguments arguments = new CommandArguments(() -> SafeEncoder.encode(command[0]));
		Arrays.stream(command).skip(1).forEach(arguments::add);
		return arguments;
	}

}
