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

import java.util.List;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class LoopbackPortsTests {

	@Test
	void portIsReservedOnce() {
		List<Integer> ports = IntStream.range(0, 1_000).mapToObj((i) -> LoopbackPorts.reserve()).toList();
		try {
			assertThat(ports).doesNotHaveDuplicates();
			assertThat(ports).as("below the local ports of Linux, with the bus of a cluster 10,000 above")
				.allMatch((port) -> port > 1024 && port + 10_000 < 32_768);
		}
		finally {
			ports.forEach(LoopbackPorts::release);
		}
	}

	@Test
	void portOfStoppedServerIsNotGivenToAnother() {
		try (EmbeddedRedisNode node = EmbeddedRedisNode.start()) {
			node.stop();
			List<Integer> others = IntStream.range(0, 5_000).mapToObj((i) -> LoopbackPorts.reserve()).toList();
			others.forEach(LoopbackPorts::release);
			assertThat(others).doesNotContain(node.port());
		}
	}

	@Test
	void portOfClosedServerIsGivenToOthersAgain() {
		EmbeddedRedisNode node = EmbeddedRedisNode.start();
		node.close();
		boolean found = false;
		for (int i = 0; i < 1_000_000 && !found; i++) {
			int port = LoopbackPorts.reserve();
			LoopbackPorts.release(port);
			found = port == node.port();
		}
		assertThat(found).isTrue();
	}

}
