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

package io.quorlock.metrics;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import io.quorlock.LockAtRiskEvent;
import io.quorlock.LockHandle;
import io.quorlock.LockRequest;
import io.quorlock.LockTemplate;
import io.quorlock.engine.ObservedEngine;
import io.quorlock.engine.SwitchableNode;
import io.quorlock.engine.event.LockListener.Event;
import io.quorlock.engine.event.RequestObservation;
import io.quorlock.leader.LeaderElection;
import io.quorlock.store.ReplyOutcome;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;
import static org.mockito.BDDMockito.given;
import static org.mockito.Mockito.mock;

/**
 * Tests for {@link LockMeters} and {@link LockGauges}.
 */
@ExtendWith(OutputCaptureExtension.class)
class LockMetersTests {

	private final SimpleMeterRegistry registry = new SimpleMeterRegistry();

	private final LockTags tags = new LockTags();

	private final ObservedEngine observed = new ObservedEngine(3, Duration.ofSeconds(1));

	private LockTemplate template;

	@BeforeEach
	void start() {
		LockMeters meters = new LockMeters(this.registry, this.tags);
		this.observed.listeners.add(meters);
		this.observed.requestObservers.add(LockMeters.timers(this.registry, this.tags));
		this.observed.nodeObservers.add(meters);
		this.template = this.observed.start().template();
		new LockGauges(this.observed.inspector(), this.tags, List.of()).bindTo(this.registry);
	}

	@AfterEach
	void stop() {
		this.observed.close();
	}

	@Test
	void timesWhatIsAcquiredAndHeld() {
		this.template.acquire(LockRequest.of("order").key(42)).close();
		Awaitility.await().until(() -> timer("distributed.lock.held", "lock", "order").count() == 1);
		assertThat(timer("distributed.lock.acquire", "lock", "order", "outcome", "acquired").count()).isEqualTo(1);
		assertThat(this.registry.find("distributed.lock.acquire").timers()).hasSize(1);
	}

	@Test
	void distinguishesContendedFromUnavailable() {
		try (LockHandle lock = this.template.acquire(LockRequest.of("order"))) {
			assertThat(this.template.tryAcquire(LockRequest.of("order"))).isEmpty();
			this.observed.nodes.forEach(SwitchableNode::cutOff);
			CompletableFuture<LockHandle> failed = this.template
				.acquireAsync(LockRequest.of("other").waitTime(Duration.ZERO))
				.toCompletableFuture();
			assertThat(failed).failsWithin(Duration.ofSeconds(10));
		}
		Awaitility.await()
			.untilAsserted(() -> assertThat(
					timer("distributed.lock.acquire", "lock", "other", "outcome", "unavailable").count())
				.isEqualTo(1));
		assertThat(timer("distributed.lock.acquire", "lock", "order", "outcome", "contended").count()).isEqualTo(1);
		assertThat(
				this.registry.find("distributed.lock.acquire").tags("lock", "order", "outcome", "unavailable").timer())
			.isNull();
	}

	@Test
	void cancelledWaitIsContended() {
		try (LockHandle lock = this.template.acquire(LockRequest.of("order"))) {
			CompletableFuture<LockHandle> waiting = this.template
				.acquireAsync(LockRequest.of("order").waitTime(Duration.ofSeconds(30)))
				.toCompletableFuture();
			waiting.cancel(true);
			Awaitility.await()
				.untilAsserted(() -> assertThat(
						timer("distributed.lock.acquire", "lock", "order", "outcome", "contended").count())
					.isEqualTo(1));
		}
	}

	@Test
	void gaugesFollowTheEngine() {
		CompletableFuture<LockHandle> next;
		try (LockHandle lock = this.template.acquire(LockRequest.of("order").key(1))) {
			next = this.template.acquireAsync(LockRequest.of("order").key(1)).toCompletableFuture();
			Awaitility.await().untilAsserted(() -> {
				assertThat(gauge("distributed.lock.active", "lock", "order")).isEqualTo(1);
				assertThat(gauge("distributed.lock.waiting", "lock", "order")).isEqualTo(1);
			});
		}
		next.join().close();
		Awaitility.await().untilAsserted(() -> {
			assertThat(gauge("distributed.lock.active", "lock", "order")).isZero();
			assertThat(gauge("distributed.lock.waiting", "lock", "order")).isZero();
		});
	}

