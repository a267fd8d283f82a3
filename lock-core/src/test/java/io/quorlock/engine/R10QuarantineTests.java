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

package io.quorlock.engine;

import java.util.concurrent.CompletableFuture;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import io.quorlock.LockHandle;
import io.quorlock.LockRequest;
import io.quorlock.quorum.node.NodeReply;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * R10: a node in quarantine has no vote.
 */
@Timeout(60)
class R10QuarantineTests {

	private static final LockRequest ORDER = ScriptedCluster.ORDER;

	@Test
	void grantOfANodeInQuarantineIsNoVoteAndIsReleasedWithTheLock() {
		ScriptedCluster cluster = new ScriptedCluster(3);
		cluster.nodes.get(0).silent();
		cluster.nodes.get(1).silent();
		CompletableFuture<LockHandle> lock = cluster.acquire(ORDER);
		cluster.nodes.get(0).last().reply(new NodeReply.Granted(false, new long[] { 1 }));
		assertThat(lock).isNotDone();
		cluster.nodes.get(1).last().grant();
		assertThat(lock).isCompleted();
		lock.join().closeAsync();
		assertThat(cluster.nodes.get(0).operations()).containsExactly("acquire", "release");
	}

}
