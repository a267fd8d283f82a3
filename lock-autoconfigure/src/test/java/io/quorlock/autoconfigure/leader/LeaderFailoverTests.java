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

package io.quorlock.autoconfigure.leader;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;

import io.quorlock.LockContext;
import io.quorlock.LockTemplate;
import io.quorlock.autoconfigure.LockAutoConfiguration;
import io.quorlock.embedded.EmbeddedRedis;
import io.quorlock.leader.LeaderElection;
import io.quorlock.leader.LeaderOnly;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for two instances that compete on five real nodes, with scheduled jobs that only
 * the leader runs.
 */
@Tag("long")
class LeaderFailoverTests {

	private static final Duration TIMEOUT = Duration.ofSeconds(30);

	private final EmbeddedRedis redis = EmbeddedRedis.start(5);

	private final List<ConfigurableApplicationContext> instances = new ArrayList<>();

	@BeforeEach
	void startInstances() {
		Ledger.reset();
		this.instances.add(instance("one"));
		this.instances.add(instance("two"));
	}

	@AfterEach
	void stopInstances() {
		this.instances.forEach(ConfigurableApplicationContext::close);
		this.redis.close();
	}

	@Test
	void oneLeadsAtATimeWhileANodeIsKilledAndTheLeaderIsClosed() {
		awaitRuns(3);
		ConfigurableApplicationContext leader = leader();
		this.redis.node(0).kill();
		awaitRuns(3);
		assertThat(leader()).isSameAs(leader);
		this.redis.node(1).kill();
		awaitRuns(3);
		assertThat(leader()).isSameAs(leader);

		leader.close();
		ConfigurableApplicationContext heir = this.instances.stream().filter((one) -> one != leader).findFirst().get();
		Awaitility.await().atMost(TIMEOUT).until(() -> isLeader(heir));
		awaitRuns(3);
		assertThat(Ledger.overlaps).hasValue(0);
		assertThat(Ledger.staleTokens).hasValue(0);
	}

	@Test
	void noneLeadsWithoutAQuorumAndOneDoesWhenItIsBack() {
		awaitRuns(1);
		for (int i = 0; i < 3; i++) {
			this.redis.node(i).kill();
		}
		Awaitility.await()
			.atMost(TIMEOUT)
			.until(() -> this.instances.stream().noneMatch(LeaderFailoverTests::isLeader));
		for (int i = 0; i < 3; i++) {
			this.redis.node(i).restartEmpty();
		}
		awaitRuns(3);
		assertThat(Ledger.overlaps).hasValue(0);
		assertThat(Ledger.staleTokens).hasValue(0);
	}

	@Test
	void resigningPassesTheRoleOn() {
		awaitRuns(1);
		ConfigurableApplicationContext leader = leader();
		ConfigurableApplicationContext other = this.instances.stream().filter((one) -> one != leader).findFirst().get();
		leader.getBean(LeaderElection.class).resign("scheduler");
		Awaitility.await().atMost(TIMEOUT).until(() -> isLeader(other));
		Awaitility.await()
			.atMost(TIMEOUT)
			.until(() -> leader.getBean(LeaderElection.class)
				.currentLeader("scheduler")
				.equals(other.getBean(LeaderElection.class).currentLeader("scheduler")));
		awaitRuns(2);
		assertThat(Ledger.overlaps).hasValue(0);
		assertThat(Ledger.staleTokens).hasValue(0);
	}

	@Test
	void aLeaderThatIsAskedToLetGoPassesTheRoleOn() {
		awaitRuns(1);
		ConfigurableApplicationContext leader = leader();
		ConfigurableApplicationContext other = this.instances.stream().filter((one) -> one != leader).findFirst().get();
		LockTemplate template = other.getBean(LockTemplate.class);
		Awaitility.await()
			.atMost(TIMEOUT)
			.until(() -> template.requestRelease("leader:scheduler", Duration.ofSeconds(5)));
		Awaitility.await().atMost(TIMEOUT).until(() -> isLeader(other));
		awaitRuns(2);
		assertThat(Ledger.overlaps).hasValue(0);
		assertThat(Ledger.staleTokens).hasValue(0);
	}

	private ConfigurableApplicationContext instance(String id) {
		return new SpringApplicationBuilder(Application.class)
			.properties("spring.main.banner-mode=off", "spring.main.web-application-type=none",
					"distributed-lock.instance-id=" + id, "distributed-lock.restart-quarantine=0s",
					"distributed-lock.lease-time=3s", "distributed-lock.connection.operation-timeout=500ms",
					"distributed-lock.leader.roles=scheduler",
					"distributed-lock.nodes=" + String.join(",", this.redis.uris()))
			.run();
	}

	private ConfigurableApplicationContext leader() {
		return Awaitility.await()
			.atMost(TIMEOUT)
			.until(() -> this.instances.stream()
				.filter(ConfigurableApplicationContext::isActive)
				.filter(LeaderFailoverTests::isLeader)
				.findFirst()
				.orElse(null), (found) -> found != null);
	}

	private static boolean isLeader(ConfigurableApplicationContext instance) {
		return instance.getBean(LeaderElection.class).isLeader("scheduler");
	}

	private static void awaitRuns(int more) {
		int before = Ledger.runs.get();
		Awaitility.await().atMost(TIMEOUT).until(() -> Ledger.runs.get() >= before + more);
	}

	@Configuration(proxyBeanMethods = false)
	@EnableScheduling
	@ImportAutoConfiguration({ LockAutoConfiguration.class, LeaderElectionAutoConfiguration.class })
	static class Application {

		@Bean
		Job job() {
			return new Job();
		}

	}

	static class Job {

		@LeaderOnly("scheduler")
		@Scheduled(fixedDelay = 20)
		public void run() {
			Ledger.run(LockContext.fencingToken());
		}

	}

	/** What all instances work on. */
	static final class Ledger {

		private static final AtomicInteger runs = new AtomicInteger();

		private static final AtomicInteger running = new AtomicInteger();

		private static final AtomicInteger overlaps = new AtomicInteger();

		private static final AtomicInteger staleTokens = new AtomicInteger();

		private static final AtomicLong greatestToken = new AtomicLong();

		private Ledger() {
		}

		static void run(long token) {
			if (running.incrementAndGet() > 1) {
				overlaps.incrementAndGet();
			}
			if (greatestToken.getAndAccumulate(token, Math::max) > token) {
				staleTokens.incrementAndGet();
			}
			running.decrementAndGet();
			runs.incrementAndGet();
		}

		static void reset() {
			List.of(runs, running, overlaps, staleTokens).forEach((counter) -> counter.set(0));
			greatestToken.set(0);
		}

	}

}