	@Test
	void nodesThatAreAsTheyShouldBeAreAvailableAndNoMismatch() {
		assertThat(this.registry.find("distributed.lock.node.available").gauges()).hasSize(3)
			.allSatisfy((gauge) -> assertThat(gauge.value()).isOne());
		assertThat(this.registry.find("distributed.lock.node.mismatch").gauges()).hasSize(3)
			.allSatisfy((gauge) -> assertThat(gauge.value()).isZero());
	}

	@Test
	void registryThatIsBoundLaterHasTheGaugesOfNamesThatWereUsedBefore() {
		try (LockHandle permit = this.template.acquire(LockRequest.of("export").permits(2))) {
			assertThat(permit.permit()).isBetween(1, 2);
			SimpleMeterRegistry later = new SimpleMeterRegistry();
			new LockGauges(this.observed.inspector(), this.tags, List.of()).bindTo(later);
			assertThat(later.get("distributed.lock.permits").tag("lock", "export").gauge().value()).isOne();
			assertThat(later.get("distributed.lock.active").tag("lock", "export").gauge().value()).isOne();
		}
	}

	@Test
	void distinguishesTheKindsOfLocks() {
		this.template.acquire(LockRequest.of("order").shared()).close();
		assertThat(timer("distributed.lock.acquire", "lock", "order", "mode", "shared", "outcome", "acquired").count())
			.isEqualTo(1);
		try (LockHandle permit = this.template.acquire(LockRequest.of("export").permits(2))) {
			Awaitility.await().until(() -> gauge("distributed.lock.permits", "lock", "export") == 1);
		}
		Awaitility.await().until(() -> timer("distributed.lock.held", "lock", "export", "mode", "permit").count() == 1);
		assertThat(this.registry.find("distributed.lock.permits").tag("lock", "order").gauge()).isNull();
	}

	@Test
	void countsRenewals() {
		try (LockHandle lock = this.template.acquire(LockRequest.of("order"))) {
			// A series exists from the first renewal on.
			Awaitility.await()
				.until(() -> this.registry.find("distributed.lock.renewals")
					.tag("outcome", "success")
					.counter() != null);
			assertThat(counter("distributed.lock.renewals", "lock", "order", "outcome", "success")).isPositive();
			assertThat(counter("distributed.lock.renewals", "lock", "order", "outcome", "failure")).isZero();
		}
	}

	@Test
	void aLossIsAnIncreaseFromZero() {
		LockHandle lock = this.template.acquire(LockRequest.of("order").key(42));
		Awaitility.await()
			.until(() -> this.registry.find("distributed.lock.lost").tag("lock", "order").counter() != null);
		assertThat(counter("distributed.lock.lost", "lock", "order")).isZero();
		this.observed.nodes.forEach(SwitchableNode::silence);
		Awaitility.await().until(() -> counter("distributed.lock.lost", "lock", "order") == 1);
		assertThat(lock.isHeld()).isFalse();
		// Another listener records it, on a thread of its own.
		Awaitility.await().until(() -> timer("distributed.lock.held", "lock", "order").count() == 1);
		assertThat(counter("distributed.lock.renewals", "lock", "order", "outcome", "failure")).isPositive();
	}

	@Test
	void waitsAreTimedFromTheRequestAndHoldsFromTheGrant() {
		long beforeRequest = System.nanoTime();
		RequestObservation request = Objects
			.requireNonNull(LockMeters.timers(this.registry, this.tags).onRequest(LockRequest.of("order")));
		long afterRequest = System.nanoTime();
		pause();
		long beforeGrant = System.nanoTime();
		request.onGranted(mock(LockHandle.class), 1);
		long afterGrant = System.nanoTime();
		pause();
		long beforeRelease = System.nanoTime();
		request.onReleased();
		long afterRelease = System.nanoTime();
		assertThat(nanos("distributed.lock.acquire")).isBetween(beforeGrant - afterRequest, afterGrant - beforeRequest);
		assertThat(nanos("distributed.lock.held")).isBetween(beforeRelease - afterGrant, afterRelease - beforeGrant);
	}

