package io.quorlock.autoconfigure;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.core.Ordered;

/**
 * Configuration properties for distributed locks.
 *
 * @since 0.1.0
 */
@ConfigurationProperties("distributed-lock")
public class LockProperties {

	/**
	 * Outside transactions, inside asynchronous execution and retry.
	 */
	public static final int DEFAULT_ORDER = Ordered.LOWEST_PRECEDENCE - 100;

	/**
	 * Whether methods and templates lock. When disabled, everything runs unlocked.
	 */
	private boolean enabled = true;

	/**
	 * Backend that keeps the locks. By default, "redlock" when nodes are known, else
	 * "redis" when the application has a Redis connection factory, else "embedded" when
	 * lock-embedded is on the class path of an application that is not packaged.
	 */
	private @Nullable Backend backend;

	/**
	 * Independent Redis masters as redis:// or rediss:// URIs, an odd number of them.
	 */
	private List<String> nodes = new ArrayList<>();

	/**
	 * Groups of independent Redis masters that share the names of locks, by id. Instead
	 * of nodes.
	 */
	private Map<String, Group> groups = new LinkedHashMap<>();

	private final Sharding sharding = new Sharding();

	private final Embedded embedded = new Embedded();

	/**
	 * Prefix of every key and channel in Redis.
	 */
	private String keyPrefix = "lock:";

	/**
	 * Time to wait for a lock that another owner holds.
	 */
	private Duration waitTime = Duration.ofSeconds(5);

	/**
	 * Whether to fail after one attempt, instead of after the wait, when no quorum of
	 * nodes replies.
	 */
	private boolean unavailableFailFast = false;

	/**
	 * Time that a lock outlives a crash of its holder. Renewed at a third of it while the
	 * lock is held.
	 */
	private Duration leaseTime = Duration.ofSeconds(30);

	/**
	 * Longest lease that may be requested.
	 */
	private Duration maxLeaseTime = Duration.ofSeconds(60);

	/**
	 * Time for which a lock stays taken after the validity of a holder that vanished or
	 * lost it. A release in time frees it at once.
	 */
	private Duration lockDelay = Duration.ofSeconds(0);

	/**
	 * Time for which an instance keeps a lease that it no longer uses, in case it wants
	 * the lock again. Another instance that is refused meanwhile gets it after one
	 * message.
	 */
	private Duration retainTime = Duration.ofSeconds(0);

	/**
	 * When closing a lock returns: when a quorum confirmed the release, or when it was
	 * given to the connections.
	 */
	private ReleaseMode releaseMode = ReleaseMode.CONFIRMED;

	/**
	 * Whether each request records the stack of its caller, so that the warning about a
	 * lock that is held for very long shows where it was acquired.
	 */
	private boolean leakDetection = false;

	/**
	 * Time after which a lock is no longer renewed, so that a stuck worker does not hold
	 * it for ever. Unlimited by default.
	 */
	private @Nullable Duration maxHoldTime;

	/**
	 * Readable name of this instance, part of the value of every lock. By default,
	 * application name, host name and process id.
	 */
	private @Nullable String instanceId;

	private final Connection connection = new Connection();

	private final Retry retry = new Retry();

	/**
	 * Relative difference in rate that two clocks may have.
	 */
	private double clockDriftFactor = 0.01;

	/**
	 * Time during which a restarted node has no vote. At least the longest lease of any
	 * client of the nodes, or 0 to switch it off. By default, max-lease-time and
	 * lock-delay together.
	 */
	private @Nullable Duration restartQuarantine;

	private final Fencing fencing = new Fencing();

	/**
	 * Reaction to another instance that uses the same nodes with a different list.
	 */
	private NodeMismatch nodeMismatch = NodeMismatch.WARN;

	private final LocalHandover localHandover = new LocalHandover();

	private final Transaction transaction = new Transaction();

	/**
	 * Order of the advisor among other advisors. By default outside transactions and
	 * inside asynchronous execution and retry.
	 */
	private int order = DEFAULT_ORDER;

	private final Redis redis = new Redis();

	private final Leader leader = new Leader();

	private final Web web = new Web();

	private final Zookeeper zookeeper = new Zookeeper();

	public boolean isEnabled() {
		return this.enabled;
	}

	public void setEnabled(boolean enabled) {
		this.enabled = enabled;
	}

	public @Nullable Backend getBackend() {
		return this.backend;
	}

	public void setBackend(@Nullable Backend backend) {
		this.backend = backend;
	}

	public List<String> getNodes() {
		return this.nodes;
	}

	public void setNodes(List<String> nodes) {
		this.nodes = nodes;
	}

	public Map<String, Group> getGroups() {
		return this.groups;
	}

	public void setGroups(Map<String, Group> groups) {
		this.groups = groups;
	}

