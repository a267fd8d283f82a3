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

import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.core.env.MapPropertySource;

import io.quorlock.LockContext;
import io.quorlock.LockLostException;
import io.quorlock.aop.OrderFixtures.Orders;
import io.quorlock.aop.OrderFixtures.Script;
import io.quorlock.aop.OrderFixtures.Warehouse;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Tests for methods whose lock is lost while they run.
 */
class LockLossTests {

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
