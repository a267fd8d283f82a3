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

package io.quorlock.system;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.ZKUtil;
import org.apache.zookeeper.ZooKeeper;

import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.autoconfigure.ssl.SslAutoConfiguration;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.context.annotation.Configuration;

import io.quorlock.embedded.EmbeddedRedis;
import io.quorlock.embedded.EmbeddedRedisCluster;
import io.quorlock.embedded.EmbeddedRedisNode;
import io.quorlock.embedded.EmbeddedRedisSentinel;
import io.quorlock.embedded.EmbeddedZooKeeper;
import io.quorlock.embedded.EmbeddedZooKeeperEnsemble;
import io.quorlock.embedded.ThrowawayCertificates;

/**
 * Servers for the instances of {@link RandomSequencesTests}, the properties by which
 * these find them, and what locks leave on them.
 */
final class SequenceServers implements AutoCloseable {

	private final AutoCloseable servers;

	private final List<EmbeddedRedisNode> nodes;

	private final String connectString;

	private final List<String> properties;

	private SequenceServers(AutoCloseable servers, List<EmbeddedRedisNode> nodes, String... properties) {
		this.servers = servers;
		this.nodes = nodes;
		this.connectString = "";
		this.properties = List.of(properties);
	}

	private SequenceServers(AutoCloseable servers, String connectString) {
		this.servers = servers;
		this.nodes = List.of();
		this.connectString = connectString;
		this.properties = List.of("distributed-lock.zookeeper.connect-string=" + connectString,
				"distributed-lock.zookeeper.session-timeout=6s");
	}

	List<String> properties() {
		return this.properties;
	}

	/** Keys and nodes that are not there once nobody holds a lock or asks for one. */
	List<String> left() throws Exception {
		List<String> left = new ArrayList<>();
		for (EmbeddedRedisNode node : this.nodes) {
			for (Object key : (List<?>) node.execute("KEYS", "*{*}*")) {
				if (!key.toString().endsWith(":fence")) {
					left.add(node + " " + key);
				}
			}
		}
		if (!this.connectString.isEmpty()) {
			try (ZooKeeper client = new ZooKeeper(this.connectString, 30_000, (event) -> {
			})) {
				ZKUtil.listSubTreeBFS(client, "/quorlock")
					.stream()
					.filter((path) -> path.contains("/_c_"))
					.forEach(left::add);
			}
			catch (KeeperException.NoNodeException ex) {
				return left(); // an empty container went meanwhile
			}
		}
		return left;
	}

	@Override
	public void close() throws Exception {
		this.servers.close();
	}

	private static SequenceServers redlock(EmbeddedRedis redis, String... further) {
		List<String> properties = new ArrayList<>(List.of(further));
		properties.add("distributed-lock.nodes=" + String.join(",", redis.uris()));
		return new SequenceServers(redis, redis.nodes(), properties.toArray(String[]::new));
	}

	private static SequenceServers redlockOverTls() {
		ThrowawayCertificates certificates = ThrowawayCertificates.create();
		return redlock(EmbeddedRedis.start(3, certificates.server()), "distributed-lock.connection.ssl.bundle=redis",
				"spring.ssl.bundle.pem.redis.truststore.certificate=file:" + certificates.authorityPem());
	}

	private static SequenceServers groups() {
		EmbeddedRedis redis = EmbeddedRedis.start(3);
		return new SequenceServers(redis, redis.nodes(), "distributed-lock.groups.a.nodes=" + redis.node(0).uri(),
				"distributed-lock.groups.b.nodes=" + redis.node(1).uri(),
				"distributed-lock.groups.c.nodes=" + redis.node(2).uri());
	}

	private static SequenceServers redis(String driver) {
		EmbeddedRedisNode redis = EmbeddedRedisNode.start();
		return new SequenceServers(redis, List.of(redis), "distributed-lock.backend=redis",
				"spring.data.redis.client-type=" + driver, "spring.data.redis.url=" + redis.uri());
	}

	private static SequenceServers sentinel(String driver) {
		EmbeddedRedisSentinel redis = EmbeddedRedisSentinel.start();
		return new SequenceServers(redis, List.of(redis.master()), "distributed-lock.backend=redis",
				"spring.data.redis.client-type=" + driver,
				"spring.data.redis.sentinel.master=" + EmbeddedRedisSentinel.MASTER_NAME,
				"spring.data.redis.sentinel.nodes=" + addresses(redis.sentinels()));
	}

	private static SequenceServers cluster(String driver) {
		EmbeddedRedisCluster redis = EmbeddedRedisCluster.start();
		return new SequenceServers(redis, redis.nodes(), "distributed-lock.backend=redis",
				"spring.data.redis.client-type=" + driver,
				"spring.data.redis.cluster.nodes=" + addresses(redis.nodes()));
	}

	private static SequenceServers zooKeeper() {
		EmbeddedZooKeeper server = EmbeddedZooKeeper.start();
		return new SequenceServers(server, server.connectString());
	}

	private static SequenceServers zooKeeperEnsemble() {
		EmbeddedZooKeeperEnsemble servers = EmbeddedZooKeeperEnsemble.start(3);
		return new SequenceServers(servers, servers.connectString());
	}

	private static String addresses(List<EmbeddedRedisNode> nodes) {
		return nodes.stream().map((node) -> "127.0.0.1:" + node.port()).collect(Collectors.joining(","));
	}

	/** On what the locks are kept. */
	enum SetUp {

		IN_MEMORY, REDLOCK, REDLOCK_OVER_TLS, GROUPS, REDIS, REDIS_OVER_JEDIS, SENTINEL, SENTINEL_OVER_JEDIS, CLUSTER,
		CLUSTER_OVER_JEDIS, ZOOKEEPER, ZOOKEEPER_ENSEMBLE;

		SequenceServers start() {
			return switch (this) {
				case IN_MEMORY -> new SequenceServers(() -> {
				}, List.of(), "distributed-lock.backend=in-memory");
				case REDLOCK -> redlock(EmbeddedRedis.start(3));
				case REDLOCK_OVER_TLS -> redlockOverTls();
				case GROUPS -> groups();
				case REDIS -> redis("lettuce");
				case REDIS_OVER_JEDIS -> redis("jedis");
				case SENTINEL -> sentinel("lettuce");
				case SENTINEL_OVER_JEDIS -> sentinel("jedis");
				case CLUSTER -> cluster("lettuce");
				case CLUSTER_OVER_JEDIS -> cluster("jedis");
				case ZOOKEEPER -> zooKeeper();
				case ZOOKEEPER_ENSEMBLE -> zooKeeperEnsemble();
			};
		}

		boolean isZooKeeper() {
			return this == ZOOKEEPER || this == ZOOKEEPER_ENSEMBLE;
		}

		/** Whether names that are locked together may be kept apart from each other. */
		boolean hasSlots() {
			return this == CLUSTER || this == CLUSTER_OVER_JEDIS;
		}

		/** What connects an application to them. */
		Class<?> configuration() {
			return switch (this) {
				case REDIS, REDIS_OVER_JEDIS, SENTINEL, SENTINEL_OVER_JEDIS, CLUSTER, CLUSTER_OVER_JEDIS ->
					DataRedis.class;
				default -> Ssl.class;
			};
		}

	}

	@Configuration(proxyBeanMethods = false)
	@ImportAutoConfiguration(DataRedisAutoConfiguration.class)
	static class DataRedis {

	}

	@Configuration(proxyBeanMethods = false)
	@ImportAutoConfiguration(SslAutoConfiguration.class)
	static class Ssl {

	}

}
