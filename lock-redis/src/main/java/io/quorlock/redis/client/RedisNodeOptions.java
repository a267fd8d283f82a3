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

package io.quorlock.redis.client;

import java.time.Duration;
import java.util.function.Supplier;

import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;

import org.jspecify.annotations.Nullable;
import redis.clients.jedis.RedisCredentialsProvider;

import io.quorlock.engine.EngineClock;
import io.quorlock.redis.RedisKeys;

/**
 * How to connect to the nodes of a group, and when they vote.
 *
 * @since 0.1.0
 * @see #builder(EngineClock)
 */
public final class RedisNodeOptions {

	private final EngineClock clock;

	private final String keyPrefix;

	private final Duration operationTimeout;

	private final Duration connectTimeout;

	private final String clientName;

	private final @Nullable Supplier<SSLContext> sslContext;

	private final Supplier<SSLParameters> sslParameters;

	private final @Nullable RedisCredentialsProvider credentials;

	private final Duration quarantine;

	private final double driftFactor;

	private final boolean trustFirstSeen;

	private final boolean failOnMismatch;

	private final boolean replicasAllowed;

	private final NodeEviction nodeEviction;

	private final String instanceId;

	private RedisNodeOptions(Builder builder) {
		this.clock = builder.clock;
		this.keyPrefix = builder.keyPrefix;
		this.operationTimeout = builder.operationTimeout;
		this.connectTimeout = builder.connectTimeout;
		this.clientName = builder.clientName;
		this.sslContext = builder.sslContext;
		this.sslParameters = builder.sslParameters;
		this.credentials = builder.credentials;
		this.quarantine = builder.quarantine;
		this.driftFactor = builder.driftFactor;
		this.trustFirstSeen = builder.trustFirstSeen;
		this.failOnMismatch = builder.failOnMismatch;
		this.replicasAllowed = builder.replicasAllowed;
		this.nodeEviction = builder.nodeEviction;
		this.instanceId = builder.instanceId;
	}

	/**
	 * Create a builder with the documented defaults.
	 * @param clock the engine's clock
	 * @return the builder
	 */
	public static Builder builder(EngineClock clock) {
		return new Builder(clock);
	}

	EngineClock clock() {
		return this.clock;
	}

	String keyPrefix() {
		return this.keyPrefix;
	}

	Duration operationTimeout() {
		return this.operationTimeout;
	}

	Duration connectTimeout() {
		return this.connectTimeout;
	}

	String clientName() {
		return this.clientName;
	}

	@Nullable Supplier<SSLContext> sslContext() {
		return this.sslContext;
	}

	Supplier<SSLParameters> sslParameters() {
		return this.sslParameters;
	}

	@Nullable RedisCredentialsProvider credentials() {
		return this.credentials;
	}

	Duration quarantine() {
		return this.quarantine;
	}

	double driftFactor() {
		return this.driftFactor;
	}

	boolean trustFirstSeen() {
		return this.trustFirstSeen;
	}

	boolean failOnMismatch() {
		return this.failOnMismatch;
	}

	boolean replicasAllowed() {
		return this.replicasAllowed;
	}

	NodeEviction nodeEviction() {
		return this.nodeEviction;
	}

	String instanceId() {
		return this.instanceId;
	}

	/** Return what makes the keys of locks. */
	RedisKeys keys() {
		return new RedisKeys(this.keyPrefix);
	}

	/**
	 * Return for how long the oldest pending command may wait before its connection is
	 * given up.
	 */
	long deadAfterNanos() {
		return Math.max(Duration.ofSeconds(5).toNanos(), 20 * this.operationTimeout.toNanos());
	}

	/**
	 * Builds {@link RedisNodeOptions}.
	 */
	public static final class Builder {

		private final EngineClock clock;

		private String keyPrefix = "lock:";

		private Duration operationTimeout = Duration.ofMillis(100);

		private Duration connectTimeout = Duration.ofSeconds(1);

		private String clientName = "quorlock";

		private @Nullable Supplier<SSLContext> sslContext;

		private Supplier<SSLParameters> sslParameters = SSLParameters::new;

		private @Nullable RedisCredentialsProvider credentials;

		private Duration quarantine = Duration.ofSeconds(60);

		private double driftFactor = 0.01;

		private boolean trustFirstSeen = false;

		private boolean failOnMismatch = false;

		private boolean replicasAllowed = false;

		private NodeEviction nodeEviction = NodeEviction.EXCLUDE_ALLKEYS;

