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

package io.quorlock.engine;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import io.quorlock.LockContext;
import io.quorlock.LockException;
import io.quorlock.LockHandle;
import io.quorlock.LockLostEvent;
import io.quorlock.LockRequest;
import io.quorlock.LockTemplate;
import io.quorlock.engine.event.RequestObservation;
import io.quorlock.engine.event.RequestObserver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests for {@link RequestObserver}.
 */
class RequestObserverTests {

	private final ObservedEngine observed = new ObservedEngine(3);

	private final List<String> events = new CopyOnWriteArrayList<>();

	private LockTemplate template;

	@BeforeEach
	void start() {
		this.observed.requestObservers.add((request) -> {
			throw new IllegalStateException("a broken observer");
		});
		this.observed.requestObservers.add((request) -> null);
		this.observed.requestObservers.add((request) -> {
			note("asked " + request.names());
			return new Notes();
		});
		this.template = this.observed.start().template();
	}

	@AfterEach
	void stop() {
		this.observed.close();
	}

	private void note(String event) {
		this.events.add(event + " on " + Thread.currentThread().getName());
	}

	@Test
	void isToldOnTheThreadsOfTheUser() {
		String thread = Thread.currentThread().getName();
		this.template.acquire(LockRequest.of("order")).close();
		assertThat(this.events).containsExactly("asked [order] on " + thread, "granted after 1 on " + thread,
				"released on " + thread);
	}

	@Test
	void isToldBeforeTheContinuationOfAStage() {
		String thread = Thread.currentThread().getName();
		CompletableFuture<List<String>> seen = this.template.acquireAsync(LockRequest.of("order"))
			.thenApply((handle) -> List.copyOf(this.events))
			.toCompletableFuture();
		assertThat(seen.join()).containsExactly("asked [order] on " + thread, "granted after 1 on observed-callback");
	}

	@Test
	void isToldOfFailures() {
		try (LockHandle lock = this.template.acquire(LockRequest.of("order"))) {
			assertThat(this.template.tryAcquire(LockRequest.of("order"))).isEmpty();
			assertThat(this.events).last().asString().startsWith("failed with LockNotAcquiredException after 0");
			this.observed.nodes.forEach(SwitchableNode::cutOff);
			this.template.acquireAsync(LockRequest.of("other").waitTime(Duration.ZERO))
				.handle((handle, ex) -> ex)
				.toCompletableFuture()
				.join();
			assertThat(this.events).last().asString().startsWith("failed with LockUnavailableException after 1");
		}
	}

	@Test
	void refusalToUseANameWithPermitsAndWithoutIsReported() {
		try (LockHandle lock = this.template.acquire(LockRequest.of("order"))) {
			LockRequest permits = LockRequest.of("order").permits(2);
			assertThatIllegalArgumentException().isThrownBy(() -> this.template.acquire(permits));
			assertThat(this.events).last().asString().startsWith("failed with LockUnavailableException after 0");
			assertThatIllegalArgumentException().isThrownBy(() -> this.template.acquireAsync(permits));
			assertThat(this.events).filteredOn((event) -> event.startsWith("failed")).hasSize(2);
		}
	}

	@Test
	void isToldOfACancelledWaitAsOfOneThatWasNotServed() {
		try (LockHandle lock = this.template.acquire(LockRequest.of("order"))) {
			this.template.acquireAsync(LockRequest.of("order")).toCompletableFuture().cancel(true);
			Awaitility.await()
				.untilAsserted(() -> assertThat(this.events).last()
					.asString()
					.startsWith("failed with LockCancelledException"));
		}
	}

	@Test
	void isToldOfALossOnceAndOfNoReleaseThen() {
		LockHandle lock = this.template.acquire(LockRequest.of("order").leaseTime(Duration.ofMillis(50)));
		Awaitility.await().until(() -> this.events.size() == 3);
		assertThat(this.events).last().isEqualTo("lost [order] on observed-callback");
		lock.close();
		assertThat(this.events).hasSize(3);
	}

	@Test
	void isNotToldOfReentry() {
		this.template.executeWithoutResult("order", () -> {
			int before = this.events.size();
			this.template.executeWithoutResult("order", () -> assertThat(LockContext.current()).isPresent());
			assertThat(this.events).hasSize(before);
		});
	}

	@Test
	void isToldOfEachHolderOfALeaseThatIsHandedOn() {
		LockHandle first = this.template.acquire(LockRequest.of("order"));
		CompletableFuture<LockHandle> second = this.template.acquireAsync(LockRequest.of("order"))
			.toCompletableFuture();
		first.close();
		second.join().close();
		assertThat(this.events).filteredOn((event) -> event.startsWith("granted")).hasSize(2);
		assertThat(this.events).filteredOn((event) -> event.startsWith("released")).hasSize(2);
	}

	private final class Notes implements RequestObservation {

		@Override
		public void onGranted(LockHandle handle, int attempts) {
			note("granted after " + attempts);
			throw new IllegalStateException("a broken observation");
		}

		@Override
		public void onFailed(LockException failure, int attempts) {
			note("failed with " + failure.getClass().getSimpleName() + " after " + attempts);
		}

		@Override
		public void onReleased() {
			note("released");
		}

		@Override
		public void onLost(LockLostEvent event) {
			note("lost " + event.names());
		}

	}

}
