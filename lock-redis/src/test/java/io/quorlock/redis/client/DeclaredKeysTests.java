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

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import io.quorlock.embedded.EmbeddedServerException;
import io.quorlock.embedded.RespConnection;
import io.quorlock.quorum.node.LockNode;
import io.quorlock.quorum.node.LockNodeContract;
import io.quorlock.redis.NodeAddress;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * What every node must do, done by a server that refuses keys which are not declared, and
 * refuses scripts that publish.
 */
@Tag("long")
class DeclaredKeysTests extends LockNodeContract {

	@SuppressWarnings("NullAway.Init")
	private StrictServer server;

	@Override
	protected LockNode createNode() {
		this.server = StrictServer.start();
		return RedisNodes.create(List.of(NodeAddress.parse(this.server.uri())), NodeProbe.options()).nodes().get(0);
	}

	@Override
	protected void closeStore() throws Exception {
		this.server.close();
	}

	@Override
	protected boolean knowsListeners() {
		return false;
	}

	@Test
	void serverRefusesUndeclaredKeysAndMessages() {
		try (RespConnection client = RespConnection.to(this.server.port())) {
			assertThat(client.execute("EVAL", "return redis.call('GET', KEYS[1])", "1", "a")).isNull();
			assertThatExceptionOfType(EmbeddedServerException.class)
				.isThrownBy(() -> client.execute("EVAL", "return redis.call('GET', 'b')", "1", "a"))
				.withMessageContaining("key");
			assertThatExceptionOfType(EmbeddedServerException.class)
				.isThrownBy(() -> client.execute("EVAL", "return redis.call('PUBLISH', 'a', 'b')", "1", "a"))
				.withMessageMatching(".*(can't run this command|permissions to run the 'publish' command).*");
		}
	}

}