	public Sharding getSharding() {
		return this.sharding;
	}

	public Embedded getEmbedded() {
		return this.embedded;
	}

	public String getKeyPrefix() {
		return this.keyPrefix;
	}

	public void setKeyPrefix(String keyPrefix) {
		this.keyPrefix = keyPrefix;
	}

	public Duration getWaitTime() {
		return this.waitTime;
	}

	public void setWaitTime(Duration waitTime) {
		this.waitTime = waitTime;
	}

	public boolean isUnavailableFailFast() {
		return this.unavailableFailFast;
	}

	public void setUnavailableFailFast(boolean unavailableFailFast) {
		this.unavailableFailFast = unavailableFailFast;
	}

	public Duration getLeaseTime() {
		return this.leaseTime;
	}

	public void setLeaseTime(Duration leaseTime) {
		this.leaseTime = leaseTime;
	}

	public Duration getMaxLeaseTime() {
		return this.maxLeaseTime;
	}

	public void setMaxLeaseTime(Duration maxLeaseTime) {
		this.maxLeaseTime = maxLeaseTime;
	}

	public @Nullable Duration getMaxHoldTime() {
		return this.maxHoldTime;
	}

	public void setMaxHoldTime(@Nullable Duration maxHoldTime) {
		this.maxHoldTime = maxHoldTime;
	}

	public Duration getLockDelay() {
		return this.lockDelay;
	}

	public void setLockDelay(Duration lockDelay) {
		this.lockDelay = lockDelay;
	}

	public Duration getRetainTime() {
		return this.retainTime;
	}

	public void setRetainTime(Duration retainTime) {
		this.retainTime = retainTime;
	}

	public ReleaseMode getReleaseMode() {
		return this.releaseMode;
	}

	public void setReleaseMode(ReleaseMode releaseMode) {
		this.releaseMode = releaseMode;
	}

	public boolean isLeakDetection() {
		return this.leakDetection;
	}

	public void setLeakDetection(boolean leakDetection) {
		this.leakDetection = leakDetection;
	}

	public @Nullable String getInstanceId() {
		return this.instanceId;
	}

	public void setInstanceId(@Nullable String instanceId) {
		this.instanceId = instanceId;
	}

	public Connection getConnection() {
		return this.connection;
	}

	public Retry getRetry() {
		return this.retry;
	}

	public double getClockDriftFactor() {
		return this.clockDriftFactor;
	}

	public void setClockDriftFactor(double clockDriftFactor) {
		this.clockDriftFactor = clockDriftFactor;
	}

	public @Nullable Duration getRestartQuarantine() {
		return this.restartQuarantine;
	}

	public void setRestartQuarantine(@Nullable Duration restartQuarantine) {
		this.restartQuarantine = restartQuarantine;
	}

	public Fencing getFencing() {
		return this.fencing;
	}

	public NodeMismatch getNodeMismatch() {
		return this.nodeMismatch;
	}

	public void setNodeMismatch(NodeMismatch nodeMismatch) {
		this.nodeMismatch = nodeMismatch;
	}

	public LocalHandover getLocalHandover() {
		return this.localHandover;
	}

	public Transaction getTransaction() {
		return this.transaction;
	}

	public int getOrder() {
		return this.order;
	}

	public void setOrder(int order) {
		this.order = order;
	}

	public Redis getRedis() {
		return this.redis;
	}

	public Leader getLeader() {
		return this.leader;
	}

	public Web getWeb() {
		return this.web;
	}

	public Zookeeper getZookeeper() {
		return this.zookeeper;
	}

	/**
	 * Return the time during which a restarted node has no vote.
	 * @return the configured time or, if there is none, the longest lease; zero if the
	 * quarantine is switched off
	 */
	public Duration determineRestartQuarantine() {
		return (this.restartQuarantine != null) ? this.restartQuarantine : this.maxLeaseTime.plus(this.lockDelay);
	}

	/**
	 * Backends that can keep the locks.
	 */
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
		IN_MEMORY

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
		 * Log a warning.
		 */
		WARN,

