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

import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

import io.micrometer.core.instrument.observation.DefaultMeterObservationHandler;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.observation.tck.TestObservationRegistry;
import io.micrometer.observation.tck.TestObservationRegistryAssert;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import io.quorlock.LockHandle;
import io.quorlock.LockLostException;
import io.quorlock.LockRequest;
import io.quorlock.LockTemplate;
import io.quorlock.LockUnavailableException;
import io.quorlock.engine.ObservedEngine;
import io.quorlock.engine.SwitchableNode;
import io.quorlock.engine.event.RequestObservation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.BDDMockito.given;
import static org.mockito.Mockito.mock;

/**
 * Tests for {@link LockObservations}.
 */
class LockObservationsTests {

	private final TestObservationRegistry registry = TestObservationRegistry.create();

	private final SimpleMeterRegistry meters = new SimpleMeterRegistry();

	private final ObservedEngine observed = new ObservedEngine(3);

	private LockTemplate template;

	@BeforeEach
	void start() {
		LockTags tags = new LockTags();
		this.registry.observationConfig().observationHandler(new DefaultMeterObservationHandler(this.meters));
		this.observed.requestObservers.add(new LockObservations(this.registry, tags, null, null));
		this.observed.listeners.add(new LockMeters(this.meters, tags));
		this.template = this.observed.start().template();
	}

	@AfterEach
	void stop() {
		this.observed.close();
	}

	@Test
	void observesTheWaitAndTheHold() {
		this.template.acquire(LockRequest.of("order").key(42)).close();
		assertThatObservation("distributed.lock.acquire").hasBeenStarted()
			.hasBeenStopped()
			.hasContextualNameEqualTo("acquire order")
			.hasLowCardinalityKeyValue("lock", "order")
			.hasLowCardinalityKeyValue("outcome", "acquired")
			.hasHighCardinalityKeyValue("lock.name", "order:42")
			.hasHighCardinalityKeyValue("lock.attempts", "1")
			.doesNotHaveError();
		assertThatObservation("distributed.lock.held").hasBeenStarted()
			.hasBeenStopped()
			.hasContextualNameEqualTo("hold order")
			.hasLowCardinalityKeyValue("lock", "order")
			.hasHighCardinalityKeyValue("lock.name", "order:42")
			.doesNotHaveError();
	}

	@Test
	void theHoldIsOpenWhileTheLockIsHeld() {
		LockHandle lock = this.template.acquire(LockRequest.of("order"));
		assertThatObservation("distributed.lock.acquire").hasBeenStopped();
		assertThatObservation("distributed.lock.held").hasBeenStarted().isNotStopped();
		lock.close();
		assertThatObservation("distributed.lock.held").hasBeenStopped();
	}

	@Test
	void bothAreChildrenOfWhatTheCallerObserves() {
		Observation parent = Observation.start("request", this.registry);
		parent.scoped(() -> this.template.acquire(LockRequest.of("order")).close());
		parent.stop();
		assertThatObservation("distributed.lock.acquire").hasParentObservationEqualTo(parent);
		assertThatObservation("distributed.lock.held").hasParentObservationEqualTo(parent);
	}

	@Test
	void bothAreChildrenOfWhatTheCallerObservesAlsoWhenNoThreadWaits() {
		Observation parent = Observation.start("request", this.registry);
		CompletableFuture<LockHandle> acquiring = new CompletableFuture<>();
		parent.scoped(() -> this.template.acquireAsync(LockRequest.of("order")).thenAccept(acquiring::complete));
		acquiring.join().close();
		parent.stop();
		assertThatObservation("distributed.lock.acquire").hasParentObservationEqualTo(parent);
		assertThatObservation("distributed.lock.held").hasParentObservationEqualTo(parent);
	}

