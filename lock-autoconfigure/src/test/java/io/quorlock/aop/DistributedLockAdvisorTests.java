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

package io.quorlock.aop;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.assertj.core.api.ThrowableAssertAlternative;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.core.env.MapPropertySource;

import io.quorlock.LockContext;
import io.quorlock.LockInterruptedException;
import io.quorlock.LockKeyException;
import io.quorlock.LockLostException;
import io.quorlock.LockNotAcquiredException;
import io.quorlock.LockRequest;
import io.quorlock.LockUnavailableException;
import io.quorlock.aop.OrderFixtures.Orders;
import io.quorlock.aop.OrderFixtures.Script;
import io.quorlock.aop.OrderFixtures.Warehouse;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Tests for {@link DistributedLockAdvisor} with methods that are complete when they
 * return, also when their lock is lost while they run.
 */
class DistributedLockAdvisorTests {

	private AnnotationConfigApplicationContext context;

	private FakeLockTemplate locks;

	private Orders orders;

	private Script script;

	@BeforeEach
	void start() {
		this.context = new AnnotationConfigApplicationContext();
		this.context.getEnvironment()
			.getPropertySources()
			.addFirst(new MapPropertySource("test", Map.of("order.lock", "orders", "order.wait", "2s")));
		this.context.register(AopConfiguration.class, Orders.class, Script.class, Warehouse.class);
		this.context.refresh();
		this.locks = this.context.getBean(FakeLockTemplate.class);
		this.orders = this.context.getBean(Orders.class);
		this.script = this.context.getBean(Script.class);
	}

	@AfterEach
	void stop() {
		assertThat(LockContext.capture()).isNull();
		assertThat(Thread.interrupted()).isFalse();
		this.context.close();
	}

	@Test
	void locksWhileTheMethodRuns() {
		this.script.body = () -> assertThat(this.locks.isHeld("nightly-report")).isTrue();
		this.orders.nameOnly();
		assertThat(this.locks.events()).containsExactly("lock nightly-report", "unlock nightly-report");
	}

	@Test
	void releasesWhenTheMethodThrows() {
		this.script.body = () -> {
			throw new IllegalStateException("full");
		};
		assertThatIllegalStateException().isThrownBy(this.orders::nameOnly).withMessage("full");
		assertThat(this.locks.heldCount()).isZero();
	}

	@Test
	void computesTheKeyFromArgumentsByNameAndIndex() {
		this.orders.byName(42);
		this.orders.byIndex(1, 2);
		this.orders.byRoot("x");
		this.orders.byBean(7);
		assertThat(this.locks.requests()).extracting(LockRequest::names)
			.containsExactly(List.of("order:42"), List.of("order:1-2"), List.of("order:byRoot-x-shop"),
					List.of("order:warehouse-7"));
	}

	@Test
	void locksAllElementsOfACollectionOrAnArray() {
		this.orders.all(List.of("b", "a", "b"));
		this.orders.array(3, 1);
		assertThat(this.locks.requests()).extracting(LockRequest::names)
			.containsExactly(List.of("stock:a", "stock:b"), List.of("stock:1", "stock:3"));
	}

	@Test
	void computesTheKeyOnceAtEntry() {
		List<String> skus = new ArrayList<>(List.of("a"));
		this.script.body = skus::clear;
		this.orders.all(skus);
		assertThat(this.locks.events()).containsExactly("lock stock:a", "unlock stock:a");
	}

	@Test
	void unwrapsAnOptionalKey() {
		this.orders.optional(Optional.of(5));
		assertThat(this.locks.lastRequest().names()).containsExactly("order:5");
		assertThatKeyIsRefused(() -> this.orders.optional(Optional.empty())).withMessageContaining("null");
	}

	@Test
	void refusesNullAndEmptyKeysNamingMethodAndExpression() {
		assertThatKeyIsRefused(() -> this.orders.byName(null)).withMessageContaining("null");
		assertThatKeyIsRefused(() -> this.orders.byText("")).withMessageContaining("empty");
		assertThatKeyIsRefused(() -> this.orders.all(List.of())).withMessageContaining("empty");
		assertThatKeyIsRefused(() -> this.orders.nested(null)).withMessageContaining("#order.length()");
		assertThat(this.locks.requests()).isEmpty();
	}

	private static ThrowableAssertAlternative<LockKeyException> assertThatKeyIsRefused(ThrowingCallable call) {
		return assertThatExceptionOfType(LockKeyException.class).isThrownBy(call)
			.withMessageContaining(Orders.class.getName() + ".")
			.withMessageContaining("#");
	}

