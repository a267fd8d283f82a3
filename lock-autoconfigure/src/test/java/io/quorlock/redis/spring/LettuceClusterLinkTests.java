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

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;

import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisConnectionException;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.async.RedisAsyncCommands;
import io.lettuce.core.cluster.ClusterClientOptions;
import io.lettuce.core.cluster.PipelinedRedisFuture;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.cluster.SlotHash;
import io.lettuce.core.cluster.api.StatefulRedisClusterConnection;
import io.lettuce.core.cluster.models.partitions.Partitions;
import io.lettuce.core.cluster.models.partitions.RedisClusterNode;
import io.lettuce.core.codec.ByteArrayCodec;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.mockito.Mockito;

import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import io.quorlock.quorum.node.Attempt;
import io.quorlock.quorum.node.NodeCommand;
import io.quorlock.redis.RedisKeys;
import io.quorlock.redis.ScriptCall;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.mockito.BDDMockito.given;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.never;
import static org.mockito.Mockito.times;
import static org.mockito.Mockito.verify;

/**
 * Tests for {@link LettuceClusterLink} without servers.
 */
class LettuceClusterLinkTests {

	private static final byte[] LOW = keyIn(0, SlotHash.SLOT_COUNT / 2);

	private static final byte[] HIGH = keyIn(SlotHash.SLOT_COUNT / 2, SlotHash.SLOT_COUNT);

	private final LettuceConnectionFactory factory = mock();

	private final RedisClusterClient client = mock();

	private final StatefulRedisClusterConnection<byte[], byte[]> first = mock();

	private final StatefulRedisClusterConnection<byte[], byte[]> second = mock();

	private final StatefulRedisConnection<byte[], byte[]> low = connection();

	private final StatefulRedisConnection<byte[], byte[]> high = connection();

	@BeforeEach
	void prepare() {
		given(this.factory.getRequiredNativeClient()).willReturn(this.client);
		given(this.client.connect(ByteArrayCodec.INSTANCE)).willReturn(this.first, this.second);
		for (StatefulRedisClusterConnection<byte[], byte[]> cluster : List.of(this.first, this.second)) {
			partitions(cluster, node("low", 0, SlotHash.SLOT_COUNT / 2),
					node("high", SlotHash.SLOT_COUNT / 2, SlotHash.SLOT_COUNT), node("empty", 0, 0));
			given(cluster.getConnection("low")).willReturn(this.low);
			given(cluster.getConnection("high")).willReturn(this.high);
			given(cluster.getConnectionAsync("low")).willReturn(CompletableFuture.completedFuture(this.low));
			given(cluster.getConnectionAsync("high")).willReturn(CompletableFuture.completedFuture(this.high));
		}
	}

	private static byte[] keyIn(int from, int to) {
		return IntStream.iterate(0, (i) -> i + 1)
			.mapToObj((i) -> bytes("lock:" + i))
			.filter((key) -> SlotHash.getSlot(key) >= from && SlotHash.getSlot(key) < to)
			.findFirst()
			.orElseThrow();
	}

	private static byte[] bytes(String text) {
		return text.getBytes(StandardCharsets.UTF_8);
	}

	private static RedisClusterNode node(String id, int from, int to) {
		return new RedisClusterNode(RedisURI.create("redis://" + id), id, true, null, 0, 0, 0,
				IntStream.range(from, to).boxed().toList(), Set.of(RedisClusterNode.NodeFlag.UPSTREAM));
	}

	private static void partitions(StatefulRedisClusterConnection<byte[], byte[]> cluster, RedisClusterNode... nodes) {
		Partitions partitions = new Partitions();
		partitions.addAll(List.of(nodes));
		partitions.updateCache();
		given(cluster.getPartitions()).willReturn(partitions);
	}

	private static StatefulRedisConnection<byte[], byte[]> connection() {
		StatefulRedisConnection<byte[], byte[]> connection = mock();
		RedisAsyncCommands<byte[], byte[]> commands = mock();
		RedisFuture<List<byte[]>> time = mock();
		RedisFuture<String> pong = mock();
		given(connection.isOpen()).willReturn(true);
		given(connection.async()).willReturn(commands);
		given(commands.time()).willReturn(time);
		given(time.toCompletableFuture())
			.willReturn(CompletableFuture.completedFuture(List.of(bytes("7"), bytes("5"))));
		given(commands.ping()).willReturn(pong);
		return connection;
	}

	private LettuceClusterLink open(boolean waits) {
		LettuceClusterLink link = new LettuceClusterLink(this.factory, waits);
		link.open();
		return link;
	}

	@Test
	void commandGoesToTheMasterOfItsSlot() {
		LettuceClusterLink link = open(false);
		assertThat(link.connectionFor(LOW, link.connection())).isSameAs(this.low);
		assertThat(link.connectionFor(HIGH, link.connection())).isSameAs(this.high);
		assertThatIllegalStateException().isThrownBy(() -> link.connectionFor(LOW, link.waitConnection()));
	}

	@Test
	void everyMasterWithASlotIsAsked() throws Exception {
		LettuceClusterLink link = open(true);
		assertThat(link.ping(Duration.ofSeconds(2))).hasValue(7_000_005);
		verify(this.second).getConnection("low");
		verify(this.second).getConnection("high");
		verify(this.first).getConnection("low");
		verify(this.first).getConnection("high");
		verify(this.second, never()).getConnection("empty");
	}