	@Test
	void contentionIsNoError() {
		try (LockHandle lock = this.template.acquire(LockRequest.of("order").key(1))) {
			this.registry.clear();
			assertThat(this.template.tryAcquire(LockRequest.of("order").key(1))).isEmpty();
		}
		assertThatObservation("distributed.lock.acquire").hasBeenStopped()
			.hasLowCardinalityKeyValue("outcome", "contended")
			.doesNotHaveError();
	}

	@Test
	void noQuorumIsAnError() {
		this.observed.nodes.forEach(SwitchableNode::cutOff);
		CompletableFuture<LockHandle> failed = this.template
			.acquireAsync(LockRequest.of("order").waitTime(Duration.ZERO))
			.toCompletableFuture();
		assertThat(failed).failsWithin(Duration.ofSeconds(10));
		assertThatObservation("distributed.lock.acquire").hasBeenStopped()
			.hasLowCardinalityKeyValue("outcome", "unavailable")
			.hasError()
			.thenError()
			.isInstanceOf(LockUnavailableException.class);
	}

	@Test
	void attemptsAreThoseOfTheRequestWhetherItWasGrantedOrNot() {
		LockObservations observations = new LockObservations(this.registry, new LockTags(), null, null);
		Objects.requireNonNull(observations.onRequest(LockRequest.of("order").key(1))).onGranted(mock(), 2);
		Objects.requireNonNull(observations.onRequest(LockRequest.of("order").key(2)))
			.onFailed(new LockUnavailableException("no quorum"), 3);
		for (Map.Entry<String, String> attempts : Map.of("order:1", "2", "order:2", "3").entrySet()) {
			TestObservationRegistryAssert.assertThat(this.registry)
				.hasAnObservation(
						(observation) -> observation.hasHighCardinalityKeyValue("lock.name", attempts.getKey())
							.hasHighCardinalityKeyValue("lock.attempts", attempts.getValue()));
		}
	}

	@Test
	void aLossIsAnErrorOfTheHold() {
		LockHandle lock = this.template.acquire(LockRequest.of("order").leaseTime(Duration.ofMillis(50)));
		Awaitility.await().until(() -> this.meters.find("distributed.lock.held").timer() != null);
		// One handler is notified behind the other.
		Awaitility.await().untilAsserted(() -> assertThatObservation("distributed.lock.held").hasBeenStopped());
		assertThatObservation("distributed.lock.held").thenError()
			.isInstanceOf(LockLostException.class)
			.hasMessageContaining("lease time of 50 ms ended");
		lock.close();
		assertThat(this.meters.get("distributed.lock.held").timer().count()).isEqualTo(1);
	}

	@Test
	void noTimerIsCountedTwice() {
		this.template.acquire(LockRequest.of("order")).close();
		Awaitility.await().until(() -> this.meters.find("distributed.lock.lost").counter() != null);
		assertThat(this.meters.get("distributed.lock.acquire").timers()).hasSize(1);
		assertThat(this.meters.get("distributed.lock.acquire")
			.tags("lock", "order", "outcome", "acquired")
			.timer()
			.count()).isEqualTo(1);
		assertThat(this.meters.get("distributed.lock.held").timers()).hasSize(1);
		assertThat(this.meters.get("distributed.lock.held").tag("lock", "order").timer().count()).isEqualTo(1);
	}

	@Test
	void whatWasObservedOfTheWaitIsNotKeptWhileTheLockIsHeld() {
		Map<String, List<WeakReference<Observation.Context>>> stopped = new ConcurrentHashMap<>();
		try (ObservedEngine engine = observedBy(
				(context) -> stopped.computeIfAbsent(context.getName(), (name) -> new CopyOnWriteArrayList<>())
					.add(new WeakReference<>(context)))) {
			LockHandle lock = engine.template().acquire(LockRequest.of("order").key(42));
			LockHandle asynchronous = engine.template()
				.acquireAsync(LockRequest.of("order").key(43))
				.toCompletableFuture()
				.join();
			assertThat(stopped.get("distributed.lock.acquire")).hasSize(2);
			awaitCollection(stopped.get("distributed.lock.acquire"));
			assertThat(lock.isHeld() && asynchronous.isHeld()).isTrue();
			lock.close();
			asynchronous.close();
		}
	}

