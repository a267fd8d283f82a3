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

package io.quorlock.redis;

import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import io.quorlock.LogText;

/**
 * What a server reports about itself in reply to {@code INFO}.
 *
 * @since 0.1.0
 */
public final class ServerInfo {

	private final Map<String, String> fields = new HashMap<>();

	/**
	 * Parse a reply.
	 * @param text the reply to {@code INFO}
	 */
	public ServerInfo(String text) {
		text.lines().forEach((line) -> {
			int colon = line.indexOf(':');
			if (colon > 0) {
				this.fields.put(line.substring(0, colon), line.substring(colon + 1).strip());
			}
		});
	}

	/**
	 * Parse a reply.
	 * @param reply the reply to {@code INFO}
	 * @return what it says, or {@code null} if it is no text
	 */
	public static @Nullable ServerInfo of(@Nullable Object reply) {
		return (reply instanceof byte[] bytes) ? new ServerInfo(new String(bytes, StandardCharsets.UTF_8)) : null;
	}

	/**
	 * Identifies the server process; a restart changes it.
	 * @return the run id; empty if it is not reported
	 */
	public String runId() {
		return text("run_id");
	}

	/**
	 * For how long the server has been up. It computes that from its wall clock, which
	 * may have been set back since.
	 * @return whole seconds; 0 if it is not reported, or negative
	 */
	public long uptimeSeconds() {
		return Math.max(0, number("uptime_in_seconds"));
	}

	/**
	 * The server's wall clock.
	 * @return microseconds since 1970-01-01T00:00Z; 0 if it is not reported
	 */
	public long serverTimeMicros() {
		return number("server_time_usec");
	}

	/**
	 * What the server is, and of which version, safe to log.
	 * @return such as {@code Redis 7.2.4}
	 */
	public String version() {
		return LogText.bounded(Stream.of("Valkey", "Redict", "Redis")
			.map((name) -> name + " " + text(name.toLowerCase(Locale.ROOT) + "_version"))
			.filter((version) -> !version.endsWith(" "))
			.findFirst()
			.orElse("Redis"));
	}

	/**
	 * Whether it copies another server.
	 * @return whether it is a replica
	 */
	public boolean isReplica() {
		return text("role").equals("slave");
	}

	/**
	 * What it copied before it became a master.
	 * @return its {@code master_replid2}: zeros if it never was a replica, empty if it is
	 * not reported
	 */
	public String copiedId() {
		return text("master_replid2");
	}

	/**
	 * Whether it was a replica since it started, or since it lost its last own replica an
	 * hour ago.
	 * @return whether it kept the id of what it copied
	 */
	public boolean wasReplica() {
		return !copiedId().replace("0", "").isEmpty();
	}

	/**
	 * Whether it is a member of a Redis Cluster.
	 * @return whether it has cluster mode on
	 */
	public boolean isClusterMember() {
		return text("cluster_enabled").equals("1");
	}

	/**
	 * Whether it is a Sentinel, which keeps no keys.
	 * @return whether it is one
	 */
	public boolean isSentinel() {
		// redis_mode of Redis, server_mode of Valkey, redict_mode of Redict.
		return this.fields.entrySet()
			.stream()
			.anyMatch((field) -> field.getKey().endsWith("_mode") && field.getValue().equals("sentinel"));
	}

	/**
	 * How many replicas copy it.
	 * @return the number of replicas that are connected
	 */
	public long connectedReplicas() {
		return number("connected_slaves");
	}

	/**
	 * Whether it is still reading its data.
	 * @return whether it is loading
	 */
	public boolean isLoading() {
		return text("loading").equals("1");
	}

	/**
	 * What it does when its memory is full.
	 * @return the policy; empty if it is not reported
	 */
	public String evictionPolicy() {
		return text("maxmemory_policy");
	}

	/**
	 * How much memory it may use.
	 * @return bytes; 0 without a limit, or if it is not reported
	 */
	public long maxMemory() {
		return number("maxmemory");
	}

	private String text(String field) {
		return this.fields.getOrDefault(field, "");
	}

	private long number(String field) {
		try {
			return Long.parseLong(text(field));
		}
		catch (NumberFormatException ex) {
			return 0;
		}
	}

}
