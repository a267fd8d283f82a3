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
import java.util.OptionalLong;
import java.util.concurrent.CompletionStage;

import org.jspecify.annotations.Nullable;

import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.util.ByteUtils;

import io.quorlock.quorum.node.Attempt;
import io.quorlock.redis.ScriptCall;
import io.quorlock.redis.ServerInfo;

/**
 * A way to a Redis through one of the drivers of a connection factory. What blocks is
 * called on one thread of the node.
 */
interface RedisLink {

	/**
	 * Connect. Blocks; called again until it succeeds.
	 */
	void open();

	/**
	 * Ask whether the server is there, and for its time. Blocks.
	 * @param timeout for how long at most
	 * @return the server's wall clock in microseconds since 1970-01-01T00:00Z; empty if
	 * it does not report it
	 * @throws Exception if it is not there
	 */
	OptionalLong ping(Duration timeout) throws Exception;

	/**
	 * Ask what the servers report about themselves. Blocks.
	 * @param timeout for how long at most
	 * @return one element for each master that keeps locks
	 * @throws Exception if they do not say
	 */
	List<ServerInfo> info(Duration timeout) throws Exception;

	/**
	 * Return why the link has to be closed and opened anew, which the driver does not do
	 * by itself.
	 * @return the reason, for people; empty if it does not have to be
	 */
	default String lostBecause() {
		return "";
	}

	/**
	 * Run a script without blocking. Calls of one attempt reach the server in order.
	 * @param call the script
	 * @param attempt the attempt that it belongs to
	 * @param whole whether to send the script's text rather than its name
	 * @return the reply
	 */
	CompletionStage<@Nullable Object> run(ScriptCall call, Attempt attempt, boolean whole);

	/**
	 * Publish without blocking what a script was not allowed to publish. It may be lost.
	 */
	void publish(byte[] channel, byte[] text);

	/**
	 * Wait until replicas have confirmed what was written before, on a connection of its
	 * own: {@code WAIT} blocks the connection, and renewals must not stand behind it. A
	 * write beside the lock goes first, since {@code WAIT} covers the writes of its own
	 * connection and all that precede them.
	 * @param lockKey the key that was written
	 * @param replicas how many replicas to wait for
	 * @param timeout for how long
	 * @return how many replicas confirmed
	 */
	CompletionStage<Long> awaitReplicas(byte[] lockKey, int replicas, Duration timeout);

	/**
	 * Open a connection for a subscription alone. Blocks. Whoever asked for it closes it.
	 */
	RedisConnection openSubscription();

	/**
	 * Close the connections that scripts run on. Blocks.
	 */
	void close();

	/**
	 * Return the key that is written beside a lock, in the same slot of a Cluster.
	 */
	static byte[] markKey(byte[] lockKey) {
		return ByteUtils.concat(lockKey, ":wait".getBytes(StandardCharsets.UTF_8));
	}

}
