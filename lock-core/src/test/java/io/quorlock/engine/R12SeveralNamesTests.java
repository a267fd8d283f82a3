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

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import io.quorlock.LockHandle;
import io.quorlock.LockRequest;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * R12: several names are locked together, all or none.
 */
@Timeout(60)
class R12SeveralNamesTests {

	@Test
	void severalNamesAreOneCommandPerNodeAndHaveATokenEach() {
		ScriptedCluster cluster = new ScriptedCluster(3);
		LockHandle lock = cluster.acquire(LockRequest.ofAll("b", "a", "b")).join();
		assertThat(lock.names()).containsExactly("a", "b");
		assertThat(cluster.nodes.get(0).operations()).containsExactly("acquire");
		assertThat(lock.fencingToken("a")).isPositive();
		assertThat(lock.fencingToken("b")).isPositive();
	}

}
