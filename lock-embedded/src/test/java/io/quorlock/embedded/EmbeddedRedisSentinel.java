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

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * One master, one replica, and three sentinels that promote the replica when the master
 * has not replied for half a second.
 */
public final class EmbeddedRedisSentinel implements AutoCloseable {

	/** The name by which the sentinels know the master. */
	public static final String MASTER_NAME = "mymaster";

	private static final int SENTINELS = 3;

	private static final int QUORUM = 2;

	private final List<EmbeddedRedisNode> started = new ArrayList<>();

	private final EmbeddedRedisNode master;

	private final EmbeddedRedisNode replica;

	private final List<EmbeddedRedisNode> sentinels;

	private EmbeddedRedisSentinel() {
		try {
			this.master = start(EmbeddedRedisNode.builder());
			this.replica = start(EmbeddedRedisNode.builder().replicaOf(this.master));
			Readiness.await("The replica",
					() -> String.valueOf(this.replica.execute("INFO")).contains("master_link_status:up"));
			EmbeddedRedisNodeBuilder sentinel = EmbeddedRedisNode.builder()
				.sentinel()
				.config("sentinel monitor " + MASTER_NAME + " " + LoopbackPorts.HOST + " " + this.master.port() + " "
						+ QUORUM)
				.config("sentinel down-after-milliseconds " + MASTER_NAME + " 500")
				.config("sentinel failover-timeout " + MASTER_NAME + " 3000");
			this.sentinels = List.of(start(sentinel), start(sentinel), start(sentinel));
			Readiness.await("The group of sentinels",
					() -> this.sentinels.stream().allMatch(EmbeddedRedisSentinel::knowsTheOthers));
		}
		catch (RuntimeException ex) {
			close();
			throw ex;
		}
	}

	/**
	 * Start the servers on free ports.
	 * @return the servers; every sentinel knows the replica and the other sentinels
	 * @throws EmbeddedServerException if they do not come up
	 */
	public static EmbeddedRedisSentinel start() {
		return new EmbeddedRedisSentinel();
	}

	/**
	 * Return the server that was the master at the start.
	 * @return the node
	 */
	public EmbeddedRedisNode master() {
		return this.master;
	}

	/**
	 * Return the server that was the replica at the start.
	 * @return the node
	 */
	public EmbeddedRedisNode replica() {
		return this.replica;
	}

	/**
	 * Return the sentinels.
	 * @return all of them
	 */
	public List<EmbeddedRedisNode> sentinels() {
		return this.sentinels;
	}

	/**
	 * Return the port of the master that the first sentinel knows now.
	 * @return the port
	 */
	public int masterPort() {
		List<?> address = (List<?>) Objects
			.requireNonNull(this.sentinels.get(0).execute("SENTINEL", "GET-MASTER-ADDR-BY-NAME", MASTER_NAME));
		return Integer.parseInt(String.valueOf(address.get(1)));
	}

	/** Kill all servers and delete their files. */
	@Override
	public void close() {
		this.started.forEach(EmbeddedRedisNode::close);
	}

	private EmbeddedRedisNode start(EmbeddedRedisNodeBuilder options) {
		EmbeddedRedisNode node = options.start();
		this.started.add(node);
		return node;
	}

	private static boolean knowsTheOthers(EmbeddedRedisNode sentinel) {
		String info = String.valueOf(sentinel.execute("INFO", "sentinel"));
		return info.contains("slaves=1,sentinels=" + SENTINELS);
	}

}
