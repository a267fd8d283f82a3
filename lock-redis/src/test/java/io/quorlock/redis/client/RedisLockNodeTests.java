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
import java.util.Objects;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;

import io.quorlock.embedded.EmbeddedRedisNode;
import io.quorlock.quorum.node.LockNode;
import io.quorlock.quorum.node.LockNodeContract;
import io.quorlock.redis.NodeAddress;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What every node must do, done by a real server.
 */
class RedisLockNodeTests extends LockNodeContract {

	@AutoClose
	private static EmbeddedRedisNode redis = EmbeddedRedisNode.start();

	/** But for the record of the node list: nobody may live to delete the others. */
	@AfterEach
	void everyKeyExpires() {
		List<?> keys = Objects.requireNonNull((List<?>) redis.execute("KEYS", "lock:{*"));
		assertThat(keys).allSatisfy(
				(key) -> assertThat(redis.execute("PTTL", String.valueOf(key))).as("%s", key).isNotEqualTo(-1L));
	}

	@Override
	protected LockNode createNode() {
		redis.execute("FLUSHALL");
		return RedisNodes.create(List.of(NodeAddress.parse(redis.uri())), NodeProbe.options()).nodes().get(0);
	}

}
