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
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.convert.Delimiter;
import org.springframework.core.Ordered;
import org.springframework.format.annotation.DurationFormat.Style;
import org.springframework.format.datetime.standard.DurationFormatterUtils;
import org.springframework.util.StringUtils;

import io.quorlock.Api;
import io.quorlock.LockRequest;
import io.quorlock.groups.Sharding.By;

/**
 * Configuration properties for distributed locks: a record for each group, with the
 * defaults and bounds of its properties.
 *
 * @param enabled Whether locks exclude other instances. When disabled, no backend is
 * asked: locks are kept in the memory of this process, and a warning at startup says so.
 * @param backend Backend that keeps the locks. By default, "redlock" when nodes are
 * known, else "zookeeper" when an ensemble is, else "redis" when the application has a
 * Redis connection factory, else "embedded" when quorlock-embedded is on the class path
 * of an application that is not packaged.
 * @param nodes Independent Redis masters as redis:// or rediss:// URIs, an odd number of
 * them.
 * @param groups Groups of independent Redis masters that share the names of locks, by id.
 * Instead of nodes.
 * @param sharding how names are shared out among groups
 * @param embedded the embedded backend
 * @param keyPrefix Prefix of every key and channel in Redis.
 * @param instanceId Readable name of this instance, part of the value of every lock. By
 * default, application name, host name and process id.
 * @param waitTime Time to wait for a lock that another owner holds.
 * @param unavailableFailFast Whether to fail after one attempt, instead of after the
 * wait, when no quorum of nodes replies.
 * @param leaseTime Time that a lock outlives a crash of its holder. Renewed at a third of
 * it while the lock is held.
 * @param maxLeaseTime Longest lease that may be requested.
 * @param retainTime Time for which an instance keeps a lease that it no longer uses, in
 * case it wants the lock again. Another instance that is refused meanwhile gets it after
 * one message.
 * @param releaseMode When closing a lock returns: when a quorum confirmed the release, or
 * when it was given to the connections.
 * @param leakDetection Whether each request records the stack of its caller, so that the
 * warning about a lock that is held for very long shows where it was acquired.
 * @param maxHoldTime Time after which a lock is no longer renewed, so that a stuck worker
 * does not hold it for ever. Unlimited by default.
 * @param restartQuarantine Time during which a restarted node has no vote. At least the
 * longest lease of any client of the nodes, or 0 to switch it off. By default the longest
 * lease, max-lease-time.
 * @param clockDriftFactor Relative difference in rate that two clocks may have.
 * @param connection the connections to all nodes
 * @param retry pauses between attempts
 * @param fencing fencing tokens
 * @param nodeMismatch Reaction to another instance that uses the same nodes with a
 * different list.
 * @param nodeEviction Reaction to a node that evicts keys, locks among them, when its
 * memory is full.
 * @param allowReplicas Whether replicas of a node are intended, and never promoted: there
 * is no warning about them then.
 * @param localHandover leases that pass to the next request of this process
 * @param transaction locks in transactions
 * @param order Order of the advisor among other advisors. By default outside transactions
 * and inside asynchronous execution and retry.
 * @param redis the redis backend
 * @param leader leader election
 * @param console the console
 * @param web web applications
 * @param zookeeper the zookeeper backend
 * @param shedlock the locks of ShedLock
 * @since 0.1.0
 */
