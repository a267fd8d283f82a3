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

package io.quorlock.test;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.context.ApplicationListener;
import org.springframework.context.PayloadApplicationEvent;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

import io.quorlock.LockContext;
import io.quorlock.LockHandle;
import io.quorlock.LockLostEvent;
import io.quorlock.LockLostException;
import io.quorlock.LockNotAcquiredException;
import io.quorlock.LockRequest;
import io.quorlock.LockTemplate;
import io.quorlock.LockUnavailableException;
import io.quorlock.annotation.DistributedLock;
import io.quorlock.autoconfigure.LockBackend;
import io.quorlock.engine.LockInspector;
import io.quorlock.spi.DelegatingLockTemplate;

import static io.quorlock.test.LockAssertions.assertThatLocks;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.BDDMockito.given;
import static org.mockito.Mockito.mock;

/**
 * Tests for {@link AutoConfigureTestLocks}, {@link LockSimulator} and
 * {@link LockAssertions}, as an application would use them.
 */
@SpringBootTest(webEnvironment = WebEnvironment.NONE,
		properties = { "distributed-lock.wait-time=500ms", "distributed-lock.connection.operation-timeout=2s",
				"distributed-lock.groups.a.nodes=redis://not-used",
				"distributed-lock.groups.b.nodes=redis://not-used-either" })
