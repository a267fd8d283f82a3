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

import io.quorlock.redis.RedisKeys;
import io.quorlock.time.LockClock;

import static io.quorlock.SettingCheck.check;

/**
 * How to connect to the nodes of a group, and when they vote.
 *
 * @param clock the engine's clock
 * @param keyPrefix the text before every key
 * @param operationTimeout how long a node may take to reply; positive
 * @param connectTimeout how long each step of connecting may take; positive
 * @param clientName the name that the servers list the connections under
 * @param sslContext the source of the context of the next TLS connection, or {@code null}
 * for the JDK's default
 * @param sslParameters the source of the protocols and ciphers of the next TLS
 * connection; the host name is verified whatever they say
 * @param credentials what to log in with on nodes whose address has no password, or
 * {@code null} for the default user without a password. It is asked for each connection,
 * and every five seconds on a thread of its own: a connection with other credentials logs
 * in again.
 * @param quarantine how long a restarted node does not vote (R10); zero if it votes at
 * once
 * @param longestLease the longest lease of any instance; a list of nodes is remembered
 * for longer (R10)
 * @param driftFactor by how much the rates of two clocks may differ, relatively; 0 to 0.1
 * @param trustFirstSeen whether the run id that is seen first on a node votes at once
 * @param failOnMismatch whether other lists of nodes that are in use count, or are only
 * reported
 * @param replicasAllowed whether replicas of a node are intended: there is neither a
 * warning nor a note about them
 * @param nodeEviction what happens to a node that may evict locks
 * @param instanceId which instance this is, as others are told whose list of nodes
 * differs: a readable name
 * @since 0.1.0
 * @see #builder(LockClock)
 */
