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

package io.quorlock.integration;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.integration.aggregator.AggregatingMessageHandler;
import org.springframework.integration.aggregator.DefaultAggregatingMessageGroupProcessor;
import org.springframework.integration.channel.DirectChannel;
import org.springframework.integration.config.EnableIntegration;
import org.springframework.integration.leader.AbstractCandidate;
import org.springframework.integration.leader.Context;
import org.springframework.integration.store.SimpleMessageStore;
import org.springframework.integration.support.MessageBuilder;
import org.springframework.integration.support.leader.LockRegistryLeaderInitiator;
import org.springframework.integration.support.locks.LockRegistry;

import io.quorlock.LockContext;
import io.quorlock.LockHandle;
import io.quorlock.autoconfigure.LockAutoConfiguration;
import io.quorlock.autoconfigure.integration.LockRegistryAutoConfiguration;
import io.quorlock.embedded.EmbeddedRedis;
import io.quorlock.embedded.EmbeddedRedisNode;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for Spring Integration's own leader election and aggregator on five real nodes.
 */
class IntegrationOnQuorumTests {

	private static final Duration TIMEOUT = Duration.ofSeconds(30);

	private final EmbeddedRedis redis = EmbeddedRedis.start(5);

	private final List<ConfigurableApplicationContext> instances = new ArrayList<>();

	@BeforeEach
	void startInstances() {
		for (int i = 0; i < 2; i++) {
			this.instances.add(
					new SpringApplicationBuilder(Application.class)
						.properties("spring.main.banner-mode=off", "spring.main.web-application-type=none",
								"distributed-lock.restart-quarantine=0s", "distributed-lock.lease-time=2s",
								"distributed-lock.connection.operation-timeout=500ms",
								"distributed-lock.nodes=" + String.join(",", this.redis.uris()))
						.run());
		}
	}

	@AfterEach
	void stopInstances() {
		this.instances.forEach(ConfigurableApplicationContext::close);
		this.redis.close();
	}

	@Test
	@Tag("long")
	void leaderInitiatorElectsOneWhileANodeIsKilledAndTheLeaderIsClosed() {
		ConfigurableApplicationContext first = leader();
		this.redis.node(0).kill();
		this.redis.node(1).kill();
		Awaitility.await().during(Duration.ofSeconds(3)).until(() -> leaders().equals(List.of(first)));
		first.close();
		ConfigurableApplicationContext second = leader();
		assertThat(second).isNotSameAs(first);
		assertThat(Role.overlaps).hasValue(0);
	}

	@Test
	void leaderInitiatorIsRevokedWithoutAQuorumAndElectsAgainAfterwards() {
		leader();
		this.redis.nodes().subList(0, 3).forEach(EmbeddedRedisNode::pause);
		Awaitility.await().atMost(TIMEOUT).until(() -> leaders().isEmpty());
		this.redis.nodes().subList(0, 3).forEach(EmbeddedRedisNode::resume);
		leader();
		assertThat(Role.overlaps).hasValue(0);
	}

	@Test
	void twoAggregatorsReleaseAGroupOfTheirCommonStoreOnce() {
		SimpleMessageStore store = new SimpleMessageStore();
		List<Object> released = new CopyOnWriteArrayList<>();
		List<AggregatingMessageHandler> aggregators = this.instances.stream()
			.map((instance) -> aggregator(instance, store, released))
			.toList();
		int groups = 20;
		List<CompletableFuture<Void>> sent = new ArrayList<>();
		for (int group = 0; group < groups; group++) {
			for (int part = 1; part <= 4; part++) {
				AggregatingMessageHandler aggregator = aggregators.get(part % 2);
				var message = MessageBuilder.withPayload(group + "." + part)
					.setCorrelationId("group-" + group)
					.setSequenceNumber(part)
					.setSequenceSize(4)
					.build();
				sent.add(CompletableFuture.runAsync(() -> aggregator.handleMessage(message)));
			}
		}
		sent.forEach(CompletableFuture::join);
		assertThat(released).hasSize(groups);
	}

	private static AggregatingMessageHandler aggregator(ConfigurableApplicationContext instance,
			SimpleMessageStore store, List<Object> released) {
		AggregatingMessageHandler aggregator = new AggregatingMessageHandler(
				new DefaultAggregatingMessageGroupProcessor(), store);
		DirectChannel output = new DirectChannel();
		output.setBeanFactory(instance.getBeanFactory());
		output.subscribe((message) -> released.add(message.getPayload()));
		aggregator.setOutputChannel(output);
		aggregator.setLockRegistry(instance.getBean(LockRegistry.class));
		aggregator.setExpireGroupsUponCompletion(true);
		aggregator.setBeanFactory(instance.getBeanFactory());
		aggregator.afterPropertiesSet();
		aggregator.start();
		return aggregator;
	}

	private ConfigurableApplicationContext leader() {
		return Awaitility.await().atMost(TIMEOUT).until(this::leaders, (leaders) -> leaders.size() == 1).get(0);
	}

	private List<ConfigurableApplicationContext> leaders() {
		return this.instances.stream()
			.filter(ConfigurableApplicationContext::isActive)
			.filter((instance) -> instance.getBean(LockRegistryLeaderInitiator.class).getContext().isLeader())
			.toList();
	}

	@Configuration(proxyBeanMethods = false)
	@EnableIntegration
	@ImportAutoConfiguration({ LockAutoConfiguration.class, LockRegistryAutoConfiguration.class })
	static class Application {

		@Bean
		LockRegistryLeaderInitiator leaderInitiator(LockRegistry<?> registry) {
			LockRegistryLeaderInitiator initiator = new LockRegistryLeaderInitiator(registry, new Role());
			initiator.setHeartBeatMillis(100);
			initiator.setBusyWaitMillis(20);
			return initiator;
		}

	}

	static class Role extends AbstractCandidate {

		private static volatile @Nullable LockHandle latest;

		private static final AtomicInteger overlaps = new AtomicInteger();

		/** Counts locks: a leader that stops is notified after its lock was released. */
		@Override
		public void onGranted(Context context) {
			LockHandle previous = latest;
			if (previous != null && previous.isHeld()) {
				overlaps.incrementAndGet();
			}
			latest = LockContext.current().orElseThrow();
		}

		@Override
		public void onRevoked(Context context) {
		}

	}

}
