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

package io.quorlock.redis.spring;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;

import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisConnectionException;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.async.RedisAsyncCommands;
import io.lettuce.core.cluster.PipelinedRedisFuture;
import io.lettuce.core.codec.ByteArrayCodec;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.mockito.InOrder;

import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import io.quorlock.redis.spring.LettuceLink.LettuceServerLink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.BDDMockito.given;
import static org.mockito.Mockito.inOrder;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.never;
import static org.mockito.Mockito.times;
import static org.mockito.Mockito.verify;

/**
 * Tests for {@link LettuceServerLink}: which connections it opens, and that none stays.
 */
class LettuceServerLinkTests {

	private static final byte[] KEY = { 1 };

	private final LettuceConnectionFactory factory = mock();

	private final RedisClient client = mock();

	private final StatefulRedisConnection<byte[], byte[]> first = mock();

	private final StatefulRedisConnection<byte[], byte[]> second = mock();

	private final RedisAsyncCommands<byte[], byte[]> commands = mock();

	@BeforeEach
	void prepare() {
		given(this.factory.getRequiredNativeClient()).willReturn(this.client);
		given(this.client.connect(ByteArrayCodec.INSTANCE)).willReturn(this.first, this.second);
		given(this.first.async()).willReturn(this.commands);
	}

	private LettuceServerLink open(boolean waits) {
		LettuceServerLink link = new LettuceServerLink(this.factory, waits);
		link.open();
		return link;
	}

	@Test
	void commandsThatWaitForReplicasHaveAConnectionOfTheirOwn() {
		LettuceServerLink link = open(true);
		assertThat(link.connectionFor(KEY, link.waitConnection())).isSameAs(this.first);
		assertThat(link.connectionFor(KEY, link.connection())).isSameAs(this.second);
		link.close();
		verify(this.first).close();
		verify(this.second).close();
		assertThatIllegalStateException().isThrownBy(() -> link.connectionFor(KEY, link.connection()))
			.withMessage("not connected");
		assertThatIllegalStateException().isThrownBy(() -> link.connectionFor(KEY, link.waitConnection()))
			.withMessage("not connected");
	}

	/** {@code WAIT} speaks of the writes of its own connection. */
	@Test
	void replicasAreWaitedForAfterAWriteOnTheSameConnection() {
		given(this.commands.set(any(), any(), any()))
			.willReturn(new PipelinedRedisFuture<>(CompletableFuture.completedFuture("OK")));
		given(this.commands.waitForReplication(2, 3_000))
			.willReturn(new PipelinedRedisFuture<>(CompletableFuture.completedFuture(1L)));
		LettuceServerLink link = open(true);
		assertThat(link.awaitReplicas(KEY, 2, Duration.ofSeconds(3))).isCompletedWithValue(1L);
		InOrder order = inOrder(this.commands);
		order.verify(this.commands).set(any(), any(), any());
		order.verify(this.commands).waitForReplication(2, 3_000);
	}

	/** What the replicas confirmed then are the writes before it. */
	@Test
	void replicasHaveConfirmedNothingIfTheWriteFailed() {
		given(this.commands.set(any(), any(), any())).willReturn(new PipelinedRedisFuture<>(
				CompletableFuture.failedFuture(new RedisCommandExecutionException("OOM command not allowed"))));
		given(this.commands.waitForReplication(2, 3_000))
			.willReturn(new PipelinedRedisFuture<>(CompletableFuture.completedFuture(2L)));
		LettuceServerLink link = open(true);
		assertThat(link.awaitReplicas(KEY, 2, Duration.ofSeconds(3)).toCompletableFuture()).isCompletedExceptionally();
	}

	@Test
	void withoutReplicasToWaitForOneConnectionIsEnough() {
		LettuceServerLink link = open(false);
		assertThat(link.connectionFor(KEY, link.connection())).isSameAs(this.first);
		assertThatIllegalStateException().isThrownBy(() -> link.connectionFor(KEY, link.waitConnection()));
		link.close();
		verify(this.client).connect(ByteArrayCodec.INSTANCE);
	}

	/**
	 * Lettuce keeps what it is given until the server is there again, however long it is
	 * away.
	 */
	@Test
	void serverThatIsAwayIsNotAskedOverAndOver() {
		given(this.first.isOpen()).willReturn(false);
		LettuceServerLink link = open(false);
		assertThatIllegalStateException().isThrownBy(() -> link.ping(Duration.ofMillis(1)))
			.withMessage("not connected");
		verify(this.first, never()).async();
	}

