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

import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * Properties of the connections to all nodes.
 *
 * @since 0.1.0
 */
public class LockConnectionProperties {

	/**
	 * Time that a node may take to reply.
	 */
	private Duration operationTimeout = Duration.ofMillis(100);

	/**
	 * Time that each step of connecting to a node may take.
	 */
	private Duration connectTimeout = Duration.ofSeconds(1);

	/**
	 * User name for all nodes. User information in the URI of a node takes precedence.
	 */
	private @Nullable String username;

	/**
	 * Password for all nodes. User information in the URI of a node takes precedence.
	 */
	private @Nullable String password;

	/**
	 * Name of the connections, as the nodes list it.
	 */
	private String clientName = "quorlock";

	private final Ssl ssl = new Ssl();

	public Duration getOperationTimeout() {
		return this.operationTimeout;
	}

	public void setOperationTimeout(Duration operationTimeout) {
		this.operationTimeout = operationTimeout;
	}

	public Duration getConnectTimeout() {
		return this.connectTimeout;
	}

	public void setConnectTimeout(Duration connectTimeout) {
		this.connectTimeout = connectTimeout;
	}

	public @Nullable String getUsername() {
		return this.username;
	}

	public void setUsername(@Nullable String username) {
		this.username = username;
	}

	public @Nullable String getPassword() {
		return this.password;
	}

	public void setPassword(@Nullable String password) {
		this.password = password;
	}

	public String getClientName() {
		return this.clientName;
	}

	public void setClientName(String clientName) {
		this.clientName = clientName;
	}

	public Ssl getSsl() {
		return this.ssl;
	}

	/**
	 * Properties of encrypted connections.
	 */
	public static class Ssl {

		/**
		 * SSL bundle name for nodes with a rediss:// URI.
		 */
		private @Nullable String bundle;

		public @Nullable String getBundle() {
			return this.bundle;
		}

		public void setBundle(@Nullable String bundle) {
			this.bundle = bundle;
		}

	}

	/**
	 * Reactions to another instance that uses the same nodes with a different list.
	 */
	public enum NodeMismatch {

		/**
		 * Log it; two may hold one lock.
		 */
		WARN,

		/**
		 * Log it, and grant what has a majority of each list.
		 */
		FAIL

	}

	/**
	 * Reactions to a node that may evict locks. One without a memory limit evicts
	 * nothing.
	 */
	public enum NodeEviction {

		/**
		 * Log a warning.
		 */
		WARN,

		/**
		 * Ignore the votes of the node if it evicts keys of any kind (allkeys-*).
		 */
		EXCLUDE_ALLKEYS,

		/**
		 * Ignore the votes of the node.
		 */
		EXCLUDE

	}

}
