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

package io.quorlock.autoconfigure;

import java.util.List;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import io.quorlock.redis.NodeAddress;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.tuple;

/**
 * Tests for {@link NodeEndpoints}.
 */
@ExtendWith(OutputCaptureExtension.class)
class NodeEndpointsTests {

	@Test
	void severalDetailsMakeOneListOfNodes() {
		assertThat(NodeEndpoints.of(List.of(details("redis://a"), details("redis://b", "redis://c"))))
			.hasToString("a:6379, b:6379, c:6379");
	}

	@Test
	void nodesAreNewlyStartedIfAllOfThemAre() {
		LockConnectionDetails started = new EmbeddedLockConnectionDetails(List.of("redis://a:6379"));
		assertThat(NodeEndpoints.of(List.of(started)).isNewlyStarted()).isTrue();
		assertThat(NodeEndpoints.of(List.of(started, details("redis://b:6379"))).isNewlyStarted()).isFalse();
	}

	@Test
	void credentialsOfTheUriWin() {
		NodeEndpoints endpoints = NodeEndpoints
			.of(List.of(details("redis://a", "redis://ann:own@b", "redis://:own@c")));
		assertThat(endpoints.addresses()).extracting(NodeAddress::username, NodeAddress::password)
			.containsExactly(tuple("common", "secret"), tuple("ann", "own"), tuple(null, "own"));
	}

	@Test
	void noNodeIsRefused() {
		assertThatExceptionOfType(InvalidLockConfigurationException.class)
			.isThrownBy(() -> NodeEndpoints.of(List.of(details())))
			.withMessageContaining("distributed-lock.nodes")
			.withMessageContaining("no node");
	}

	@Test
	void malformedNodeIsRefusedWithoutItsPassword() {
		assertThatExceptionOfType(InvalidLockConfigurationException.class)
			.isThrownBy(() -> NodeEndpoints.of(List.of(details("redis://a", "redis://:secret@b:port"))))
			.withMessageContaining("distributed-lock.nodes[1]")
			.withMessageContaining("redis://***@b***")
			.withMessageNotContaining("secret");
	}

	@Test
	void nodeThatIsListedTwiceIsRefused() {
		assertThatExceptionOfType(InvalidLockConfigurationException.class)
			.isThrownBy(() -> NodeEndpoints
				.of(List.of(details("redis://a", "redis://b:7000/1"), details("rediss://ann:secret@B:7000/2"))))
			.withMessageContaining("distributed-lock.nodes[2]")
			.withMessageContaining("same node as distributed-lock.nodes[1]")
			.withMessageNotContaining("secret");
	}

	@Test
	void evenNumberOfNodesIsWarnedOf(CapturedOutput output) {
		NodeEndpoints.of(List.of(details("redis://a", "redis://b", "redis://c", "redis://d")));
		assertThat(output).contains("4 lock nodes tolerate the loss of 1, no more than 3 would").contains("Use 3 or 5");
	}

	@Test
	void oddNumberOfNodesIsNotWarnedOf(CapturedOutput output) {
		NodeEndpoints.of(List.of(details("redis://a", "redis://b", "redis://c")));
		assertThat(output).doesNotContain("tolerate");
	}

	private static LockConnectionDetails details(String... nodes) {
		return new LockConnectionDetails() {

			@Override
			public List<String> getNodes() {
				return List.of(nodes);
			}

			@Override
			public @Nullable String getUsername() {
				return "common";
			}

			@Override
			public @Nullable String getPassword() {
				return "secret";
			}

		};
	}

}
