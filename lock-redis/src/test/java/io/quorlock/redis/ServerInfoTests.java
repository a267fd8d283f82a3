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

package io.quorlock.redis;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link ServerInfo}.
 */
class ServerInfoTests {

	@Test
	void serverIsNamedAsWhatItIs() {
		assertThat(new ServerInfo("redis_version:7.4.1").version()).isEqualTo("Redis 7.4.1");
		// Which says what it is compatible with.
		assertThat(new ServerInfo("redis_version:7.2.4\r\nserver_name:valkey\r\nvalkey_version:8.1.0").version())
			.isEqualTo("Valkey 8.1.0");
		assertThat(new ServerInfo("redis_version:7.2.4\r\nredict_version:7.3.6").version()).isEqualTo("Redict 7.3.6");
	}

	@Test
	void valuesAreReadWhateverTheyContain() {
		ServerInfo info = new ServerInfo("# Server\r\nrun_id: a:b \r\n:nothing\r\nuptime_in_seconds:-5\r\n"
				+ "server_time_usec:1795123456789012\r\nconnected_slaves:2\r\nmaxmemory:many\r\nrole:slave");
		assertThat(info.runId()).isEqualTo("a:b");
		assertThat(info.uptimeSeconds()).isZero();
		assertThat(info.serverTimeMicros()).isEqualTo(1_795_123_456_789_012L);
		assertThat(info.connectedReplicas()).isEqualTo(2);
		assertThat(info.maxMemory()).isZero();
		assertThat(info.isReplica()).isTrue();
	}

	@ParameterizedTest
	@ValueSource(strings = { "redis_mode", "server_mode", "redict_mode" })
	void sentinelIsRecognizedOnEachServer(String field) {
		assertThat(new ServerInfo(field + ":sentinel").isSentinel()).isTrue();
		assertThat(new ServerInfo(field + ":standalone").isSentinel()).isFalse();
	}

	/** A server that seems to have just started does not vote. */
	@Test
	void whatDecidesOnAVoteIsRead() {
		ServerInfo info = new ServerInfo("uptime_in_seconds:86400\r\ncluster_enabled:1\r\nredis_mode:sentinel\r\n"
				+ "loading:1\r\nmaxmemory:1048576\r\nmaxmemory_policy:allkeys-lru");
		assertThat(info.uptimeSeconds()).isEqualTo(86_400);
		assertThat(info.isClusterMember()).isTrue();
		assertThat(info.isSentinel()).isTrue();
		assertThat(info.isLoading()).isTrue();
		assertThat(info.maxMemory()).isEqualTo(1_048_576);
		assertThat(info.evictionPolicy()).isEqualTo("allkeys-lru");
	}

	@Test
	void whatIsNotReportedIsNotAssumed() {
		ServerInfo info = new ServerInfo("");
		assertThat(info.runId()).isEmpty();
		assertThat(info.evictionPolicy()).isEmpty();
		assertThat(info.serverTimeMicros()).isZero();
		assertThat(info.isReplica() || info.isClusterMember() || info.isSentinel() || info.isLoading()).isFalse();
	}

}
