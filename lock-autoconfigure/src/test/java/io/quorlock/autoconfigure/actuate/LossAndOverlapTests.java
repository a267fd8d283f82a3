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

package io.quorlock.autoconfigure.actuate;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.MetricsAutoConfiguration;
import org.springframework.boot.micrometer.observation.autoconfigure.ObservationAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.event.EventListener;

import io.quorlock.LockHandle;
import io.quorlock.LockLostEvent;
import io.quorlock.LockRequest;
import io.quorlock.LockTemplate;
import io.quorlock.actuate.LocksDescriptor.FencedName;
import io.quorlock.actuate.LocksDescriptor.HeldLockDescriptor;
import io.quorlock.actuate.LocksEndpoint;
import io.quorlock.autoconfigure.LockAutoConfiguration;
import io.quorlock.autoconfigure.metrics.LockMetricsAutoConfiguration;
import io.quorlock.embedded.EmbeddedRedis;
import io.quorlock.embedded.EmbeddedRedisNode;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A lock that was lost, and one that two instances hold at once, cannot hide: two
 * instances over real nodes, and what the meter, the event and the endpoint of the first
 * say.
 */
class LossAndOverlapTests {

	private static final Duration LEASE = Duration.ofSeconds(6);

	private static final LockRequest ORDER = LockRequest.of("order").key(42);

	private static final EmbeddedRedis redis = EmbeddedRedis.start(3);

	private final LostLocks lost = new LostLocks();

	@AfterAll
	static void stopNodes() {
		redis.close();
	}

	@Test
	void anOverlapIsSeenAtTheNextRenewal() {
		instance("shop-1").withBean(LostLocks.class, () -> this.lost)
			.run((first) -> instance("shop-2").run((second) -> {
				LockHandle ours = first.getBean(LockTemplate.class).acquire(ORDER);
				assertThat(lostMeter(first)).isZero();
				try (LockHandle theirs = takeByForce(second)) {
					assertThat(ours.isHeld()).isTrue(); // and so is theirs: two at once
					assertThat(theirs.fencingToken()).isGreaterThan(ours.fencingToken());
					Awaitility.await().untilAsserted(() -> assertThat(owner(first)).startsWith("shop-2:"));
					Awaitility.await().until(() -> !ours.isHeld());
					awaitSeen(first);
					LockLostEvent event = this.lost.events.get(0);
					assertThat(event.reason()).isEqualTo("a majority of the nodes says that another owner holds it");
					assertThat(event.heldFor()).isBetween(LEASE.dividedBy(4), LEASE.dividedBy(2));
					assertThat(theirs.isHeld()).isTrue();
					assertThat(held(second)).containsExactly(new FencedName("order:42", theirs.fencingToken()));
					ours.close();
					assertThat(owner(first)).startsWith("shop-2:");
				}
			}));
	}

	@Test
	void aLossIsSeenWhenTheValidityEnds() {
		instance("shop-1").withBean(LostLocks.class, () -> this.lost)
			.withPropertyValues("distributed-lock.lease-time=2s")
			.run((first) -> {
				LockHandle ours = first.getBean(LockTemplate.class).acquire(ORDER);
				List<EmbeddedRedisNode> majority = redis.nodes().subList(0, 2);
				majority.forEach(EmbeddedRedisNode::pause);
				try {
					Awaitility.await().until(() -> !ours.isHeld());
					awaitSeen(first);
					assertThat(this.lost.events.get(0).reason()).contains("no quorum confirmed its renewal");
				}
				finally {
					majority.forEach(EmbeddedRedisNode::resume);
				}
			});
	}

	private ApplicationContextRunner instance(String id) {
		return new ApplicationContextRunner()
			.withPropertyValues("distributed-lock.instance-id=" + id,
					"distributed-lock.nodes=" + String.join(",", redis.uris()),
					"distributed-lock.lease-time=" + LEASE.toSeconds() + "s", "distributed-lock.restart-quarantine=0s",
					"distributed-lock.wait-time=20s", "distributed-lock.connection.operation-timeout=500ms",
					"management.endpoints.web.exposure.include=locks")
			.withBean(MeterRegistry.class, SimpleMeterRegistry::new)
			.withConfiguration(
					AutoConfigurations.of(MetricsAutoConfiguration.class, CompositeMeterRegistryAutoConfiguration.class,
							ObservationAutoConfiguration.class, LockAutoConfiguration.class,
							LockMetricsAutoConfiguration.class, LocksEndpointAutoConfiguration.class));
	}

	/**
	 * A forced release would notify the holder; this is what nobody sees. A renewal may
	 * put the key back in between: then again.
	 */
	private static LockHandle takeByForce(ApplicationContext context) {
		return Awaitility.await().until(() -> {
			redis.nodes().forEach((node) -> node.execute("DEL", "lock:{order:42}"));
			return context.getBean(LockTemplate.class).tryAcquire(ORDER);
		}, Optional::isPresent).orElseThrow();
	}

	private void awaitSeen(ApplicationContext context) {
		Awaitility.await().untilAsserted(() -> {
			assertThat(lostMeter(context)).isEqualTo(1);
			assertThat(context.getBean(MeterRegistry.class).find("distributed.lock.held").timers()).singleElement()
				.satisfies((held) -> assertThat(held.getId().getTag("error")).isEqualTo("LockLostException"));
			assertThat(this.lost.events).singleElement().satisfies((event) -> {
				assertThat(event.name()).isEqualTo("order:42");
				assertThat(event.owner()).startsWith("shop-1:");
			});
			assertThat(held(context)).isEmpty();
		});
	}

	private static double lostMeter(ApplicationContext context) {
		return Awaitility.await()
			.until(() -> context.getBean(MeterRegistry.class).find("distributed.lock.lost").counter(), Objects::nonNull)
			.count();
	}

	private static String owner(ApplicationContext context) {
		return String.valueOf(context.getBean(LocksEndpoint.class).lock("order:42").owner());
	}

	private static List<FencedName> held(ApplicationContext context) {
		return context.getBean(LocksEndpoint.class)
			.locks(SecurityContext.NONE, null)
			.held()
			.stream()
			.map(HeldLockDescriptor::locks)
			.flatMap(List::stream)
			.toList();
	}

	static final class LostLocks {

		private final List<LockLostEvent> events = new CopyOnWriteArrayList<>();

		@EventListener
		void onLost(LockLostEvent event) {
			this.events.add(event);
		}

	}

}