@AutoConfigureTestLocks
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class AutoConfigureTestLocksTests {

	@Autowired
	private LockTemplate lockTemplate;

	@Autowired
	private LockSimulator locks;

	@Autowired
	private Orders orders;

	@Test
	void locksAreKeptInMemory(@Autowired LockBackend backend) {
		assertThat(backend.name()).isEqualTo("in-memory");
	}

	@Test
	@Order(1)
	void whatOneTestSimulates() {
		this.locks.heldElsewhere("order:42");
		this.locks.unavailable();
		assertThatExceptionOfType(LockUnavailableException.class).isThrownBy(() -> this.orders.place(42));
	}

	@Test
	@Order(2)
	void isOverInTheNext() {
		this.orders.place(42);
	}

	@Test
	void lockCanBeHeldElsewhere() {
		this.locks.heldElsewhere("order:42");
		assertThatExceptionOfType(LockNotAcquiredException.class).isThrownBy(() -> this.orders.place(42))
			.withMessageContaining("elsewhere@test");
		assertThatExceptionOfType(IllegalStateException.class).isThrownBy(() -> this.locks.heldElsewhere("order:42"));
		this.orders.place(43);
		this.locks.free("order:42");
		this.orders.place(42);
	}

	/** Whoever debugs a test takes time. */
	@Test
	void lockThatIsHeldElsewhereDoesNotEndByItself(@Autowired LockInspector inspector) {
		this.locks.heldElsewhere("order:42");
		assertThat(inspector.inspect("order:42").join()).isNotEmpty()
			.allSatisfy((report) -> assertThat(report.remaining()).isGreaterThan(Duration.ofHours(1)));
	}

	@Test
	void waiterIsWokenWhenTheOtherInstanceReleases() {
		this.locks.heldElsewhere("order:42");
		CompletableFuture<LockHandle> waiting = this.lockTemplate
			.acquireAsync(LockRequest.of("order:42").waitTime(Duration.ofSeconds(30)))
			.toCompletableFuture();
		this.locks.free("order:42");
		waiting.orTimeout(20, TimeUnit.SECONDS).join().close();
	}

	@Test
	void lockThatTheApplicationHoldsCannotBeHeldElsewhere() {
		try (LockHandle held = this.lockTemplate.acquire(LockRequest.of("order:42"))) {
			assertThatExceptionOfType(IllegalStateException.class)
				.isThrownBy(() -> this.locks.heldElsewhere("order:42"))
				.withMessage("Lock 'order:42' is held already");
			assertThat(held.isHeld()).isTrue();
		}
	}

	@Test
	void lockThatTheApplicationOnlyRetainsCanBeHeldElsewhere() {
		this.lockTemplate.acquire(LockRequest.of("order:42").retainTime(Duration.ofHours(1))).close();
		this.locks.heldElsewhere("order:42");
		assertThatExceptionOfType(LockNotAcquiredException.class).isThrownBy(() -> this.orders.place(42));
	}

	@Test
	void lockCanBeSharedElsewhere() {
		this.locks.sharedElsewhere("order:42");
		assertThatExceptionOfType(LockNotAcquiredException.class).isThrownBy(() -> this.orders.place(42))
			.withMessageContaining("elsewhere@test");
		try (LockHandle reader = this.lockTemplate.acquire(LockRequest.of("order:42").shared())) {
			assertThat(reader.isHeld()).isTrue();
			assertThatLocks(this.lockTemplate).areHeld("order:42").areShared("order:42");
			assertThatExceptionOfType(AssertionError.class)
				.isThrownBy(() -> assertThatLocks(this.lockTemplate).areShared("order:42", "order:43"))
				.withMessageStartingWith("Expected lock 'order:43' to be shared");
			assertThatExceptionOfType(IllegalStateException.class)
				.isThrownBy(() -> this.locks.heldElsewhere("order:42"));
			this.locks.sharedElsewhere("order:42");
		}
		this.locks.free("order:42");
		this.orders.place(42);
	}

	@Test
	void permitsCanBeHeldElsewhere() {
		LockRequest permit = LockRequest.of("exports").permits(3).waitTime(Duration.ZERO);
		this.locks.permitElsewhere("exports", 3);
		this.locks.permitElsewhere("exports", 3);
		try (LockHandle held = this.lockTemplate.acquire(permit)) {
			assertThat(held.permit()).isEqualTo(3);
			assertThatLocks(this.lockTemplate).havePermits("exports", 1);
			assertThat(this.lockTemplate.tryAcquire(permit)).isEmpty();
			assertThatExceptionOfType(IllegalStateException.class)
				.isThrownBy(() -> this.locks.permitElsewhere("exports", 3));
			assertThatExceptionOfType(AssertionError.class)
				.isThrownBy(() -> assertThatLocks(this.lockTemplate).areShared("exports"))
				.withMessageContaining("to be shared");
		}
		assertThatLocks(this.lockTemplate).havePermits("exports", 0).areAllReleased();
		assertThatExceptionOfType(AssertionError.class)
			.isThrownBy(() -> assertThatLocks(this.lockTemplate).havePermits("exports", 1))
			.withMessageContaining("there are 0");
		this.locks.free("exports");
		this.lockTemplate.acquire(permit).close();
	}

	@Test
	void permitAndSharedLockCanBeLost() {
		for (LockRequest request : List.of(LockRequest.of("exports").permits(2), LockRequest.of("order:42").shared())) {
			try (LockHandle held = this.lockTemplate.acquire(request)) {
				this.locks.lose(held.name());
				assertThat(held.isHeld()).isFalse();
			}
		}
	}

	/** It is the application that loses it, not the other instance. */
	@Test
	void whatAnotherInstanceHoldsStaysWhenTheApplicationLosesItsOwn() {
		LockRequest permit = LockRequest.of("exports").permits(2).waitTime(Duration.ZERO);
		this.locks.permitElsewhere("exports", 2);
		this.locks.sharedElsewhere("order:42");
		try (LockHandle exports = this.lockTemplate.acquire(permit);
				LockHandle reader = this.lockTemplate.acquire(LockRequest.of("order:42").shared())) {
			this.locks.lose("exports");
			this.locks.lose("order:42");
			assertThat(exports.isHeld()).isFalse();
			assertThat(reader.isHeld()).isFalse();
		}
		try (LockHandle again = this.lockTemplate.acquire(permit)) {
			assertThat(again.permit()).isEqualTo(2);
			assertThat(this.lockTemplate.tryAcquire(permit)).isEmpty();
		}
		assertThatExceptionOfType(LockNotAcquiredException.class).isThrownBy(() -> this.orders.place(42));
	}

	@Test
	void operatorReleasesWhatAnotherInstanceHolds(@Autowired LockInspector inspector) {
		this.locks.heldElsewhere("order:42");
		inspector.forceRelease("order:42").join();
		this.orders.place(42);
	}

	@Test
	void lockIsLostWhileNoNodeReplies() {
		try (LockHandle held = this.lockTemplate.acquire(LockRequest.of("order:42"))) {
			this.locks.unavailable();
			this.locks.lose("order:42");
			assertThat(held.isHeld()).isFalse();
		}
	}

	@Test
	void locksCanBeUnavailable() {
		this.locks.unavailable();
		assertThatExceptionOfType(LockUnavailableException.class).isThrownBy(() -> this.orders.place(42))
			.withMessageContaining("simulated as unavailable");
		this.locks.available();
		this.orders.place(42);
	}

	@Test
	void lockCanBeLost(@Autowired LostEvents events) throws Exception {
		CountDownLatch notified = new CountDownLatch(1);
		assertThatExceptionOfType(LockLostException.class)
			.isThrownBy(() -> this.lockTemplate.executeWithoutResult("order:44", () -> {
				LockHandle handle = LockContext.current().orElseThrow();
				handle.onLost((event) -> notified.countDown());
				this.locks.lose("order:44");
				assertThat(handle.isHeld()).isFalse();
			}));
		assertThat(notified.await(20, TimeUnit.SECONDS)).isTrue();
		Awaitility.await().untilAsserted(() -> assertThat(events.names()).contains("order:44"));
	}

	@Test
	void lockThatIsNotHeldCannotBeLost() {
		assertThatExceptionOfType(IllegalStateException.class).isThrownBy(() -> this.locks.lose("order:42"));
	}

	@Test
	void assertionsReportWhatIsHeld() {
		assertThatLocks(this.lockTemplate).areAllReleased();
		LockHandle handle = this.lockTemplate.acquire(LockRequest.ofAll("a", "b"));
		assertThatLocks(this.lockTemplate).areHeld("a", "b").areNotHeld("c");
		assertThatExceptionOfType(AssertionError.class)
			.isThrownBy(() -> assertThatLocks(this.lockTemplate).areAllReleased())
			.withMessageContaining("[a, b]");
		assertThatExceptionOfType(AssertionError.class)
			.isThrownBy(() -> assertThatLocks(this.lockTemplate).areHeld("a", "c"))
			.withMessage("Expected lock 'c' to be held, but these are: [a, b]");
		assertThatExceptionOfType(AssertionError.class)
			.isThrownBy(() -> assertThatLocks(this.lockTemplate).areNotHeld("c", "a"))
			.withMessageStartingWith("Expected lock 'a' not to be held, but it is: ");
		assertThatLocks(this.lockTemplate).havePermits("a", 0);
		handle.close();
		assertThatLocks(this.lockTemplate).areAllReleased().areNotHeld("a");
	}

	@Test
	void assertionsLookThroughTemplatesThatDelegate() {
		LockTemplate outer = delegatingTo(delegatingTo(this.lockTemplate));
		try (LockHandle handle = outer.acquire(LockRequest.of("a"))) {
			assertThatLocks(outer).areHeld(handle.name());
		}
		LockTemplate other = mock(LockTemplate.class);
		assertThatExceptionOfType(IllegalArgumentException.class).isThrownBy(() -> assertThatLocks(other))
			.withMessageStartingWith("There is no lock engine behind the template");
	}

	private static LockTemplate delegatingTo(LockTemplate delegate) {
		DelegatingLockTemplate template = mock(DelegatingLockTemplate.class);
		given(template.getDelegate()).willReturn(delegate);
		given(template.acquire(any())).will((call) -> delegate.acquire(call.getArgument(0)));
		return template;
	}

	@Configuration(proxyBeanMethods = false)
	@Import({ Orders.class, LostEvents.class })
	static class Application {

	}

	static class Orders {

		@DistributedLock(name = "order", key = "#id")
		void place(long id) {
		}

	}

	static class LostEvents implements ApplicationListener<PayloadApplicationEvent<LockLostEvent>> {

		private final List<String> names = new CopyOnWriteArrayList<>();

		@Override
		public void onApplicationEvent(PayloadApplicationEvent<LockLostEvent> event) {
			this.names.add(event.getPayload().name());
		}

		List<String> names() {
			return this.names;
		}

	}

}