	@Test
	void whatWasObservedOfTheHoldIsNotKeptWithALeaseThatIsUnused() {
		List<WeakReference<Observation.Context>> stopped = new CopyOnWriteArrayList<>();
		try (ObservedEngine engine = observedBy((context) -> stopped.add(new WeakReference<>(context)))) {
			engine.template().acquire(LockRequest.of("account").key("alice").retainTime(Duration.ofHours(1))).close();
			assertThat(stopped).hasSize(2);
			awaitCollection(stopped);
			assertThat(engine.inspector().retained()).hasSize(1);
		}
	}

	@Test
	void conventionsOfTheApplicationReplaceBothDefaults() {
		TestObservationRegistry own = TestObservationRegistry.create();
		RequestObservation request = Objects
			.requireNonNull(new LockObservations(own, new LockTags(), new LockAcquireObservationConvention() {

				@Override
				public String getName() {
					return "asked";
				}

			}, new LockHeldObservationConvention() {

				@Override
				public String getName() {
					return "had";
				}

			}).onRequest(LockRequest.of("order")));
		LockHandle handle = mock(LockHandle.class);
		given(handle.names()).willReturn(List.of("order"));
		request.onGranted(handle, 1);
		request.onReleased();
		for (String name : List.of("asked", "had")) {
			TestObservationRegistryAssert.assertThat(own).hasObservationWithNameEqualTo(name).that().hasBeenStopped();
		}
	}

	@Test
	void nothingIsPreparedWhereNothingIsObserved() {
		assertThat(new LockObservations(ObservationRegistry.NOOP, new LockTags(), null, null)
			.onRequest(LockRequest.of("order"))).isNull();
	}

	/** The first loss would be no increase, and no gauge would be there. */
	@Test
	void metersOfANameAreThereFromItsFirstRequestOnAlsoWhereNothingIsObserved() {
		LockTags tags = new LockTags();
		LockMeters counters = new LockMeters(this.meters, tags);
		new LockObservations(ObservationRegistry.NOOP, tags, null, null).onRequest(LockRequest.of("order"));
		assertThat(this.meters.get("distributed.lock.lost").tag("lock", "order").counter().count()).isZero();
		assertThat(counters).isNotNull();
	}

	@Test
	void permitsAreCountedFromTheFirstRequestForOneOn() {
		LockTags tags = new LockTags();
		List<String> counted = new ArrayList<>();
		tags.forEachWithPermits(counted::add);
		LockObservations observations = new LockObservations(this.registry, tags, null, null);
		observations.onRequest(LockRequest.of("order"));
		observations.onRequest(LockRequest.of("export").permits(2));
		assertThat(counted).containsExactly("export");
	}

	private static ObservedEngine observedBy(Consumer<Observation.Context> stopped) {
		ObservationRegistry registry = ObservationRegistry.create();
		registry.observationConfig().observationHandler(new ObservationHandler<>() {

			@Override
			public void onStop(Observation.Context context) {
				stopped.accept(context);
			}

			@Override
			public boolean supportsContext(Observation.Context context) {
				return true;
			}

		});
		ObservedEngine engine = new ObservedEngine(3);
		engine.requestObservers.add(new LockObservations(registry, new LockTags(), null, null));
		return engine.start();
	}

	private static void awaitCollection(Collection<WeakReference<Observation.Context>> contexts) {
		Awaitility.await().atMost(Duration.ofSeconds(30)).until(() -> {
			System.gc();
			return contexts.stream().allMatch((context) -> context.refersTo(null));
		});
	}

	private TestObservationRegistryAssert.TestObservationRegistryAssertReturningObservationContextAssert assertThatObservation(
			String name) {
		return TestObservationRegistryAssert.assertThat(this.registry).hasObservationWithNameEqualTo(name).that();
	}

}