		private String instanceId = "quorlock";

		private Builder(EngineClock clock) {
			this.clock = clock;
		}

		/**
		 * Set the prefix of the keys.
		 * @param keyPrefix the text before every key
		 * @return this builder
		 */
		public Builder keyPrefix(String keyPrefix) {
			this.keyPrefix = keyPrefix;
			return this;
		}

		/**
		 * Set how long a node may take to reply.
		 * @param operationTimeout how long a node may take to reply
		 * @return this builder
		 */
		public Builder operationTimeout(Duration operationTimeout) {
			this.operationTimeout = operationTimeout;
			return this;
		}

		/**
		 * Set how long each step of connecting may take.
		 * @param connectTimeout how long each step of connecting may take
		 * @return this builder
		 */
		public Builder connectTimeout(Duration connectTimeout) {
			this.connectTimeout = connectTimeout;
			return this;
		}

		/**
		 * Set the name of the connections.
		 * @param clientName the name that the servers list the connections under
		 * @return this builder
		 */
		public Builder clientName(String clientName) {
			this.clientName = clientName;
			return this;
		}

		/**
		 * Set the context of TLS connections.
		 * @param sslContext the source of the context of the next TLS connection, or
		 * {@code null} for the JDK's default
		 * @return this builder
		 */
		public Builder sslContext(@Nullable Supplier<SSLContext> sslContext) {
			this.sslContext = sslContext;
			return this;
		}

		/**
		 * Set the parameters of TLS connections.
		 * @param sslParameters the source of the protocols and ciphers of the next TLS
		 * connection; the host name is verified whatever they say
		 * @return this builder
		 */
		public Builder sslParameters(Supplier<SSLParameters> sslParameters) {
			this.sslParameters = sslParameters;
			return this;
		}

		/**
		 * Set what to log in with on nodes whose address has no password. It is asked for
		 * each connection, and every five seconds on a thread of its own: a connection
		 * with other credentials logs in again.
		 * @param credentials the provider, or {@code null} for the default user without a
		 * password
		 * @return this builder
		 */
		public Builder credentials(@Nullable RedisCredentialsProvider credentials) {
			this.credentials = credentials;
			return this;
		}

		/**
		 * Set how long a restarted node does not vote (R10).
		 * @param quarantine how long a restarted node does not vote (R10); zero if it
		 * votes at once
		 * @return this builder
		 */
		public Builder quarantine(Duration quarantine) {
			this.quarantine = quarantine;
			return this;
		}

		/**
		 * Set by how much the rates of two clocks may differ.
		 * @param driftFactor by how much the rates of two clocks may differ, relatively
		 * @return this builder
		 */
		public Builder driftFactor(double driftFactor) {
			this.driftFactor = driftFactor;
			return this;
		}

		/**
		 * Set whether the run id that is seen first votes at once.
		 * @param trustFirstSeen whether the run id that is seen first on a node votes at
		 * once
		 * @return this builder
		 */
		public Builder trustFirstSeen(boolean trustFirstSeen) {
			this.trustFirstSeen = trustFirstSeen;
			return this;
		}

		/**
		 * Set what happens to a node whose instances disagree on the list of nodes.
		 * @param failOnMismatch whether a node whose instances disagree on the list of
		 * nodes is excluded, or only reported
		 * @return this builder
		 */
		public Builder failOnMismatch(boolean failOnMismatch) {
			this.failOnMismatch = failOnMismatch;
			return this;
		}

		/**
		 * Set whether replicas of a node are intended.
		 * @param replicasAllowed whether there is neither a warning nor a note about them
		 * @return this builder
		 */
		public Builder replicasAllowed(boolean replicasAllowed) {
			this.replicasAllowed = replicasAllowed;
			return this;
		}

		/**
		 * Set what happens to a node that may evict locks.
		 * @param nodeEviction what happens
		 * @return this builder
		 */
		public Builder nodeEviction(NodeEviction nodeEviction) {
			this.nodeEviction = nodeEviction;
			return this;
		}

		/**
		 * Set which instance this is, as others are told whose list of nodes differs.
		 * @param instanceId a readable name
		 * @return this builder
		 */
		public Builder instanceId(String instanceId) {
			this.instanceId = instanceId;
			return this;
		}

		/**
		 * Build the options.
		 * @return the options
		 */
		public RedisNodeOptions build() {
			return new RedisNodeOptions(this);
		}

	}

}