public record RedisNodeOptions(LockClock clock, String keyPrefix, Duration operationTimeout, Duration connectTimeout,
		String clientName, @Nullable Supplier<SSLContext> sslContext, Supplier<SSLParameters> sslParameters,
		@Nullable RedisCredentialsProvider credentials, Duration quarantine, Duration longestLease, double driftFactor,
		boolean trustFirstSeen, boolean failOnMismatch, boolean replicasAllowed, NodeEviction nodeEviction,
		String instanceId) {

	private RedisNodeOptions checked() {
		check(this.operationTimeout.compareTo(Duration.ZERO) > 0, "operation timeout", this.operationTimeout);
		check(this.connectTimeout.compareTo(Duration.ZERO) > 0, "connect timeout", this.connectTimeout);
		check(!this.quarantine.isNegative(), "quarantine", this.quarantine);
		check(this.driftFactor >= 0 && this.driftFactor <= 0.1, "clock drift factor", this.driftFactor);
		return this;
	}

	/**
	 * Create a builder with the documented defaults.
	 * @param clock the engine's clock
	 * @return the builder
	 */
	public static Builder builder(LockClock clock) {
		return new Builder(clock);
	}

	/** Return what makes the keys of locks. */
	RedisKeys keys() {
		return new RedisKeys(this.keyPrefix);
	}

	/**
	 * Return for how long a list of nodes counts that nobody confirms any more: an
	 * instance does so every five seconds, and may hold a lease after it was cut off.
	 */
	Duration listsRemembered() {
		return Duration.ofSeconds(Math.max(60, (longestLeaseMillis() + 999) / 1_000 + 11));
	}

	/**
	 * Return for how long our list counts with others, from when the node was asked to
	 * note it, if no lease that is given until then may outlast their memory.
	 */
	Duration listConfirmedFor() {
		long millis = listsRemembered().toMillis() - longestLeaseMillis();
		return Duration.ofMillis((long) (millis * (1 - this.driftFactor)));
	}

	private long longestLeaseMillis() {
		Duration lease = (this.longestLease.compareTo(this.quarantine) > 0) ? this.longestLease : this.quarantine;
		return (long) Math.ceil(lease.toMillis() * (1 + this.driftFactor));
	}

	/**
	 * Return for how long the oldest pending command may wait before its connection is
	 * given up.
	 */
	long deadAfterNanos() {
		return Math.max(Duration.ofSeconds(5).toNanos(), 20 * this.operationTimeout.toNanos());
	}

	/**
	 * Return how long to wait for a server that may not be reached: TCP, which repeats
	 * what was lost ever more rarely, would notice late that it can be reached again.
	 */
	Duration attemptTimeout() {
		Duration attempt = Duration.ofNanos(Math.max(500_000_000, 5 * this.operationTimeout.toNanos()));
		return (attempt.compareTo(this.connectTimeout) < 0) ? attempt : this.connectTimeout;
	}

	/**
	 * Builds {@link RedisNodeOptions}: each method sets the component of its name, which
	 * is documented there.
	 */
	public static final class Builder {

		private final LockClock clock;

		private String keyPrefix = "lock:";

		private Duration operationTimeout = Duration.ofMillis(100);

		private Duration connectTimeout = Duration.ofSeconds(1);

		private String clientName = "quorlock";

		private @Nullable Supplier<SSLContext> sslContext;

		private Supplier<SSLParameters> sslParameters = SSLParameters::new;

		private @Nullable RedisCredentialsProvider credentials;

		private Duration quarantine = Duration.ofSeconds(60);

		private Duration longestLease = Duration.ofSeconds(60);

		private double driftFactor = 0.01;

		private boolean trustFirstSeen;

		private boolean failOnMismatch;

		private boolean replicasAllowed;

		private NodeEviction nodeEviction = NodeEviction.EXCLUDE_ALLKEYS;

		private String instanceId = "quorlock";

		private Builder(LockClock clock) {
			this.clock = clock;
		}

		/**
		 * Set the {@linkplain RedisNodeOptions#keyPrefix() component} of this name.
		 * @param keyPrefix its value
		 * @return this builder
		 */
		public Builder keyPrefix(String keyPrefix) {
			this.keyPrefix = keyPrefix;
			return this;
		}

		/**
		 * Set the {@linkplain RedisNodeOptions#operationTimeout() component} of this
		 * name.
		 * @param operationTimeout its value
		 * @return this builder
		 */
		public Builder operationTimeout(Duration operationTimeout) {
			this.operationTimeout = operationTimeout;
			return this;
		}

		/**
		 * Set the {@linkplain RedisNodeOptions#connectTimeout() component} of this name.
		 * @param connectTimeout its value
		 * @return this builder
		 */
		public Builder connectTimeout(Duration connectTimeout) {
			this.connectTimeout = connectTimeout;
			return this;
		}

		/**
		 * Set the {@linkplain RedisNodeOptions#clientName() component} of this name.
		 * @param clientName its value
		 * @return this builder
		 */
		public Builder clientName(String clientName) {
			this.clientName = clientName;
			return this;
		}

		/**
		 * Set the {@linkplain RedisNodeOptions#sslContext() component} of this name.
		 * @param sslContext its value
		 * @return this builder
		 */
		public Builder sslContext(@Nullable Supplier<SSLContext> sslContext) {
			this.sslContext = sslContext;
			return this;
		}

		/**
		 * Set the {@linkplain RedisNodeOptions#sslParameters() component} of this name.
		 * @param sslParameters its value
		 * @return this builder
		 */
		public Builder sslParameters(Supplier<SSLParameters> sslParameters) {
			this.sslParameters = sslParameters;
			return this;
		}

		/**
		 * Set the {@linkplain RedisNodeOptions#credentials() component} of this name.
		 * @param credentials its value
		 * @return this builder
		 */
		public Builder credentials(@Nullable RedisCredentialsProvider credentials) {
			this.credentials = credentials;
			return this;
		}

		/**
		 * Set the {@linkplain RedisNodeOptions#longestLease() component} of this name.
		 * @param longestLease its value
		 * @return this builder
		 */
		public Builder longestLease(Duration longestLease) {
			this.longestLease = longestLease;
			return this;
		}

		/**
		 * Set the {@linkplain RedisNodeOptions#quarantine() component} of this name.
		 * @param quarantine its value
		 * @return this builder
		 */
		public Builder quarantine(Duration quarantine) {
			this.quarantine = quarantine;
			return this;
		}

		/**
		 * Set the {@linkplain RedisNodeOptions#driftFactor() component} of this name.
		 * @param driftFactor its value
		 * @return this builder
		 */
		public Builder driftFactor(double driftFactor) {
			this.driftFactor = driftFactor;
			return this;
		}

		/**
		 * Set the {@linkplain RedisNodeOptions#trustFirstSeen() component} of this name.
		 * @param trustFirstSeen its value
		 * @return this builder
		 */
		public Builder trustFirstSeen(boolean trustFirstSeen) {
			this.trustFirstSeen = trustFirstSeen;
			return this;
		}

		/**
		 * Set the {@linkplain RedisNodeOptions#failOnMismatch() component} of this name.
		 * @param failOnMismatch its value
		 * @return this builder
		 */
		public Builder failOnMismatch(boolean failOnMismatch) {
			this.failOnMismatch = failOnMismatch;
			return this;
		}

		/**
		 * Set the {@linkplain RedisNodeOptions#replicasAllowed() component} of this name.
		 * @param replicasAllowed its value
		 * @return this builder
		 */
		public Builder replicasAllowed(boolean replicasAllowed) {
			this.replicasAllowed = replicasAllowed;
			return this;
		}

		/**
		 * Set the {@linkplain RedisNodeOptions#nodeEviction() component} of this name.
		 * @param nodeEviction its value
		 * @return this builder
		 */
		public Builder nodeEviction(NodeEviction nodeEviction) {
			this.nodeEviction = nodeEviction;
			return this;
		}

		/**
		 * Set the {@linkplain RedisNodeOptions#instanceId() component} of this name.
		 * @param instanceId its value
		 * @return this builder
		 */
		public Builder instanceId(String instanceId) {
			this.instanceId = instanceId;
			return this;
		}

		/**
		 * Build the settings.
		 * @return the settings
		 * @throws IllegalArgumentException if a value is out of range
		 */
		public RedisNodeOptions build() {
			return new RedisNodeOptions(this.clock, this.keyPrefix, this.operationTimeout, this.connectTimeout,
					this.clientName, this.sslContext, this.sslParameters, this.credentials, this.quarantine,
					this.longestLease, this.driftFactor, this.trustFirstSeen, this.failOnMismatch, this.replicasAllowed,
					this.nodeEviction, this.instanceId)
				.checked();
		}

	}

}
