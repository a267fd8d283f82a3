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

package io.quorlock.autoconfigure.redis;

import java.util.List;

import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import io.quorlock.autoconfigure.InvalidLockConfigurationException;
import io.quorlock.autoconfigure.LockConnectionDetails;
import io.quorlock.autoconfigure.TestProperties;
import io.quorlock.autoconfigure.embedded.EmbeddedServersConfiguration.EmbeddedLockConnectionDetails;
import io.quorlock.autoconfigure.redis.RedlockBackendConfiguration.PropertiesLockConnectionDetails;
import io.quorlock.redis.NodeAddress;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.tuple;
import static org.mockito.BDDMockito.given;
import static org.mockito.Mockito.mock;

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
		assertThat(output)
			.contains("4 lock nodes tolerate the loss of 1, no more than 3 would: an even number of nodes "
					+ "adds load and another server that can fail, and no safety. Use 3 or 5");
	}

	@Test
	void oddNumberOfNodesIsNotWarnedOf(CapturedOutput output) {
		NodeEndpoints.of(List.of(details("redis://a", "redis://b", "redis://c")));
		assertThat(output).doesNotContain("tolerate");
	}

	@Test
	void refusalsSayWhyAndWhatToDo() {
		assertRefused(details(), "distributed-lock.nodes", null, "there is no node to keep locks on",
				"List your independent Redis masters in distributed-lock.nodes, for example redis://redis-1:6379. "
						+ "For development, add the dependency io.quorlock:quorlock-embedded. A packaged application "
						+ "uses embedded servers only with distributed-lock.backend=embedded, since other instances do "
						+ "not see their locks.");
		assertRefused(details("redis://a", "redis://a/1"), "distributed-lock.nodes[1]", "redis://a/1",
				"it is the same node as distributed-lock.nodes[0]: one server has one vote",
				"List every independent Redis master once. Databases of one server are one node.");
		assertRefused(details("redis://a", "http://b"), "distributed-lock.nodes[1]", "http://b", null,
				"Correct the URI. Percent-encode special characters in user and password.");
	}

	@Test
	void userWithoutAPasswordIsRefusedUnlessTheUriHasOne() {
		String reason = "there is no password for it: the server would treat the connection as one of its default user";
		assertRefused(properties("connection.username", "ann", "nodes", "redis://a"),
				"distributed-lock.connection.username", "ann", reason,
				"Set distributed-lock.connection.password as well, or put both into the URI of the node.");
		assertThat(NodeEndpoints.of(List.of(properties("connection.username", "ann", "nodes", "redis://own:secret@a"))))
			.hasToString("a:6379");
	}

	/** As those of a placeholder that nobody has defined. */
	@Test
	void emptyUserAndPasswordAreNone() {
		assertThat(NodeEndpoints
			.of(List.of(properties("connection.username", "", "connection.password", "", "nodes",
					"redis://a,redis://:own@b")))
			.addresses()).extracting(NodeAddress::username, NodeAddress::password)
			.containsExactly(tuple(null, null), tuple(null, "own"));
	}

	@Test
	void bundleOfAnApplicationWithoutBundlesIsRefused() {
		String action = "Configure the bundle under spring.ssl.bundle.";
		assertRefused(() -> properties("connection.ssl.bundle", "locks").getSslBundle(),
				"distributed-lock.connection.ssl.bundle", "locks", "the application has no SSL bundles", action);
		assertThat(properties("connection.ssl.bundle", "").getSslBundle()).isNull();
	}

	@Test
	void bundleIsTheFirstThatThereIs() {
		LockConnectionDetails bundled = mock(LockConnectionDetails.class);
		SslBundle bundle = mock(SslBundle.class);
		given(bundled.getNodes()).willReturn(List.of("rediss://b"));
		given(bundled.getSslBundle()).willReturn(bundle);
		assertThat(NodeEndpoints.of(List.of(details("redis://a"), bundled)).sslBundle()).isSameAs(bundle);
		assertThat(NodeEndpoints.of(List.of(details("redis://a"))).sslBundle()).isNull();
	}

	@Test
	void nodesAreEmbeddedIfAllOfThemAre() {
		LockConnectionDetails embedded = new EmbeddedLockConnectionDetails(List.of("redis://a:6379"));
		assertThat(NodeEndpoints.of(List.of(embedded)).isEmbedded()).isTrue();
		assertThat(NodeEndpoints.of(List.of(embedded, details("redis://b:6379"))).isEmbedded()).isFalse();
	}

	private static void assertRefused(LockConnectionDetails details, String property, @Nullable String value,
			@Nullable String reason, String action) {
		assertRefused(() -> NodeEndpoints.of(List.of(details)), property, value, reason, action);
	}

	private static void assertRefused(ThrowingCallable call, String property, @Nullable String value,
			@Nullable String reason, String action) {
		assertThatExceptionOfType(InvalidLockConfigurationException.class).isThrownBy(call).satisfies((failure) -> {
			assertThat(failure.getProperty()).isEqualTo(property);
			assertThat(failure.getValue()).isEqualTo(value);
			assertThat(failure.getReason()).isEqualTo((reason != null) ? reason : failure.getReason());
			assertThat(failure.getAction()).isEqualTo(action);
		});
	}

	private static LockConnectionDetails properties(String... properties) {
		return new PropertiesLockConnectionDetails(TestProperties.bind(properties), null);
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