	@Test
	void clusterIsUpWhileOneOfItsMastersIs() throws Exception {
		LettuceClusterLink link = open(false);
		given(this.first.getConnection("low")).willThrow(new RedisConnectionException("refused"));
		assertThat(link.ping(Duration.ofSeconds(2))).hasValue(7_000_005);
		verify(this.client).refreshPartitionsAsync();
		given(this.first.getConnection("high")).willThrow(new RedisConnectionException("refused"));
		assertThatExceptionOfType(RedisConnectionException.class).isThrownBy(() -> link.ping(Duration.ofSeconds(2)));
	}

	/** The topology is read again, but not for each of many commands. */
	@Test
	void slotWithoutAMasterHasTheTopologyReadOnce() {
		LettuceClusterLink link = open(false);
		partitions(this.first, node("low", 0, SlotHash.SLOT_COUNT / 2));
		long begun = System.nanoTime();
		for (int i = 0; i < 100; i++) {
			assertThatIllegalStateException().isThrownBy(() -> link.connectionFor(HIGH, link.connection()))
				.withMessage("the lock's slot has no master");
		}
		int max = 1 + (int) ((System.nanoTime() - begun) / Duration.ofMillis(500).toNanos());
		verify(this.client, Mockito.atLeastOnce()).refreshPartitionsAsync();
		verify(this.client, Mockito.atMost(max)).refreshPartitionsAsync();
	}

	@Test
	void commandDoesNotWaitForAConnection() {
		LettuceClusterLink link = open(false);
		given(this.first.getConnectionAsync("low")).willReturn(new CompletableFuture<>());
		given(this.first.getConnectionAsync("high"))
			.willReturn(CompletableFuture.failedFuture(new RedisConnectionException("refused")));
		for (byte[] key : List.of(LOW, HIGH)) {
			assertThatIllegalStateException().isThrownBy(() -> link.connectionFor(key, link.connection()))
				.withMessage("not connected to the lock's master");
		}
		verify(this.client, Mockito.atLeastOnce()).refreshPartitionsAsync();
	}

	/** The slot may have another master, while the former one replies to pings. */
	@Test
	void commandThatFailsHasTheTopologyRead() {
		LettuceClusterLink link = open(false);
		CompletableFuture<Object> reply = new CompletableFuture<>();
		for (StatefulRedisConnection<byte[], byte[]> connection : List.of(this.low, this.high)) {
			given(connection.async()
				.evalsha(Mockito.anyString(), Mockito.any(), Mockito.any(byte[][].class), Mockito.any(byte[][].class)))
				.willReturn(new PipelinedRedisFuture<>(reply));
		}
		Attempt attempt = new Attempt("a1");
		CompletableFuture<?> run = link
			.run(ScriptCall.of(new NodeCommand.Release(List.of("n"), attempt, 0), new RedisKeys("lock:")), attempt,
					false)
			.toCompletableFuture();
		verify(this.client, never()).refreshPartitionsAsync();
		reply.completeExceptionally(new RedisCommandExecutionException("READONLY You can't write against a replica"));
		verify(this.client).refreshPartitionsAsync();
		assertThat(run).isCompletedExceptionally();
	}

	@Test
	void closedLinkLeavesNoConnection() {
		LettuceClusterLink link = open(true);
		assertThat(link.connectionFor(LOW, link.waitConnection())).isSameAs(this.low);
		link.close();
		verify(this.first).close();
		verify(this.second).close();
		assertThatIllegalStateException().isThrownBy(() -> link.connectionFor(LOW, link.connection()))
			.withMessage("not connected");
		assertThatIllegalStateException().isThrownBy(() -> link.connectionFor(LOW, link.waitConnection()))
			.withMessage("not connected");
		link.onFailure(new IllegalStateException());
		verify(this.client, never()).refreshPartitionsAsync();
	}

	@Test
	void linkIsLostWithEitherOfItsConnectionsToAMaster() {
		LettuceClusterLink link = open(true);
		ClusterClientOptions options = ClusterClientOptions.builder().autoReconnect(false).build();
		StatefulRedisConnection<byte[], byte[]> closed = mock();
		given(closed.getOptions()).willReturn(options);
		for (StatefulRedisClusterConnection<byte[], byte[]> cluster : List.of(this.first, this.second)) {
			given(cluster.getOptions()).willReturn(options);
		}
		for (StatefulRedisClusterConnection<byte[], byte[]> cluster : List.of(this.first, this.second)) {
			assertThat(link.lostBecause()).isEmpty();
			given(cluster.getConnectionAsync("high")).willReturn(CompletableFuture.completedFuture(closed));
			assertThat(link.lostBecause()).isEqualTo("connection closed");
			given(cluster.getConnectionAsync("high")).willReturn(CompletableFuture.completedFuture(this.high));
		}
	}

	/** Replicas have no connection, and no lock waits for one to them. */
	@Test
	void nodeWithoutASlotIsNotMissed() {
		LettuceClusterLink link = open(false);
		given(this.first.getOptions()).willReturn(ClusterClientOptions.builder().autoReconnect(false).build());
		assertThat(link.lostBecause()).isEmpty();
		verify(this.first).getConnectionAsync("high");
		verify(this.first, never()).getConnectionAsync("empty");
	}

	@Test
	void attemptThatFailedHalfwayLeavesNoConnection() {
		given(this.client.connect(ByteArrayCodec.INSTANCE)).willReturn(this.first)
			.willThrow(new RedisConnectionException("refused"))
			.willReturn(this.second);
		LettuceClusterLink link = new LettuceClusterLink(this.factory, true);
		assertThatExceptionOfType(RedisConnectionException.class).isThrownBy(link::open);
		link.open();
		verify(this.client, times(3)).connect(ByteArrayCodec.INSTANCE);
		link.close();
		verify(this.first).close();
		verify(this.second).close();
	}

}
