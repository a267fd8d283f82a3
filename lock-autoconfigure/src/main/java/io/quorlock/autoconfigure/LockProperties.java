package io.quorlock.autoconfigure;

import java.time.Duration;
import java.util.List;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.core.Ordered;

/**
 * Configuration properties for distributed locks.
 *
 * @param enabled Whether methods and templates lock. When disabled, everything runs
 * unlocked.
 * @param backend Where locks are kept. By default, "redlock" when nodes are known, else
 * "embedded" when lock-embedded is on the class path, else "redis" when the application
 * has a Redis connection factory.
 * @param nodes Independent Redis masters as redis:// or rediss:// URIs, an odd number of
 * them.
 * @param embedded Redis servers that are started inside the application.
 * @param keyPrefix Prefix of every key and channel in Redis.
 * @param waitTime How long to wait for a lock that somebody else holds.
 * @param leaseTime How long a lock outlives its holder's crash. Renewed at a third of it
 * while the lock is held.
 * @param maxLeaseTime Longest lease that may be asked for.
 * @param maxHoldTime How long a lock is renewed at most, so that a stuck worker does not
 * hold it for ever. Unlimited by default.
 * @param instanceId Readable name of this instance, part of every lock's value. By
 * default, application name, host name and process id.
 * @param connection Connections to all nodes.
 * @param retry Pauses between two attempts to get a lock.
 * @param clockDriftFactor How much the rates of two clocks may differ, relatively.
 * @param restartQuarantine How long a restarted node does not count. At least the longest
 * lease of any client of the nodes, or 0 to switch it off. By default, the longest lease
 * that may be asked for.
 * @param fencing Fencing tokens.
 * @param nodeMismatch What to do when another instance uses the same nodes with a
 * different list.
 * @param localHandover Handing a lock on between threads of one instance.
 * @param transaction Locks and transactions.
 * @param order Order of the advisor among other advisors. By default outside transactions
 * and inside asynchronous execution and retry.
 * @param redis Backend over the application's own Redis connection factory.
 * @since 0.1.0
 */
@ConfigurationProperties("distributed-lock")
public record LockProperties(@DefaultValue("true") boolean enabled, @Nullable Backend backend,
		@DefaultValue List<String> nodes, @DefaultValue Embedded embedded, @DefaultValue("lock:") String keyPrefix,
		@DefaultValue("5s") Duration waitTime, @DefaultValue("30s") Duration leaseTime,
		@DefaultValue("60s") Duration maxLeaseTime, @Nullable Duration maxHoldTime, @Nullable String instanceId,
		@DefaultValue Connection connection, @DefaultValue Retry retry, @DefaultValue("0.01") double clockDriftFactor,
		@Nullable Duration restartQuarantine, @DefaultValue Fencing fencing,
		@DefaultValue("warn") NodeMismatch nodeMismatch, @DefaultValue LocalHandover localHandover,
		@DefaultValue Transaction transaction, @DefaultValue("" + LockProperties.DEFAULT_ORDER) int order,
		@DefaultValue Redis redis) {

	/**
	 * Outside transactions, inside asynchronous execution and retry.
	 */
	public static final int DEFAULT_ORDER = Ordered.LOWEST_PRECEDENCE - 100;

	/**
	 * How long a restarted node does not count.
	 * @return the quarantine, zero if it is switched off
	 */
	public Duration effectiveRestartQuarantine() {
		return (this.restartQuarantine != null) ? this.restartQuarantine : this.maxLeaseTime;
	}

	/**
	 * Names nothing but the backend: a node's URI may hold a password.
	 */
	@Override
	public String toString() {
		return "LockProperties[enabled=" + this.enabled + ", backend=" + this.backend + ", nodes=" + this.nodes.size()
				+ "]";
	}

	/**
	 * Where locks are kept.
	 */
	public enum Backend {

		/**
		 * A quorum of independent Redis masters.
		 */
		REDLOCK,

		/**
		 * A quorum of Redis servers that the application starts itself. For development.
		 */
		EMBEDDED,

		/**
		 * The Redis that the application's connection factory leads to.
		 */
		REDIS,

		/**
		 * The memory of this process. For tests.
		 */
		IN_MEMORY

	}

	/**
	 * Reactions to another instance that uses the same nodes with a different list.
	 */
	public enum NodeMismatch {

		/**
		 * Log a warning.
		 */
		WARN,

		/**
		 * Do not count the node.
		 */
		FAIL

	}

	/**
	 * Properties of the embedded backend.
	 *
	 * @param nodes How many Redis servers to start.
	 */
	public record Embedded(@DefaultValue("5") int nodes) {
	}

	/**
	 * Properties of the connections.
	 *
	 * @param operationTimeout How long a node may take to answer.
	 * @param connectTimeout How long each step of connecting to a node may take.
	 * @param username User name for all nodes. One in a node's URI wins.
	 * @param password Password for all nodes. One in a node's URI wins.
	 * @param clientName Name of the connections, as the nodes list it.
	 * @param ssl Encrypted connections.
	 */
	public record Connection(@DefaultValue("100ms") Duration operationTimeout,
			@DefaultValue("1s") Duration connectTimeout, @Nullable String username, @Nullable String password,
			@Nullable String clientName, @DefaultValue Ssl ssl) {

		@Override
		public String toString() {
			return "Connection[operationTimeout=" + this.operationTimeout + ", connectTimeout=" + this.connectTimeout
					+ "]";
		}

		/**
		 * Properties of encrypted connections.
		 *
		 * @param bundle Name of the SSL bundle for nodes with a rediss:// URI.
		 */
		public record Ssl(@Nullable String bundle) {
		}

	}

	/**
	 * Properties of retries.
	 *
	 * @param minDelay Shortest pause between two attempts.
	 * @param maxDelay Longest pause between two attempts.
	 * @param maxAttempts How often the nodes are asked for a lock at most. Unlimited by
	 * default.
	 */
	public record Retry(@DefaultValue("50ms") Duration minDelay, @DefaultValue("500ms") Duration maxDelay,
			@Nullable Integer maxAttempts) {
	}

	/**
	 * Properties of fencing tokens.
	 *
	 * @param enabled Whether locks carry fencing tokens.
	 * @param retention How long a fence key outlives its last use.
	 */
	public record Fencing(@DefaultValue("true") boolean enabled, @DefaultValue("10m") Duration retention) {
	}

	/**
	 * Properties of the local hand-over.
	 *
	 * @param max How many threads of one instance one grant may serve. 0 to switch it
	 * off.
	 * @param maxDuration For how long one grant may be handed on.
	 */
	public record LocalHandover(@DefaultValue("16") int max, @DefaultValue("50ms") Duration maxDuration) {
	}

	/**
	 * Properties of locks in transactions.
	 *
	 * @param releaseAfterCompletion Whether a lock that is taken inside a transaction is
	 * released after the transaction's completion, not before.
	 */
	public record Transaction(@DefaultValue("true") boolean releaseAfterCompletion) {
	}

	/**
	 * Properties of the redis backend.
	 *
	 * @param waitReplicas How many replicas must confirm a lock.
	 * @param waitTimeout How long the replicas may take to confirm.
	 */
	public record Redis(@DefaultValue("0") int waitReplicas, @DefaultValue("1s") Duration waitTimeout) {
	}

}