	@Test
	void resolvesPlaceholdersAndDurations() {
		this.orders.configured();
		LockRequest request = this.locks.lastRequest();
		assertThat(request.names()).containsExactly("orders");
		assertThat(request.waitTime()).isEqualTo(Duration.ofSeconds(2));
		assertThat(request.leaseTime()).isEqualTo(Duration.ofMinutes(1));
		assertThat(request.holdAtLeast()).isEqualTo(Duration.ofMillis(500));
	}

	@Test
	void leavesDurationsToTheConfigurationWhenEmpty() {
		this.orders.nameOnly();
		assertThat(this.locks.lastRequest().waitTime()).isNull();
		assertThat(this.locks.lastRequest().leaseTime()).isNull();
		assertThat(this.locks.lastRequest().holdAtLeast()).isZero();
		this.orders.blank();
		assertThat(this.locks.lastRequest().waitTime()).isNull();
		assertThat(this.locks.lastRequest().leaseTime()).isNull();
		assertThat(this.locks.lastRequest().holdAtLeast()).isZero();
	}

	@Test
	void defaultNameIsClassAndMethodAndSharedByOverloads() {
		this.orders.overloaded(1);
		this.orders.overloaded("x");
		assertThat(this.locks.requests()).extracting(LockRequest::names)
			.containsOnly(List.of(Orders.class.getName() + ".overloaded"))
			.hasSize(2);
	}

	@Test
	void metaAnnotationPassesItsAttributesOn() {
		this.orders.composed(9);
		assertThat(this.locks.lastRequest().names()).containsExactly("account:9");
		assertThat(this.locks.lastRequest().waitTime()).isEqualTo(Duration.ZERO);
		this.locks.holdElsewhere("account:8");
		assertThat(this.orders.composed(8)).isNull();
	}

	@Test
	void throwsWhenHeldElsewhere() {
		this.locks.holdElsewhere("nightly-report");
		assertThatExceptionOfType(LockNotAcquiredException.class).isThrownBy(this.orders::nameOnly);
		assertThat(this.script.runs).isZero();
	}

	@Test
	void skipReturnsNothing() {
		this.locks.holdElsewhere("skip");
		this.orders.skipVoid();
		assertThat(this.orders.skipObject()).isNull();
		assertThat(this.orders.skipOptional()).isEmpty();
		assertThat(this.orders.skipOptionalInt()).isEmpty();
		assertThat(this.orders.skipOptionalLong()).isEmpty();
		assertThat(this.orders.skipOptionalDouble()).isEmpty();
		assertThat(this.script.runs).isZero();
	}

	@Test
	void skipNeverHidesAnOutageOrAnInterrupt() {
		this.locks.holdElsewhere("skip");
		Thread.currentThread().interrupt();
		assertThatExceptionOfType(LockInterruptedException.class).isThrownBy(this.orders::skipVoid)
			.withCauseInstanceOf(InterruptedException.class);
		assertThat(Thread.interrupted()).isTrue();
		this.locks.unavailable(true);
		assertThatExceptionOfType(LockUnavailableException.class).isThrownBy(this.orders::skipVoid);
	}

	@Test
	void fallbackIsCalledInsteadButNotWhenUnavailable() {
		this.locks.holdElsewhere("fallback:1");
		assertThat(this.orders.withFallback(1)).isEqualTo("busy 1");
		this.locks.unavailable(true);
		assertThatExceptionOfType(LockUnavailableException.class).isThrownBy(() -> this.orders.withFallback(1));
	}

	@Test
	void fallbackWithExceptionIsCalledAlsoWhenUnavailable() {
		this.locks.holdElsewhere("fallback:1");
		assertThat(this.orders.withTellingFallback(1)).isEqualTo("1 LockNotAcquiredException");
		this.locks.unavailable(true);
		assertThat(this.orders.withTellingFallback(1)).isEqualTo("1 LockUnavailableException");
	}

	@Test
	void fallbackIsNotCalledForAnotherExceptionThanItTakes() {
		this.locks.holdElsewhere("fallback:1");
		assertThat(this.orders.withFallbackForContention(1)).isEqualTo("1 LockNotAcquiredException");
		this.locks.unavailable(true);
		assertThatExceptionOfType(LockUnavailableException.class)
			.isThrownBy(() -> this.orders.withFallbackForContention(1));
	}

	@Test
	void fallbackIsNotCalledForWhatTheMethodThrows() {
		this.script.body = () -> {
			throw new LockUnavailableException("inner");
		};
		assertThatExceptionOfType(LockUnavailableException.class).isThrownBy(() -> this.orders.withTellingFallback(1))
			.withMessage("inner");
	}