@ConfigurationProperties("distributed-lock")
public record LockProperties(@DefaultValue("true") boolean enabled, @Nullable Backend backend,
		@DefaultValue List<String> nodes, @DefaultValue Map<String, Group> groups, @DefaultValue Sharding sharding,
		@DefaultValue Embedded embedded, @DefaultValue("lock:") String keyPrefix, @Nullable String instanceId,
		@DefaultValue("5s") Duration waitTime, boolean unavailableFailFast, @DefaultValue("30s") Duration leaseTime,
		@DefaultValue("60s") Duration maxLeaseTime, @DefaultValue("0s") Duration retainTime,
		@DefaultValue("confirmed") ReleaseMode releaseMode, boolean leakDetection, @Nullable Duration maxHoldTime,
		@Nullable Duration restartQuarantine, @DefaultValue("0.01") double clockDriftFactor,
		@DefaultValue Connection connection, @DefaultValue Retry retry, @DefaultValue Fencing fencing,
		@DefaultValue("fail") NodeMismatch nodeMismatch, @DefaultValue("exclude-allkeys") NodeEviction nodeEviction,
		boolean allowReplicas, @DefaultValue LocalHandover localHandover, @DefaultValue Transaction transaction,
		@DefaultValue("" + LockProperties.DEFAULT_ORDER) int order, @DefaultValue Redis redis,
		@DefaultValue Leader leader, @DefaultValue Console console, @DefaultValue Web web,
		@DefaultValue ZooKeeper zookeeper, @DefaultValue ShedLock shedlock) {

	/**
	 * Outside transactions, inside asynchronous execution and retry.
	 */
	public static final int DEFAULT_ORDER = Ordered.LOWEST_PRECEDENCE - 100;

	static final String PREFIX = "distributed-lock.";

	/** A century: longer durations, added to a clock, would overflow. */
	private static final Duration MAX_DURATION = LockRequest.UNLIMITED_WAIT;

	/**
	 * Check the bounds of all properties.
	 * @throws InvalidLockConfigurationException if a value is out of bounds
	 */
	void check() {
		require(!this.keyPrefix.contains("{") && !this.keyPrefix.contains("}"), "key-prefix", this.keyPrefix,
				"it contains a brace, and the braces around a lock's name must be the only ones in its key",
				"Choose a prefix without braces.");
		String id = this.instanceId;
		require(id == null || StringUtils.hasText(id), "instance-id", id, "it is blank",
				"Remove the property to get the default, or set it to a name by which operators recognize the instance.");
		// Messages between instances have a line for each part.
		require(id == null || id.chars().noneMatch(Character::isISOControl), "instance-id", id,
				"it contains a line break or another control character",
				"Remove the character; in YAML, a block that begins with '|' ends with a line break.");
		this.leader.check();
		checkServers();
		notNegative("wait-time", this.waitTime);
		positive("lease-time", this.leaseTime);
		positive("max-lease-time", this.maxLeaseTime);
		if (this.maxHoldTime != null) {
			positive("max-hold-time", this.maxHoldTime);
		}
		this.redis.check();
		this.connection.check();
		checkLease();
		this.retry.check();
		notNegative("retain-time", this.retainTime);
		this.localHandover.check();
		require(this.clockDriftFactor >= 0 && this.clockDriftFactor <= 0.1, "clock-drift-factor",
				String.valueOf(this.clockDriftFactor), "it must be between 0 and 0.1",
				"Use a fraction: 0.01 allows clocks to differ by one percent in rate.");
		Duration quarantine = quarantine();
		notNegative("restart-quarantine", quarantine);
		require(quarantine.isZero() || quarantine.compareTo(this.maxLeaseTime) >= 0, "restart-quarantine",
				text(quarantine),
				"it is shorter than " + PREFIX + "max-lease-time, which is " + text(this.maxLeaseTime)
						+ ": a node that restarted empty would vote while locks that it lost are still held",
				"Raise it to at least the longest lease of any client of the nodes, or set it to 0 to switch the quarantine off.");
		this.fencing.check(quarantine);
		this.embedded.check();
	}

	private void checkServers() {
		String ids = String.join(", ", this.groups.keySet());
		require(this.groups.isEmpty() || this.nodes.isEmpty(), "groups", ids,
				"it is set together with " + PREFIX
						+ "nodes, and a lock is kept either on these nodes or in one of the groups",
				"Move the nodes into a group of their own and remove " + PREFIX + "nodes. Changing where locks are kept"
						+ " needs a stop of all instances, see docs/groups.md.");
		this.groups.keySet()
			.forEach((id) -> require(id.matches("[\\w.-]+"), "groups", id,
					"the id of a group may have letters, digits, '.', '_' and '-'", "Choose another id."));
		// Tests replace the groups, whatever the application configures.
		boolean kept = this.backend != Backend.REDIS && this.backend != Backend.ZOOKEEPER;
		require(this.groups.isEmpty() || kept, "groups", ids,
				"the backend is " + this.backend + ", and only independent Redis nodes form groups",
				"Remove " + PREFIX + "backend, or the groups.");
		String ensemble = this.zookeeper.connectString();
		boolean both = this.backend == null && StringUtils.hasText(ensemble);
		require(this.nodes.isEmpty() || !both, "zookeeper.connect-string", ensemble,
				"it is set together with " + PREFIX + "nodes, and locks are kept either on Redis nodes or in ZooKeeper",
				"Remove one of the two, or set " + PREFIX + "backend to redlock or zookeeper.");
		require(this.groups.isEmpty() || !both, "groups", ids, "it is set together with " + PREFIX
				+ "zookeeper.connect-string, and locks are kept either in groups of Redis nodes or in ZooKeeper",
				"Remove " + PREFIX
						+ "zookeeper.connect-string to use the groups, or the groups to use ZooKeeper. To have"
						+ " both in the configuration, set " + PREFIX + "backend to redlock, which uses the groups.");
	}

	private void checkLease() {
		Duration timeout = operationTimeout();
		boolean longEnough = timeout.compareTo(this.leaseTime) < 0;
		require(longEnough || this.leaseTime.toSeconds() > 0, "lease-time", text(this.leaseTime),
				"it must be longer than " + PREFIX + "connection.operation-timeout, which is " + text(timeout),
				"Write the unit, such as 30s: a number without one is in milliseconds.");
		require(longEnough, "connection.operation-timeout", text(timeout),
				"it must be shorter than " + PREFIX + "lease-time, which is " + text(this.leaseTime)
						+ ": a lease must not end before a node has replied",
				"Shorten the operation timeout, or lengthen the lease time.");
		require(this.leaseTime.compareTo(this.maxLeaseTime) <= 0, "lease-time", text(this.leaseTime),
				"it must not exceed " + PREFIX + "max-lease-time, which is " + text(this.maxLeaseTime),
				"Shorten the lease time, or raise " + PREFIX + "max-lease-time on all instances.");
	}

	/**
	 * Return how long a node may take to reply, with the time that it waits for its
	 * replicas.
	 * @return the time
	 */
	public Duration operationTimeout() {
		boolean usesRedis = (this.backend != null) ? this.backend == Backend.REDIS
				: this.nodes.isEmpty() && this.groups.isEmpty();
		Duration timeout = this.connection.operationTimeout();
		return (usesRedis && this.redis.waitReplicas() > 0) ? timeout.plus(this.redis.waitTimeout()) : timeout;
	}

	/**
	 * Return the time during which a restarted node has no vote; zero if the quarantine
	 * is switched off.
	 * @return the time
	 */
	public Duration quarantine() {
		return Objects.requireNonNullElse(this.restartQuarantine, this.maxLeaseTime);
	}

	private static void notNegative(String property, Duration value) {
		require(!value.isNegative(), property, text(value), "it must not be negative", "Use a duration of 0 or more.");
		notTooLong(property, value);
	}

	private static void positive(String property, Duration value) {
		require(value.compareTo(Duration.ofMillis(1)) >= 0, property, text(value),
				"it must be at least one millisecond", "Use a longer duration.");
		notTooLong(property, value);
	}

	private static void notTooLong(String property, Duration value) {
		require(value.compareTo(MAX_DURATION) <= 0, property, text(value),
				"it must not exceed %d days".formatted(MAX_DURATION.toDays()), "Use a shorter duration.");
	}

	private static void atLeast(int min, String property, int value) {
		require(value >= min, property, String.valueOf(value), "it must be at least " + min,
				"Use " + min + " or more.");
	}

	private static void require(boolean condition, String property, @Nullable String value, String reason,
			String action) {
		InvalidLockConfigurationException.require(condition, PREFIX + property, value, reason, action);
	}

	static String text(Duration duration) {
		return DurationFormatterUtils.print(duration, Style.COMPOSITE);
	}

	/** Without addresses, which may contain passwords. */
	@Override
	public String toString() {
		return "LockProperties[backend=%s]".formatted(this.backend);
	}

	/**
	 * Backends that can keep the locks.
	 */
	@Api(Api.Status.STABLE)
	public enum Backend {

		/**
		 * Quorum of independent Redis masters.
		 */
		REDLOCK,

		/**
		 * Quorum of Redis servers that the application starts itself, for development.
		 */
		EMBEDDED,

		/**
		 * Redis of the application's own connection factory.
		 */
		REDIS,

		/**
		 * ZooKeeper ensemble.
		 */
		ZOOKEEPER,

		/**
		 * Memory of this process, for tests.
		 */
		IN_MEMORY;

		/** As it is written in the configuration. */
		@Override
		public String toString() {
			return name().toLowerCase(Locale.ROOT).replace('_', '-');
		}

	}

	/**
	 * When closing a lock returns.
	 */
	public enum ReleaseMode {

		/**
		 * When a quorum confirmed the release, or after one operation timeout.
		 */
		CONFIRMED,

		/**
		 * When the release was given to the connections.
		 */
		SENT

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

	/**
	 * A group of nodes.
	 *
	 * @param nodes Independent Redis masters of the group as redis:// or rediss:// URIs.
	 */
	public record Group(@DefaultValue List<String> nodes) {

		/** Without addresses, which may contain passwords. */
		@Override
		public String toString() {
			return "Group[%d nodes]".formatted(this.nodes.size());
		}

	}

	/**
	 * How names are shared out among groups.
	 *
	 * @param by What decides to which group a name belongs: the whole name, or what
	 * stands before its first colon.
	 */
	public record Sharding(@DefaultValue("name") By by) {

	}

	/**
	 * Properties of the embedded backend.
	 *
	 * @param nodes Number of Redis servers to start.
	 * @param zookeeper Number of ZooKeeper servers to start instead of Redis servers.
	 */
	public record Embedded(@DefaultValue("5") int nodes, @Nullable Integer zookeeper) {

		private void check() {
			atLeast(1, "embedded.nodes", this.nodes);
		}

	}

	/**
	 * Properties of the connections to all nodes.
	 *
	 * @param operationTimeout Time that a node may take to reply.
	 * @param connectTimeout Time for each step of connecting; for TCP at most max(300ms,
	 * operation-timeout).
	 * @param username User name for all nodes. User information in the URI of a node
	 * takes precedence.
	 * @param password Password for all nodes. User information in the URI of a node takes
	 * precedence.
	 * @param clientName Name of the connections, as the nodes list it.
	 * @param ssl encrypted connections
	 */
	public record Connection(@DefaultValue("100ms") Duration operationTimeout,
			@DefaultValue("1s") Duration connectTimeout, @Nullable String username, @Nullable String password,
			@DefaultValue("quorlock") String clientName, @DefaultValue Ssl ssl) {

		/** A pause of the garbage collector alone takes as long. */
		private static final Duration MIN_OPERATION_TIMEOUT = Duration.ofMillis(5);

		private void check() {
			String property = "connection.operation-timeout";
			require(this.operationTimeout.compareTo(MIN_OPERATION_TIMEOUT) >= 0, property, text(this.operationTimeout),
					"it must be at least " + text(MIN_OPERATION_TIMEOUT) + ": no reply of a node would count",
					"Use several round trips, for example 100ms.");
			positive(property, this.operationTimeout);
			positive("connection.connect-timeout", this.connectTimeout);
			require(StringUtils.hasLength(this.password) || !StringUtils.hasLength(this.username),
					"connection.username", this.username,
					"there is no " + PREFIX + "connection.password, and without one the nodes use their default user",
					"Set the password, or remove the user name.");
			require(this.clientName.chars().allMatch((character) -> character >= '!' && character <= '~'),
					"connection.client-name", this.clientName,
					"servers refuse every connection whose name has a space or anything but printable ASCII characters",
					"Use letters, digits, '-', '_' and '.', or remove the property.");
		}

		/** Without the password. */
		@Override
		public String toString() {
			return "Connection[operationTimeout=%s]".formatted(this.operationTimeout);
		}

	}

	/**
	 * Properties of encrypted connections to Redis nodes.
	 *
	 * @param bundle SSL bundle name for nodes with a rediss:// URI.
	 */
	public record Ssl(@Nullable String bundle) {

	}

	/**
	 * Properties of retries.
	 *
	 * @param minDelay Shortest pause between two attempts.
	 * @param maxDelay Longest pause between two attempts.
	 * @param maxAttempts Maximum number of attempts to get a lock. Unlimited by default.
	 */
	public record Retry(@DefaultValue("50ms") Duration minDelay, @DefaultValue("500ms") Duration maxDelay,
			@Nullable Integer maxAttempts) {

		private void check() {
			positive("retry.min-delay", this.minDelay);
			positive("retry.max-delay", this.maxDelay);
			require(this.minDelay.compareTo(this.maxDelay) <= 0, "retry.min-delay", text(this.minDelay),
					"it must not exceed " + PREFIX + "retry.max-delay, which is " + text(this.maxDelay),
					"Lower the shortest pause, or raise the longest.");
			atLeast(1, "retry.max-attempts", Objects.requireNonNullElse(this.maxAttempts, 1));
		}

	}

	/**
	 * Properties of fencing tokens.
	 *
	 * @param enabled Whether locks carry fencing tokens.
	 * @param retention Time that a fence key outlives its last grant, and half of it its
	 * last renewal.
	 * @param floor Least fencing token that is ever proposed. Needed where the locks were
	 * on ZooKeeper before, or on other ZooKeeper servers, whose tokens run ahead of the
	 * clock.
	 */
	public record Fencing(@DefaultValue("true") boolean enabled, @Nullable Duration retention, @Nullable Long floor) {

		private static final Duration DEFAULT_RETENTION = Duration.ofMinutes(10);

		/** Tokens end at 2^53, and those that follow the floor need room. */
		private static final long MAX_FLOOR = 1L << 52;

		private void check(Duration quarantine) {
			Duration retention = retention(quarantine);
			notNegative("fencing.retention", retention);
			require(!this.enabled || retention.compareTo(quarantine) >= 0, "fencing.retention", text(retention),
					"it is shorter than the restart quarantine, which is " + text(quarantine)
							+ ": voting nodes could have lost the last fencing token",
					"Raise it to at least the restart quarantine.");
			require(floorOrZero() >= 0 && floorOrZero() <= MAX_FLOOR, "fencing.floor", String.valueOf(this.floor),
					"it must be between 0 and 2^52",
					"Set it to the greatest token that the other store has issued, or remove it.");
		}

		/** Return the retention, which is no shorter than the quarantine unless set. */
		Duration retention(Duration quarantine) {
			Duration unset = (quarantine.compareTo(DEFAULT_RETENTION) > 0) ? quarantine : DEFAULT_RETENTION;
			return Objects.requireNonNullElse(this.retention, unset);
		}

		/**
		 * Return the least fencing token that is ever proposed.
		 * @return the configured token, or 0
		 */
		public long floorOrZero() {
			return Objects.requireNonNullElse(this.floor, 0L);
		}

	}

	/**
	 * Properties of the local hand-over.
	 *
	 * @param max Maximum number of turns that one grant serves within one instance.
	 * Readers that share the lease take one turn together. 0 to switch it off.
	 * @param maxDuration Time for which one grant may be handed on.
	 */
	public record LocalHandover(@DefaultValue("16") int max, @DefaultValue("50ms") Duration maxDuration) {

		private void check() {
			notNegative("local-handover.max-duration", this.maxDuration);
			atLeast(0, "local-handover.max", this.max);
		}

	}

	/**
	 * Properties of locks in transactions.
	 *
	 * @param releaseAfterCompletion Whether a lock that is taken inside a transaction is
	 * released after the transaction's completion.
	 */
	public record Transaction(@DefaultValue("true") boolean releaseAfterCompletion) {

	}

	/**
	 * Properties of the redis backend.
	 *
	 * @param waitReplicas Number of replicas that must confirm a lock.
	 * @param waitTimeout Time that the replicas may take to confirm.
	 * @param durable Whether a failover forgets no confirmed write, as with a replicated
	 * log: there is no warning about failovers then.
	 */
	public record Redis(@DefaultValue("0") int waitReplicas, @DefaultValue("1s") Duration waitTimeout,
			boolean durable) {

		private void check() {
			positive("redis.wait-timeout", this.waitTimeout);
			atLeast(0, "redis.wait-replicas", this.waitReplicas);
		}

	}

	/**
	 * Properties of leader election.
	 *
	 * @param roles Roles of which each is led by one instance at a time.
	 * @param autoStart Whether this instance competes for the roles once the application
	 * is ready.
	 */
	public record Leader(@DefaultValue List<String> roles, @DefaultValue("true") boolean autoStart) {

		/** The name of its lock has at most 1,024 characters, and may escape each. */
		private static final int MAX_ROLE = 256;

		/** The election of a role that is no key would be tried for ever. */
		private void check() {
			this.roles.forEach((role) -> require(StringUtils.hasText(role) && role.length() <= MAX_ROLE, "leader.roles",
					role, "a role has 1 to %d characters, not all of them blank".formatted(MAX_ROLE),
					"Correct the list. Roles are separated by single commas."));
		}

	}

	/**
	 * Properties of the console.
	 *
	 * @param enabled Whether a page beside the endpoint "locks" shows what it reports.
	 * Needs a servlet application.
	 */
	public record Console(boolean enabled) {

	}

	/**
	 * Properties of web applications.
	 *
	 * @param problemDetails Whether a lock that was not acquired, and a quorum that did
	 * not reply, are rendered as problem details (RFC 9457).
	 */
	public record Web(@DefaultValue("true") boolean problemDetails) {

	}

	/**
	 * Properties of the zookeeper backend.
	 *
	 * @param connectString Servers of the ensemble, as in
	 * 'host1:2181,host2:2181,host3:2181'. Selects the zookeeper backend unless another is
	 * configured.
	 * @param sessionTimeout Time after which the servers end the session of an
	 * unresponsive instance and free its locks. The servers may negotiate another value.
	 * @param connectionTimeout Time within which a server has to accept a new session.
	 * The session is opened anew otherwise.
	 * @param root Node below which all others are kept.
	 * @param auth Credentials of every session, each as 'scheme:secret', for example
	 * 'digest:user:password'. A single value is one entry, commas included; several are
	 * written as a list.
	 * @param acl Access control list of every node that is created, each entry as
	 * 'scheme:id:permissions', for example 'auth::cdrwa'. A single value is one entry,
	 * commas included; several are written as a list. All users may do everything unless
	 * set.
	 * @param clientProperties Properties of the ZooKeeper client, for example for SASL.
	 * @param ssl encrypted connections
	 */
	public record ZooKeeper(@Nullable String connectString, @DefaultValue("15s") Duration sessionTimeout,
			@DefaultValue("15s") Duration connectionTimeout, @DefaultValue("/quorlock") String root,
			@Delimiter(Delimiter.NONE) @DefaultValue List<String> auth,
			@Delimiter(Delimiter.NONE) @DefaultValue List<String> acl,
			@DefaultValue Map<String, String> clientProperties, @DefaultValue ZooKeeperSsl ssl) {

		/** Without credentials. */
		@Override
		public String toString() {
			return "ZooKeeper[%s%s]".formatted(this.connectString, this.root);
		}

	}

	/**
	 * Properties of encrypted connections to ZooKeeper.
	 *
	 * @param bundle SSL bundle name. Connections are encrypted when it is set.
	 */
	public record ZooKeeperSsl(@Nullable String bundle) {

	}

	/**
	 * Properties of the locks of ShedLock.
	 *
	 * @param endWithSession Whether the lock of a task may end with the ZooKeeper session
	 * of an instance that crashes. Otherwise, a lockAtMostFor beyond the session timeout
	 * is refused on ZooKeeper.
	 */
	public record ShedLock(boolean endWithSession) {

	}

}