		/**
		 * Ignore the votes of the node.
		 */
		FAIL

	}

	/**
	 * A group of nodes.
	 */
	public static class Group {

		/**
		 * Independent Redis masters of the group as redis:// or rediss:// URIs.
		 */
		private List<String> nodes = new ArrayList<>();

		public List<String> getNodes() {
			return this.nodes;
		}

		public void setNodes(List<String> nodes) {
			this.nodes = nodes;
		}

	}

	/**
	 * How names are shared out among groups.
	 */
	public static class Sharding {

		/**
		 * What decides to which group a name belongs: the whole name, or what stands
		 * before its first colon.
		 */
		private ShardBy by = ShardBy.NAME;

		/**
		 * Version of the layout of groups. Odd versions are layouts, even ones moves from
		 * the layout before to the one behind. Without a version, names do not move while
		 * instances run.
		 */
		private @Nullable Integer version;

		/**
		 * Groups that names move from, by id. All groups of the layout before.
		 */
		private Map<String, Group> previous = new LinkedHashMap<>();

		public @Nullable Integer getVersion() {
			return this.version;
		}

		public void setVersion(@Nullable Integer version) {
			this.version = version;
		}

		public Map<String, Group> getPrevious() {
			return this.previous;
		}

		public void setPrevious(Map<String, Group> previous) {
			this.previous = previous;
		}

		public ShardBy getBy() {
			return this.by;
		}

		public void setBy(ShardBy by) {
			this.by = by;
		}

	}

	/**
	 * What decides to which group a name belongs.
	 */
	public enum ShardBy {

		/**
		 * The whole name.
		 */
		NAME,

		/**
		 * What stands before the first colon.
		 */
		PREFIX

	}

	/**
	 * Properties of the embedded backend.
	 */
	public static class Embedded {

		/**
		 * Number of Redis servers to start.
		 */
		private int nodes = 5;

		/**
		 * Number of ZooKeeper servers to start instead of Redis servers.
		 */
		private @Nullable Integer zookeeper;

		public int getNodes() {
			return this.nodes;
		}

		public void setNodes(int nodes) {
			this.nodes = nodes;
		}

		public @Nullable Integer getZookeeper() {
			return this.zookeeper;
		}

		public void setZookeeper(@Nullable Integer zookeeper) {
			this.zookeeper = zookeeper;
		}

	}

	/**
	 * Properties of the connections to all nodes.
	 */
	public static class Connection {

		/**
		 * Time that a node may take to reply.
		 */
		private Duration operationTimeout = Duration.ofMillis(100);

		/**
		 * Time that each step of connecting to a node may take.
		 */
		private Duration connectTimeout = Duration.ofSeconds(1);

		/**
		 * User name for all nodes. User information in the URI of a node takes
		 * precedence.
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

	}

	/**
	 * Properties of retries.
	 */
	public static class Retry {

		/**
		 * Shortest pause between two attempts.
		 */
		private Duration minDelay = Duration.ofMillis(50);

		/**
		 * Longest pause between two attempts.
		 */
		private Duration maxDelay = Duration.ofMillis(500);

		/**
		 * Maximum number of attempts to get a lock. Unlimited by default.
		 */
		private @Nullable Integer maxAttempts;

		public Duration getMinDelay() {
			return this.minDelay;
		}

		public void setMinDelay(Duration minDelay) {
			this.minDelay = minDelay;
		}

		public Duration getMaxDelay() {
			return this.maxDelay;
		}

		public void setMaxDelay(Duration maxDelay) {
			this.maxDelay = maxDelay;
		}

		public @Nullable Integer getMaxAttempts() {
			return this.maxAttempts;
		}

		public void setMaxAttempts(@Nullable Integer maxAttempts) {
			this.maxAttempts = maxAttempts;
		}

	}

	/**
	 * Properties of fencing tokens.
	 */
	public static class Fencing {

		/**
		 * Whether locks carry fencing tokens.
		 */
		private boolean enabled = true;

		/**
		 * Time that a fence key outlives its last use.
		 */
		private Duration retention = Duration.ofMinutes(10);

		/**
		 * Least fencing token that is ever proposed. Needed where the locks were on
		 * ZooKeeper before, whose tokens run ahead of the clock.
		 */
		private @Nullable Long floor;

		public boolean isEnabled() {
			return this.enabled;
		}

		public void setEnabled(boolean enabled) {
			this.enabled = enabled;
		}

		public Duration getRetention() {
			return this.retention;
		}

		public void setRetention(Duration retention) {
			this.retention = retention;
		}

		public @Nullable Long getFloor() {
			return this.floor;
		}

		public void setFloor(@Nullable Long floor) {
			this.floor = floor;
		}

	}

	/**
	 * Properties of the local hand-over.
	 */
	public static class LocalHandover {

		/**
		 * Maximum number of turns that one grant serves within one instance. Readers that
		 * share the lease take one turn together. 0 to switch it off.
		 */
		private int max = 16;

		/**
		 * Time for which one grant may be handed on.
		 */
		private Duration maxDuration = Duration.ofMillis(50);

		public int getMax() {
			return this.max;
		}

		public void setMax(int max) {
			this.max = max;
		}

		public Duration getMaxDuration() {
			return this.maxDuration;
		}

		public void setMaxDuration(Duration maxDuration) {
			this.maxDuration = maxDuration;
		}

	}

	/**
	 * Properties of locks in transactions.
	 */
	public static class Transaction {

		/**
		 * Whether a lock that is taken inside a transaction is released after the
		 * transaction's completion.
		 */
		private boolean releaseAfterCompletion = true;

		public boolean isReleaseAfterCompletion() {
			return this.releaseAfterCompletion;
		}

		public void setReleaseAfterCompletion(boolean releaseAfterCompletion) {
			this.releaseAfterCompletion = releaseAfterCompletion;
		}

	}

	/**
	 * Properties of the redis backend.
	 */
	public static class Redis {

		/**
		 * Number of replicas that must confirm a lock.
		 */
		private int waitReplicas = 0;

		/**
		 * Time that the replicas may take to confirm.
		 */
		private Duration waitTimeout = Duration.ofSeconds(1);

		public int getWaitReplicas() {
			return this.waitReplicas;
		}

		public void setWaitReplicas(int waitReplicas) {
			this.waitReplicas = waitReplicas;
		}

		public Duration getWaitTimeout() {
			return this.waitTimeout;
		}

		public void setWaitTimeout(Duration waitTimeout) {
			this.waitTimeout = waitTimeout;
		}

	}

	/**
	 * Properties of leader election.
	 */
	public static class Leader {

		/**
		 * Roles of which each is led by one instance at a time.
		 */
		private List<String> roles = new ArrayList<>();

		/**
		 * Whether this instance competes for the roles once the application is ready.
		 */
		private boolean autoStart = true;

		public List<String> getRoles() {
			return this.roles;
		}

		public void setRoles(List<String> roles) {
			this.roles = roles;
		}

		public boolean isAutoStart() {
			return this.autoStart;
		}

		public void setAutoStart(boolean autoStart) {
			this.autoStart = autoStart;
		}

	}

	/**
	 * Properties of web applications.
	 */
	public static class Web {

		/**
		 * Whether exceptions of locks are rendered as problem details (RFC 9457).
		 */
		private boolean problemDetails = false;

		public boolean isProblemDetails() {
			return this.problemDetails;
		}

		public void setProblemDetails(boolean problemDetails) {
			this.problemDetails = problemDetails;
		}

	}

	/**
	 * Properties of the zookeeper backend.
	 */
	public static class Zookeeper {

		/**
		 * Servers of the ensemble, as in 'host1:2181,host2:2181,host3:2181'. Selects the
		 * zookeeper backend unless another is configured.
		 */
		private @Nullable String connectString;

		/**
		 * Time after which the servers end the session of an unresponsive instance and
		 * free its locks. The servers may negotiate another value.
		 */
		private Duration sessionTimeout = Duration.ofSeconds(15);

		/**
		 * Node below which all others are kept.
		 */
		private String root = "/quorlock";

		/**
		 * Credentials of every session, each as 'scheme:secret', for example
		 * 'digest:user:password'.
		 */
		private List<String> auth = new ArrayList<>();

		/**
		 * Access control list of every node that is created, each entry as
		 * 'scheme:id:permissions', for example 'auth::cdrwa'. All users may do everything
		 * unless set.
		 */
		private List<String> acl = new ArrayList<>();

		/**
		 * Properties of the ZooKeeper client, for example for SASL.
		 */
		private Map<String, String> clientProperties = new LinkedHashMap<>();

		private final Ssl ssl = new Ssl();

		public @Nullable String getConnectString() {
			return this.connectString;
		}

		public void setConnectString(@Nullable String connectString) {
			this.connectString = connectString;
		}

		public Duration getSessionTimeout() {
			return this.sessionTimeout;
		}

		public void setSessionTimeout(Duration sessionTimeout) {
			this.sessionTimeout = sessionTimeout;
		}

		public String getRoot() {
			return this.root;
		}

		public void setRoot(String root) {
			this.root = root;
		}

		public List<String> getAuth() {
			return this.auth;
		}

		public void setAuth(List<String> auth) {
			this.auth = auth;
		}

		public List<String> getAcl() {
			return this.acl;
		}

		public void setAcl(List<String> acl) {
			this.acl = acl;
		}

		public Map<String, String> getClientProperties() {
			return this.clientProperties;
		}

		public void setClientProperties(Map<String, String> clientProperties) {
			this.clientProperties = clientProperties;
		}

		public Ssl getSsl() {
			return this.ssl;
		}

		/**
		 * Properties of encrypted connections to ZooKeeper.
		 */
		public static class Ssl {

			/**
			 * SSL bundle name. Connections are encrypted when it is set.
			 */
			private @Nullable String bundle;

			public @Nullable String getBundle() {
				return this.bundle;
			}

			public void setBundle(@Nullable String bundle) {
				this.bundle = bundle;
			}

		}

	}

}