	@Test
	void reentersThroughTheContext() {
		this.script.body = () -> {
			long token = LockContext.fencingToken();
			this.script.body = () -> assertThat(LockContext.fencingToken()).isEqualTo(token);
			this.orders.nameOnly();
		};
		this.orders.nameOnly();
		assertThat(this.script.runs).isEqualTo(2);
		assertThat(this.locks.events()).containsExactly("lock nightly-report", "unlock nightly-report");
	}

	@Test
	void callThroughThisIsNotLocked() {
		this.orders.callsItself();
		assertThat(this.locks.requests()).isEmpty();
	}

	@Test
	void callerLearnsOfTheLossWhenTheMethodIsDone() {
		this.script.body = () -> this.locks.lose("nightly-report");
		assertThatExceptionOfType(LockLostException.class).isThrownBy(this.orders::nameOnly).withNoCause();
		assertThat(this.script.runs).isOne();
	}

	@Test
	void whatTheMethodThrewCarriesTheLoss() {
		IllegalStateException failure = new IllegalStateException("full");
		this.script.body = () -> {
			this.locks.lose("nightly-report");
			throw failure;
		};
		assertThatIllegalStateException().isThrownBy(this.orders::nameOnly)
			.satisfies((ex) -> assertThat(ex).isSameAs(failure))
			.satisfies(
					(ex) -> assertThat(ex.getSuppressed()).hasOnlyElementsOfType(LockLostException.class).hasSize(1));
	}

	@Test
	void lossThatTheMethodThrewIsTheLoss() {
		this.script.body = () -> {
			this.locks.lose("nightly-report");
			LockContext.current().orElseThrow().ensureHeld();
		};
		assertThatExceptionOfType(LockLostException.class).isThrownBy(this.orders::nameOnly)
			.satisfies((ex) -> assertThat(ex.getSuppressed()).isEmpty());
	}

	@Test
	void ignoredLossLeavesTheResult() {
		this.script.body = () -> this.locks.lose("ignore");
		assertThat(this.orders.ignoring()).isEqualTo("done");
	}

	@Test
	void lockThatTheMethodClosedIsNotLost() {
		this.script.body = () -> LockContext.current().orElseThrow().close();
		this.orders.nameOnly();
		assertThat(this.locks.heldCount()).isZero();
	}

	@Test
	void interruptReachesTheMethodAtOnceAndEndsWithIt() {
		this.script.body = () -> {
			this.locks.lose("interrupt");
			long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
			while (!Thread.currentThread().isInterrupted() && System.nanoTime() < deadline) {
				LockSupport.parkNanos(deadline - System.nanoTime());
			}
			assertThat(Thread.currentThread().isInterrupted()).isTrue();
		};
		assertThatExceptionOfType(LockLostException.class).isThrownBy(this.orders::interrupted);
		assertThat(Thread.currentThread().isInterrupted()).isFalse();
	}

	@Test
	void interruptedMethodIsTheCauseOfTheLoss() {
		CountDownLatch never = new CountDownLatch(1);
		this.script.throwing = () -> {
			this.locks.lose("interrupt");
			assertThat(never.await(20, TimeUnit.SECONDS)).isFalse();
		};
		assertThatExceptionOfType(LockLostException.class).isThrownBy(this.orders::interrupted)
			.withCauseInstanceOf(InterruptedException.class);
		assertThat(Thread.currentThread().isInterrupted()).isFalse();
	}

	@Test
	void interruptByOthersStays() {
		this.script.body = () -> {
			Thread.currentThread().interrupt();
			this.locks.lose("interrupt");
		};
		assertThatExceptionOfType(LockLostException.class).isThrownBy(this.orders::interrupted);
		assertThat(Thread.interrupted()).isTrue();
	}

	@Test
	void lossAfterTheMethodInterruptsNoThread() throws Exception {
		for (int i = 0; i < 200; i++) {
			Thread[] losing = new Thread[1];
			this.script.body = () -> {
				losing[0] = new Thread(() -> this.locks.loseIfHeld("interrupt"));
				losing[0].start();
			};
			try {
				this.orders.interrupted();
			}
			catch (LockLostException ex) {
				// Lost in time: the interrupt must be gone all the same.
			}
			assertThat(Thread.currentThread().isInterrupted()).isFalse();
			losing[0].join();
			assertThat(Thread.currentThread().isInterrupted()).isFalse();
		}
	}

}
