package io.quorlock.redis.client;

import java.time.Duration;
import java.util.function.Supplier;

import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;

import org.jspecify.annotations.Nullable;

import io.quorlock.engine.EngineClock;
import io.quorlock.redis.RedisKeys;

/**
 * How to connect to the nodes of a group, and when their votes count.
 *
 * @param keyPrefix before every key on the connection
 * @param operationTimeout how long a node may take to answer
 * @param connectTimeout how long each step of connecting may take
 * @param clientName what the servers list the connections as
 * @param sslContext gives the context of the next TLS connection, or {@code null} for the
 * JDK's default
 * @param sslParameters gives protocols and ciphers of the next TLS connection; the host
 * name is verified whatever they say
 * @param quarantine for how long a restarted node does not count (R10); zero for not at
 * all
 * @param driftFactor by how much the rates of two clocks may differ, relatively
 * @param trustFirstSeen whether the run id that is seen first on a node counts at once
 * @param failOnMismatch whether a node whose instances disagree on the list of nodes is
 * of no use, or only a reason to complain
 * @param clock the engine's clock
 * @since 0.1.0
 */
public record JedisNodeOptions(String keyPrefix, Duration operationTimeout, Duration connectTimeout, String clientName,
		@Nullable Supplier<SSLContext> sslContext, Supplier<SSLParameters> sslParameters, Duration quarantine,
		double driftFactor, boolean trustFirstSeen, boolean failOnMismatch, EngineClock clock) {

	/**
	 * The documented defaults.
	 * @param clock the engine's clock
	 * @return the options
	 */
	public static JedisNodeOptions defaults(EngineClock clock) {
		return new JedisNodeOptions("lock:", Duration.ofMillis(100), Duration.ofSeconds(1), "quorlock", null,
				SSLParameters::new, Duration.ofSeconds(60), 0.01, false, false, clock);
	}

	/**
	 * The same with another quarantine.
	 * @param quarantine for how long a restarted node does not count
	 * @param trustFirstSeen whether the run id that is seen first counts at once
	 * @return the options
	 */
	public JedisNodeOptions withQuarantine(Duration quarantine, boolean trustFirstSeen) {
		return new JedisNodeOptions(this.keyPrefix, this.operationTimeout, this.connectTimeout, this.clientName,
				this.sslContext, this.sslParameters, quarantine, this.driftFactor, trustFirstSeen, this.failOnMismatch,
				this.clock);
	}

	/**
	 * The same with TLS settings.
	 * @param sslContext gives the context of the next TLS connection
	 * @return the options
	 */
	public JedisNodeOptions withSslContext(Supplier<SSLContext> sslContext) {
		return new JedisNodeOptions(this.keyPrefix, this.operationTimeout, this.connectTimeout, this.clientName,
				sslContext, this.sslParameters, this.quarantine, this.driftFactor, this.trustFirstSeen,
				this.failOnMismatch, this.clock);
	}

	/**
	 * The same with another answer to lists of nodes that differ.
	 * @param failOnMismatch whether such a node is of no use
	 * @return the options
	 */
	public JedisNodeOptions withFailOnMismatch(boolean failOnMismatch) {
		return new JedisNodeOptions(this.keyPrefix, this.operationTimeout, this.connectTimeout, this.clientName,
				this.sslContext, this.sslParameters, this.quarantine, this.driftFactor, this.trustFirstSeen,
				failOnMismatch, this.clock);
	}

	/**
	 * Return what makes the keys of locks.
	 * @return the keys
	 */
	RedisKeys keys() {
		return new RedisKeys(this.keyPrefix);
	}

	/**
	 * How long the oldest unanswered command may wait before its connection is given up.
	 * @return nanoseconds
	 */
	long deadAfterNanos() {
		return Math.max(Duration.ofSeconds(5).toNanos(), 20 * this.operationTimeout.toNanos());
	}

}
