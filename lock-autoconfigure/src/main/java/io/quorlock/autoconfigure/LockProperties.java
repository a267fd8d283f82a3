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

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.NestedConfigurationProperty;
import org.springframework.core.Ordered;

import io.quorlock.Api;

/**
 * Configuration properties for distributed locks.
 *
 * @since 0.1.0
 */
@ConfigurationProperties("distributed-lock")
public class LockProperties extends LockLeaseProperties {

	/**
	 * Outside transactions, inside asynchronous execution and retry.
	 */
	public static final int DEFAULT_ORDER = Ordered.LOWEST_PRECEDENCE - 100;

	/**
	 * Whether locks exclude other instances. When disabled, no backend is asked: locks
	 * are kept in the memory of this process, and a warning at startup says so.
	 */
	private boolean enabled = true;

	/**
	 * Backend that keeps the locks. By default, "redlock" when nodes are known, else
	 * "zookeeper" when an ensemble is, else "redis" when the application has a Redis
	 * connection factory, else "embedded" when quorlock-embedded is on the class path of
	 * an application that is not packaged.
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
	private Map<String, LockShardingProperties.Group> groups = new LinkedHashMap<>();

	@NestedConfigurationProperty
	private final LockShardingProperties sharding = new LockShardingProperties();

	@NestedConfigurationProperty
	private final LockEmbeddedProperties embedded = new LockEmbeddedProperties();

	/**
	 * Prefix of every key and channel in Redis.
	 */
	private String keyPrefix = "lock:";

	/**
	 * Readable name of this instance, part of the value of every lock. By default,
	 * application name, host name and process id.
	 */
	private @Nullable String instanceId;

	@NestedConfigurationProperty
	private final LockConnectionProperties connection = new LockConnectionProperties();

	@NestedConfigurationProperty
	private final LockRetryProperties retry = new LockRetryProperties();

	@NestedConfigurationProperty
	private final LockFencingProperties fencing = new LockFencingProperties();

	/**
	 * Reaction to another instance that uses the same nodes with a different list.
	 */
	private LockConnectionProperties.NodeMismatch nodeMismatch = LockConnectionProperties.NodeMismatch.FAIL;

	/**
	 * Reaction to a node that evicts keys, locks among them, when its memory is full.
	 */
	private LockConnectionProperties.NodeEviction nodeEviction = LockConnectionProperties.NodeEviction.EXCLUDE_ALLKEYS;

	/**
	 * Whether replicas of a node are intended, and never promoted: there is no warning
	 * about them then.
	 */
	private boolean allowReplicas = false;

	@NestedConfigurationProperty
	private final LockHandoverProperties localHandover = new LockHandoverProperties();

	@NestedConfigurationProperty
	private final LockTransactionProperties transaction = new LockTransactionProperties();

	/**
	 * Order of the advisor among other advisors. By default outside transactions and
	 * inside asynchronous execution and retry.
	 */
	private int order = DEFAULT_ORDER;

	@NestedConfigurationProperty
	private final LockRedisProperties redis = new LockRedisProperties();

	@NestedConfigurationProperty
	private final LockLeaderProperties leader = new LockLeaderProperties();

	@NestedConfigurationProperty
	private final LockConsoleProperties console = new LockConsoleProperties();

	@NestedConfigurationProperty
	private final LockWebProperties web = new LockWebProperties();

	@NestedConfigurationProperty
	private final LockZooKeeperProperties zookeeper = new LockZooKeeperProperties();

	@NestedConfigurationProperty
	private final LockShedLockProperties shedlock = new LockShedLockProperties();

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

	public Map<String, LockShardingProperties.Group> getGroups() {
		return this.groups;
	}

	public void setGroups(Map<String, LockShardingProperties.Group> groups) {
		this.groups = groups;
	}

	public LockShardingProperties getSharding() {
		return this.sharding;
	}

	public LockEmbeddedProperties getEmbedded() {
		return this.embedded;
	}

	public String getKeyPrefix() {
		return this.keyPrefix;
	}

	public void setKeyPrefix(String keyPrefix) {
		this.keyPrefix = keyPrefix;
	}

	public @Nullable String getInstanceId() {
		return this.instanceId;
	}

	public void setInstanceId(@Nullable String instanceId) {
		this.instanceId = instanceId;
	}

	public LockConnectionProperties getConnection() {
		return this.connection;
	}

	public LockRetryProperties getRetry() {
		return this.retry;
	}

	public LockFencingProperties getFencing() {
		return this.fencing;
	}

	public boolean isAllowReplicas() {
		return this.allowReplicas;
	}

	public void setAllowReplicas(boolean allowReplicas) {
		this.allowReplicas = allowReplicas;
	}

	public LockConnectionProperties.NodeMismatch getNodeMismatch() {
		return this.nodeMismatch;
	}

	public void setNodeMismatch(LockConnectionProperties.NodeMismatch nodeMismatch) {
		this.nodeMismatch = nodeMismatch;
	}

	public LockConnectionProperties.NodeEviction getNodeEviction() {
		return this.nodeEviction;
	}

	public void setNodeEviction(LockConnectionProperties.NodeEviction nodeEviction) {
		this.nodeEviction = nodeEviction;
	}

	public LockHandoverProperties getLocalHandover() {
		return this.localHandover;
	}

	public LockTransactionProperties getTransaction() {
		return this.transaction;
	}

	public int getOrder() {
		return this.order;
	}

	public void setOrder(int order) {
		this.order = order;
	}

	public LockRedisProperties getRedis() {
		return this.redis;
	}

	public LockLeaderProperties getLeader() {
		return this.leader;
	}

	public LockConsoleProperties getConsole() {
		return this.console;
	}

	public LockWebProperties getWeb() {
		return this.web;
	}

	public LockZooKeeperProperties getZookeeper() {
		return this.zookeeper;
	}

	public LockShedLockProperties getShedlock() {
		return this.shedlock;
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
		IN_MEMORY

	}

}
