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
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.stream.Stream;

import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.cluster.SlotHash;
import io.lettuce.core.cluster.api.StatefulRedisClusterConnection;
import io.lettuce.core.cluster.models.partitions.RedisClusterNode;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.output.ObjectOutput;
import io.lettuce.core.output.StatusOutput;
import io.lettuce.core.protocol.AsyncCommand;
import io.lettuce.core.protocol.Command;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import org.jspecify.annotations.Nullable;

import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import io.quorlock.quorum.node.Attempt;
import io.quorlock.redis.ScriptCall;

/**
 * A link to a Cluster. A lock's commands go to its master on one connection and are not
 * redirected by the driver, which would change their order. While a slot is moved, what
 * its master no longer has is asked of the other on the one connection to it; any other
 * redirection makes the link look at the Cluster again, and the command fails.
 */
final class LettuceClusterLink extends LettuceLink<StatefulRedisClusterConnection<byte[], byte[]>> {

	private static final long REFRESH_PAUSE_NANOS = Duration.ofMillis(500).toNanos();

	private volatile long refreshedAt = System.nanoTime() - REFRESH_PAUSE_NANOS;

	LettuceClusterLink(LettuceConnectionFactory factory, boolean waits) {
		super(factory, waits);
	}

	@Override
	StatefulRedisClusterConnection<byte[], byte[]> connect() {
		return client().connect(ByteArrayCodec.INSTANCE);
	}

	private RedisClusterClient client() {
		return (RedisClusterClient) this.factory.getRequiredNativeClient();
	}

	@Override
	public OptionalLong ping(Duration timeout) throws Exception {
		Exception failure = null;
		boolean replied = false;
		OptionalLong micros = OptionalLong.empty();
		for (RedisClusterNode node : connection().getPartitions()) {
			if (!node.getSlots().isEmpty()) {
				try {
					// Connects as well, so that no command has to wait for it.
					micros = ping(connection().getConnection(node.getNodeId()), timeout);
					if (this.waits) {
						waitConnection().getConnection(node.getNodeId());
					}
					replied = true;
				}
				catch (Exception ex) {
					failure = ex;
					refresh();
				}
			}
		}
		if (!replied) {
			throw (failure != null) ? failure : new IllegalStateException("no master has a slot");
		}
		return micros;
	}

	@Override
	List<StatefulRedisConnection<byte[], byte[]>> masters() {
		return connected(connection()).filter(StatefulConnection::isOpen).toList();
	}

	private static Stream<StatefulRedisConnection<byte[], byte[]>> connected(
			StatefulRedisClusterConnection<byte[], byte[]> cluster) {
		return cluster.getPartitions()
			.stream()
			.filter((node) -> !node.getSlots().isEmpty())
			.map((node) -> cluster.getConnectionAsync(node.getNodeId()))
			.filter((connection) -> connection.isDone() && !connection.isCompletedExceptionally())
			.map(CompletableFuture::join);
	}

	/** Lettuce keeps a connection to a node even if it is closed for good. */
	@Override
	boolean isLost(@Nullable StatefulRedisClusterConnection<byte[], byte[]> cluster) {
		if (cluster == null) {
			return false;
		}
		if (isClosed(cluster) || cluster.getOptions().isAutoReconnect()) {
			return isClosed(cluster);
		}
		return connected(cluster).anyMatch(LettuceLink::isClosedForGood);
	}

	@Override
	StatefulRedisConnection<byte[], byte[]> connectionFor(byte[] key,
			StatefulRedisClusterConnection<byte[], byte[]> cluster) {
		RedisClusterNode master = cluster.getPartitions().getMasterBySlot(SlotHash.getSlot(key));
		if (master == null) {
			refresh();
			throw LinkException.notSent("the lock's slot has no master");
		}
		return connectionTo(master, cluster);
	}

	private StatefulRedisConnection<byte[], byte[]> connectionTo(RedisClusterNode master,
			StatefulRedisClusterConnection<byte[], byte[]> cluster) {
		CompletableFuture<StatefulRedisConnection<byte[], byte[]>> connection = cluster
			.getConnectionAsync(master.getNodeId());
		if (!connection.isDone() || connection.isCompletedExceptionally()) {
			refresh();
			throw LinkException.notSent("not connected to the lock's master");
		}
		return connection.join();
	}

	@Override
	public CompletionStage<@Nullable Object> run(ScriptCall call, Attempt attempt, boolean whole) {
		CompletionStage<@Nullable Object> reply = super.run(call, attempt, whole);
		return reply.handle((raw, failure) -> {
			String[] words = (failure != null) ? RedisErrors.describe(failure).split(" ") : new String[0];
			return (words.length == 3 && words[0].equals("ASK")) ? ask(words[2], call, whole) : reply;
		}).thenCompose(Function.identity());
	}

	/** The permission is of the next command alone, so both are sent in one piece. */
	private CompletionStage<@Nullable Object> ask(String address, ScriptCall call, boolean whole) {
		RedisClusterNode target = connection().getPartitions()
			.stream()
			.filter((node) -> address.equals(node.getUri().getHost() + ":" + node.getUri().getPort()))
			.findFirst()
			.orElseThrow(
					() -> LinkException.notSent("the lock's slot is moved to " + address + ", which is not known"));
		StatefulRedisConnection<byte[], byte[]> connection = connectionTo(target, connection());
		AsyncCommand<byte[], byte[], @Nullable Object> script = new AsyncCommand<>(new Command<>(
				whole ? CommandType.EVAL : CommandType.EVALSHA, new ObjectOutput<>(ByteArrayCodec.INSTANCE),
				new CommandArgs<>(ByteArrayCodec.INSTANCE).add(whole ? call.script().source() : call.script().sha1())
					.add(call.keys().length)
					.addKeys(call.keys())
					.addValues(call.args())));
		connection.dispatch(List.of(new Command<>(CommandType.ASKING, new StatusOutput<>(ByteArrayCodec.INSTANCE),
				new CommandArgs<>(ByteArrayCodec.INSTANCE)), script));
		return script.thenApply(LettuceLink::unwrap);
	}

	@Override
	void onFailure(Throwable failure) {
		refresh();
	}

	private void refresh() {
		long now = System.nanoTime();
		if (current() != null && now - this.refreshedAt >= REFRESH_PAUSE_NANOS) {
			this.refreshedAt = now;
			client().refreshPartitionsAsync();
		}
	}

	@Override
	StatefulRedisPubSubConnection<byte[], byte[]> connectPubSub() {
		return client().connectPubSub(ByteArrayCodec.INSTANCE);
	}

}
