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
import io.quorlock.redis.client.EvictionPolicy.NodeEviction;
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
 * @param quarantine how long a restarted node does not vote; zero if it votes at once
 * @param longestLease the longest lease of any instance; a list of nodes is remembered
 * for longer
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
 */
public record RedisNodeOptions(LockClock clock, String keyPrefix, Duration operationTimeout, Duration connectTimeout,
		String clientName, @Nullable Supplier<SSLContext> sslContext, Supplier<SSLParameters> sslParameters,
		@Nullable RedisCredentialsProvider credentials, Duration quarantine, Duration longestLease, double driftFactor,
		boolean trustFirstSeen, boolean failOnMismatch, boolean replicasAllowed, NodeEviction nodeEviction,
		String instanceId) {

	private static final Duration SHORTEST_ATTEMPT = Duration.ofMillis(300);

	/**
	 * Create new settings.
	 * @param clock the engine's clock
	 * @param keyPrefix the text before every key
	 * @param operationTimeout how long a node may take to reply; positive
	 * @param connectTimeout how long each step of connecting may take; positive
	 * @param clientName the name that the servers list the connections under
	 * @param sslContext the source of the context of the next TLS connection, or
	 * {@code null} for the JDK's default
	 * @param sslParameters the source of the protocols and ciphers of the next TLS
	 * connection; the host name is verified whatever they say
	 * @param credentials what to log in with on nodes whose address has no password, or
	 * {@code null} for the default user without a password. It is asked for each
	 * connection, and every five seconds on a thread of its own: a connection with other
	 * credentials logs in again.
	 * @param quarantine how long a restarted node does not vote; zero if it votes at once
	 * @param longestLease the longest lease of any instance; a list of nodes is
	 * remembered for longer
	 * @param driftFactor by how much the rates of two clocks may differ, relatively; 0 to
	 * 0.1
	 * @param trustFirstSeen whether the run id that is seen first on a node votes at once
	 * @param failOnMismatch whether other lists of nodes that are in use count, or are
	 * only reported
	 * @param replicasAllowed whether replicas of a node are intended: there is neither a
	 * warning nor a note about them
	 * @param nodeEviction what happens to a node that may evict locks
	 * @param instanceId which instance this is, as others are told whose list of nodes
	 * differs: a readable name
	 * @throws IllegalArgumentException if a value is out of range
	 */
	public RedisNodeOptions {
		check(operationTimeout.compareTo(Duration.ZERO) > 0, "operation timeout", operationTimeout);
		check(connectTimeout.compareTo(Duration.ZERO) > 0, "connect timeout", connectTimeout);
		check(!quarantine.isNegative(), "quarantine", quarantine);
		check(driftFactor >= 0 && driftFactor <= 0.1, "clock drift factor", driftFactor);
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
	 * Return how long each step may take with a server that may not be reached.
	 */
	Duration attemptTimeout() {
		return attempt(3 * this.operationTimeout.toNanos());
	}

	/**
	 * Return how long a server's system may take to accept a connection: it needs one
	 * round trip, as a reply does, and TCP, which repeats what was lost ever more rarely,
	 * would notice late that the server can be reached again.
	 */
	Duration tcpTimeout() {
		return attempt(this.operationTimeout.toNanos());
	}

	private Duration attempt(long nanos) {
		Duration attempt = Duration.ofNanos(Math.max(SHORTEST_ATTEMPT.toNanos(), nanos));
		return (attempt.compareTo(this.connectTimeout) < 0) ? attempt : this.connectTimeout;
	}

}
