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

package io.quorlock.autoconfigure.redis;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Supplier;

import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.RedisCredentialsProvider;

import org.springframework.beans.factory.BeanFactory;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.SslOptions;

import io.quorlock.autoconfigure.LockBackend;
import io.quorlock.autoconfigure.LockConnectionDetails;
import io.quorlock.autoconfigure.LockProperties;
import io.quorlock.autoconfigure.LockProperties.NodeMismatch;
import io.quorlock.groups.GroupedLeaseStore;
import io.quorlock.groups.Sharding;
import io.quorlock.quorum.QuorumSettings;
import io.quorlock.quorum.QuorumStore;
import io.quorlock.redis.NodeAddress;
import io.quorlock.redis.client.EvictionPolicy.NodeEviction;
import io.quorlock.redis.client.RedisNodeOptions;
import io.quorlock.redis.client.RedisNodes;
import io.quorlock.time.LockClock;

import static io.quorlock.autoconfigure.InvalidLockConfigurationException.require;

/**
 * Creates nodes and backends of them from endpoints. A separate class, since Jedis may be
 * absent.
 */
final class RedlockNodes {

	private static final Log logger = LogFactory.getLog(RedlockNodes.class);

	private final LockProperties properties;

	private final LockClock clock;

	private final String instanceId;

	private final @Nullable RedisCredentialsProvider credentials;

	RedlockNodes(LockProperties properties, List<LockConnectionDetails> details, LockClock clock, String instanceId,
			BeanFactory beanFactory) {
		this.properties = properties;
		this.clock = clock;
		this.instanceId = instanceId;
		this.credentials = beanFactory.getBeanProvider(RedisCredentialsProvider.class).getIfAvailable();
		boolean password = details.stream().map(LockConnectionDetails::getPassword).anyMatch(Objects::nonNull);
		require(this.credentials == null || !password, "distributed-lock.connection.password", "******",
				"there is a RedisCredentialsProvider bean too, which supplies user and password",
				"Remove the property, or the bean.");
	}

	LockBackend backend(NodeEndpoints endpoints) {
		RedisNodes nodes = create(endpoints, "");
		boolean local = endpoints.isEmbedded();
		return new LockBackend(local ? "embedded" : "redlock", nodes.nodes(), nodes::notes, local, null);
	}

	/** Create a quorum of each group of nodes (R23). */
	LockBackend backend(LockConnectionDetails details, QuorumSettings settings) {
		Map<String, LockProperties.Group> groups = new TreeMap<>(this.properties.groups());
		Sharding sharding = new Sharding(groups.keySet(), this.properties.sharding().by());
		Map<String, NodeEndpoints> endpoints = new TreeMap<>();
		groups.forEach((id, group) -> endpoints.put(id,
				NodeEndpoints.ofGroup(id, group.nodes(), details, endpoints.values())));
		Map<String, RedisNodes> nodes = new TreeMap<>();
		endpoints.forEach((id, group) -> nodes.put(id, create(group, sharding.layoutOf(id))));
		return new LockBackend("redlock", List.of(), () -> notes(nodes), false, (storeClock, timer, observers) -> {
			Map<String, QuorumStore> stores = new LinkedHashMap<>();
			nodes.forEach((id, group) -> stores.put(id,
					new QuorumStore(settings, group.nodes(), storeClock, timer, observers)));
			return new GroupedLeaseStore(sharding, stores, storeClock::nanoTime);
		});
	}

	private static Map<String, String> notes(Map<String, RedisNodes> nodes) {
		Map<String, String> notes = new TreeMap<>();
		nodes.values().forEach((group) -> notes.putAll(group.notes()));
		return notes;
	}

	/** Create the nodes of a quorum; with a layout if it shares the names with others. */
	RedisNodes create(NodeEndpoints endpoints, String layout) {
		return RedisNodes.create(endpoints.addresses(), options(endpoints), layout);
	}

	RedisNodeOptions options(NodeEndpoints endpoints) {
		LockProperties p = this.properties;
		LockProperties.Connection connection = p.connection();
		return new RedisNodeOptions(this.clock, p.keyPrefix(), connection.operationTimeout(),
				connection.connectTimeout(), connection.clientName(), sslContext(endpoints),
				() -> sslParameters(endpoints.sslBundle()), this.credentials, p.quarantine(), p.maxLeaseTime(),
				p.clockDriftFactor(), endpoints.isNewlyStarted(), p.nodeMismatch() == NodeMismatch.FAIL,
				p.allowReplicas(), NodeEviction.valueOf(p.nodeEviction().name()), this.instanceId);
	}

	/** The bundle is read for every connection, since it may be reloaded. */
	private static @Nullable Supplier<SSLContext> sslContext(NodeEndpoints endpoints) {
		if (endpoints.sslBundle() == null) {
			return null;
		}
		if (endpoints.addresses().stream().noneMatch(NodeAddress::tls)) {
			logger.warn(("Connections to the lock nodes are not encrypted, although there is an SSL bundle for them: "
					+ "none of %s has a rediss:// URI. Use rediss:// URIs, or remove the bundle")
				.formatted(endpoints));
		}
		return () -> Objects.requireNonNull(endpoints.sslBundle()).createSslContext();
	}

	private static SSLParameters sslParameters(@Nullable SslBundle bundle) {
		SSLParameters parameters = new SSLParameters();
		if (bundle != null) {
			SslOptions options = bundle.getOptions();
			parameters.setCipherSuites(options.getCiphers());
			parameters.setProtocols(options.getEnabledProtocols());
		}
		return parameters;
	}

}
