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

package io.quorlock.zookeeper;

import org.junit.jupiter.api.Test;

import io.quorlock.store.Grant;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link ClaimQueue.NodeData}.
 */
class NodeDataTests {

	private static final String OWNER = "shop 7:00000000000000ab:12";

	/** A permit has a number, and a node that was a writer's has a token. */
	@Test
	void dataWithANumberNamesItAndItsOwner() {
		for (long number : new long[] { 3, 1_700_000_000_000_000L }) {
			ClaimQueue.NodeData data = new ClaimQueue.NodeData(OWNER, number);
			assertThat(data).hasToString(OWNER + " " + number);
			assertThat(ClaimQueue.NodeData.parse(data.toString())).isEqualTo(data);
		}
		assertThat(new ClaimQueue.NodeData(OWNER, 0)).hasToString(OWNER);
	}

	@Test
	void dataOfOthersNamesNoNumber() {
		for (String data : new String[] { OWNER, "192.168.0.1", "", "42" }) {
			assertThat(ClaimQueue.NodeData.parse(data)).isEqualTo(new ClaimQueue.NodeData(data, 0));
		}
	}

	@Test
	void instanceIsWhatStandsBeforeTheLastTwoParts() {
		assertThat(Grant.instanceOf(OWNER)).isEqualTo("shop 7");
		assertThat(Grant.instanceOf("host:8080:00000000000000ab:12")).isEqualTo("host:8080");
		assertThat(Grant.instanceOf("192.168.0.1")).isEqualTo("192.168.0.1");
		assertThat(Grant.instanceOf("host:8080")).isEqualTo("host:8080");
	}

}