	/** A firewall may drop all that is sent, without a word. */
	@Test
	void connectionOnWhichNothingIsRepliedIsLost() throws Exception {
		given(this.first.isOpen()).willReturn(true);
		given(this.second.isOpen()).willReturn(true);
		given(this.commands.time()).willReturn(new PipelinedRedisFuture<>(new CompletableFuture<>()));
		given(this.commands.ping()).willReturn(new PipelinedRedisFuture<>(new CompletableFuture<>()));
		LettuceServerLink link = open(false);
		for (int i = 0; i < 3; i++) {
			assertThat(link.lostBecause()).as("one late reply is a hiccup").isEmpty();
			assertThatExceptionOfType(TimeoutException.class).isThrownBy(() -> link.ping(Duration.ofMillis(1)))
				.withMessage("no reply within 1 ms");
		}
		assertThat(link.lostBecause()).isEqualTo("no reply to 3 pings in a row");
		link.close();
		link.open();
		assertThat(link.lostBecause()).isEmpty();
	}

	@Test
	void connectionOnWhichRepliesAreLateNowAndThenIsKept() throws Exception {
		given(this.first.isOpen()).willReturn(true);
		given(this.commands.time()).willReturn(new PipelinedRedisFuture<>(new CompletableFuture<>()));
		PipelinedRedisFuture<String> late = new PipelinedRedisFuture<>(new CompletableFuture<>());
		PipelinedRedisFuture<String> pong = new PipelinedRedisFuture<>(CompletableFuture.completedFuture("PONG"));
		given(this.commands.ping()).willReturn(late, late, pong, late, late);
		LettuceServerLink link = open(false);
		for (int i = 0; i < 5; i++) {
			if (i == 2) {
				assertThat(link.ping(Duration.ofSeconds(10))).as("its time is late still").isEmpty();
			}
			else {
				assertThatExceptionOfType(TimeoutException.class).isThrownBy(() -> link.ping(Duration.ofMillis(1)));
			}
		}
		assertThat(link.lostBecause()).isEmpty();
	}

	/** A driver that does not connect again would never confirm a grant any more. */
	@Test
	void linkIsLostWithEitherOfItsConnections() {
		ClientOptions options = ClientOptions.builder().autoReconnect(false).build();
		given(this.first.getOptions()).willReturn(options);
		given(this.second.getOptions()).willReturn(options);
		given(this.first.isOpen()).willReturn(true, false, true);
		given(this.second.isOpen()).willReturn(true, true, false);
		LettuceServerLink link = open(true);
		assertThat(link.lostBecause()).isEmpty();
		assertThat(link.lostBecause()).isEqualTo("connection closed");
		assertThat(link.lostBecause()).isEqualTo("connection closed");
	}

	@Test
	void connectionToAReplicaIsOpenedAnewNowAndThen() {
		given(this.first.isOpen()).willReturn(true);
		given(this.second.isOpen()).willReturn(true);
		LettuceServerLink link = open(false);
		link.onFailure(new RedisCommandExecutionException("WRONGTYPE Operation against a key"));
		assertThat(link.lostBecause()).isEmpty();
		link.onFailure(new RedisCommandExecutionException(
				"ERR Error running script (call to f_%s): @user_script:1: ".formatted("a".repeat(40))
						+ "@user_script: 1: -READONLY You can't write against a read only replica."));
		assertThat(link.lostBecause()).isEqualTo("the server is a replica");
		link.close();
		link.open();
		link.onFailure(new RedisCommandExecutionException("READONLY You can't write against a read only replica."));
		assertThat(link.lostBecause()).as("not with every command").isEmpty();
	}

	/** What was opened before the failure is used, not left behind. */
	@Test
	void attemptThatFailedHalfwayLeavesNoConnection() {
		given(this.client.connect(ByteArrayCodec.INSTANCE)).willReturn(this.first)
			.willThrow(new RedisConnectionException("refused"))
			.willReturn(this.second);
		LettuceServerLink link = new LettuceServerLink(this.factory, true);
		assertThatExceptionOfType(RedisConnectionException.class).isThrownBy(link::open);
		link.open();
		assertThat(link.connectionFor(KEY, link.waitConnection())).isSameAs(this.first);
		assertThat(link.connectionFor(KEY, link.connection())).isSameAs(this.second);
		verify(this.client, times(3)).connect(ByteArrayCodec.INSTANCE);
		link.close();
		verify(this.first).close();
		verify(this.second).close();
	}

}