	private static void pause() {
		long begun = System.nanoTime();
		Awaitility.await().until(() -> System.nanoTime() - begun > 20_000_000);
	}

	private long nanos(String name) {
		return (long) timer(name, "lock", "order").totalTime(TimeUnit.NANOSECONDS);
	}

	/** What waits behind ten thousand other events is dropped. */
	@Test
	void grantsAndReleasesDoNotKeepALossFromBeingCounted() {
		assertThat(new LockMeters(this.registry, this.tags).events()).containsExactlyInAnyOrder(Event.RENEWED,
				Event.AT_RISK, Event.LOST);
	}

	@Test
	void aRiskCountsOnceNotAgainWhenItIsOver() {
		LockMeters meters = new LockMeters(this.registry, this.tags);
		LockRequest order = LockRequest.of("order").key(42);
		for (boolean atRisk : new boolean[] { true, false }) {
			meters.onAtRisk(order, new LockAtRiskEvent(order.names(), "app", atRisk, Duration.ofSeconds(20),
					Duration.ofSeconds(10), List.of(), "test"));
		}
		assertThat(counter("distributed.lock.at.risk", "lock", "order")).isOne();
	}

	@Test
	void timesNodesByOperationAndOutcome() {
		this.template.acquire(LockRequest.of("order")).close();
		for (SwitchableNode node : this.observed.nodes) {
			assertThat(timer("distributed.lock.node.requests", "node", node.name(), "operation", "acquire", "outcome",
					"ok")
				.count()).isEqualTo(1);
			assertThat(gauge("distributed.lock.node.available", "node", node.name())).isEqualTo(1);
		}
		SwitchableNode node = this.observed.nodes.get(0);
		node.cutOff();
		assertThat(gauge("distributed.lock.node.available", "node", node.name())).isZero();
		this.template.acquire(LockRequest.of("order")).close();
		assertThat(timer("distributed.lock.node.requests", "node", node.name(), "operation", "acquire", "outcome",
				"not-sent")
			.count()).isEqualTo(1);
	}

	@Test
	void repliesAreTimedAsLongAsTheyTook() {
		LockMeters meters = new LockMeters(this.registry, this.tags);
		meters.onReply("redis-1:6379", "renew", ReplyOutcome.OK, null, 3_000_000);
		meters.onReply("redis-1:6379", "renew", ReplyOutcome.ERROR, "OOM", 7_000_000);
		meters.onReply("redis-1:6379", "renew", ReplyOutcome.ERROR, "OOM", 8_000_000);
		meters.onReply("redis-1:6379", "renew", ReplyOutcome.OK, null, 1_000_000);
		for (String outcome : List.of("ok", "error")) {
			assertThat(timer("distributed.lock.node.requests", "node", "redis-1:6379", "operation", "renew", "outcome",
					outcome)
				.totalTime(TimeUnit.MILLISECONDS)).isEqualTo(outcome.equals("ok") ? 4 : 15);
		}
	}

	@Test
	void metersAreRegisteredWhenTheyAreUsed() {
		// Never renewed.
		LockRequest shortLived = LockRequest.of("order").leaseTime(Duration.ofSeconds(30));
		lock(shortLived);
		Awaitility.await().until(() -> this.registry.find("distributed.lock.held").timer() != null);
		assertThat(this.registry.find("distributed.lock.renewals").counters()).isEmpty();
		assertThat(this.registry.find("distributed.lock.node.requests").timers())
			.allSatisfy((timer) -> assertThat(timer.count()).isPositive());
		assertThat(this.registry.getMeters().stream().filter((meter) -> "order".equals(meter.getId().getTag("lock"))))
			.extracting((meter) -> meter.getId().getName())
			.containsExactlyInAnyOrder("distributed.lock.acquire", "distributed.lock.held", "distributed.lock.active",
					"distributed.lock.waiting", "distributed.lock.lost", "distributed.lock.at.risk");
	}

	@Test
	void nodesHaveNoHistogramUnlessOneIsConfigured() {
		lock(LockRequest.of("order"));
		assertThat(this.registry.get("distributed.lock.node.requests").timers())
			.allSatisfy((timer) -> assertThat(timer.takeSnapshot().histogramCounts()).isEmpty());
	}

	@Test
	void tenThousandKeysMakeAConstantNumberOfMeters() {
		// Never renewed.
		LockRequest order = LockRequest.of("order").leaseTime(Duration.ofSeconds(30));
		lock(order.key(0));
		Awaitility.await().until(() -> this.registry.find("distributed.lock.held").timer() != null);
		int meters = this.registry.getMeters().size();
		for (int key = 1; key <= 10_000; key++) {
			lock(order.key(key));
		}
		assertThat(this.registry.getMeters()).hasSize(meters);
	}

	@Test
	void namesBeyondAHundredShareOneTagWithOneWarning(CapturedOutput output) {
		for (int i = 0; i < 250; i++) {
			lock(LockRequest.of(((i == 100) ? "order\n:" : "order:") + i));
		}
		Awaitility.await().until(() -> timer("distributed.lock.held", "lock", LockTags.OTHER).count() == 150);
		assertThat(this.registry.find("distributed.lock.active").gauges()).hasSize(101);
		assertThat(this.registry.find("distributed.lock.lost").counters()).hasSize(101);
		assertThat(output.getAll().split("have the tag 'other'", -1)).hasSize(2);
		assertThat(output)
			.contains("More than 100 names of locks: 'order\\u000a:100' and all further names have the tag "
					+ "'other'. Pass the part that varies as the key, as in LockRequest.of(\"order\").key(42)");
	}

	@Test
	void locksWhoseNamesShareATagAreCountedTogether() {
		for (int i = 0; i < 100; i++) {
			this.tags.valueOf("name" + i);
		}
		LockHandle order = this.template.acquire(LockRequest.of("order"));
		LockHandle invoice = this.template.acquire(LockRequest.of("invoice"));
		Awaitility.await()
			.untilAsserted(() -> assertThat(gauge("distributed.lock.active", "lock", LockTags.OTHER)).isEqualTo(2));
		invoice.close();
		order.close();
	}

	@Test
	void metersSayWhatTheyMeasure() {
		LeaderElection election = mock(LeaderElection.class);
		given(election.roles()).willReturn(Set.of("scheduler"));
		new LockGauges(this.observed.inspector(), this.tags, List.of(election)).bindTo(this.registry);
		LockRequest export = LockRequest.of("export").permits(2);
		lock(export);
		new LockMeters(this.registry, this.tags).onRenewed(export, true);
		Awaitility.await().until(() -> this.registry.find("distributed.lock.held").timer() != null);
		Map<String, String> descriptions = new TreeMap<>();
		this.registry.getMeters()
			.forEach((meter) -> descriptions.put(meter.getId().getName().replace("distributed.lock.", ""),
					String.valueOf(meter.getId().getDescription())));
		// Observations have none.
		descriptions.keySet().removeAll(Set.of("acquire", "held"));
		assertThat(descriptions).containsOnly(entry("active", "Locks that this instance holds"),
				entry("waiting", "Requests of this instance that wait for a lock"),
				entry("permits", "Permits that this instance holds"), entry("renewals", "Renewals by the watchdog"),
				entry("at.risk", "Locks with a third of their validity left and no renewal confirmed by a quorum"),
				entry("lost", "Locks whose validity ended before their holder released them"),
				entry("leader", "1 if this instance leads the role"),
				entry("node.available", "1 if the node is connected and votes"),
				entry("node.mismatch", "1 if another instance uses the node with a node list that contradicts ours"),
				entry("node.requests", "From the beginning of a round to a node's reply"),
				entry("group.available", "1 if a quorum of the group votes"),
				entry("group.nodes", "Nodes of the group"),
				entry("group.votes", "Nodes of the group that are connected and vote"),
				entry("group.quorum", "Votes that a lock of the group needs"));
	}

	private void lock(LockRequest request) {
		this.template.acquire(request).close();
	}

	/**
	 * One that is not there yet fails an assertion, which is made again where it is
	 * awaited.
	 */
	private Timer timer(String name, String... tags) {
		Timer timer = this.registry.find(name).tags(tags).timer();
		return assertThat(timer).as("%s %s", name, List.of(tags)).isNotNull().actual();
	}

	private double counter(String name, String... tags) {
		return this.registry.get(name).tags(tags).counter().count();
	}

	private double gauge(String name, String... tags) {
		return this.registry.get(name).tags(tags).gauge().value();
	}

}
