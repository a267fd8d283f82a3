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

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;

import org.springframework.beans.factory.NoUniqueBeanDefinitionException;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import io.quorlock.LockException;
import io.quorlock.LockInterruptedException;
import io.quorlock.LockNotAcquiredException;
import io.quorlock.LockUnavailableException;
import io.quorlock.annotation.DistributedLock;
import io.quorlock.annotation.DistributedLock.OnContention;
import io.quorlock.annotation.LockFailureHandler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link LockFailureHandler}.
 */
class LockFailureHandlerTests {

	private final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
		.withUserConfiguration(AopConfiguration.class)
		.withBean(Orders.class);

	private final ApplicationContextRunner translating = this.contextRunner.withBean(LockFailureHandler.class,
			() -> (failure, target, method, arguments) -> {
				throw new OrderBusyException(method.getName() + " " + arguments[0], failure);
			});

	@Test
	void translatesWhatTheCallerWouldGet() {
		this.translating.run((context) -> {
			Orders orders = context.getBean(Orders.class);
			context.getBean(FakeLockTemplate.class).holdElsewhere("order:42");
			assertThatExceptionOfType(OrderBusyException.class).isThrownBy(() -> orders.ship(42))
				.withMessage("ship 42")
				.withCauseInstanceOf(LockNotAcquiredException.class);
			assertThatExceptionOfType(CompletionException.class).isThrownBy(() -> orders.shipLater(42).join())
				.withCauseInstanceOf(OrderBusyException.class);
			StepVerifier.create(orders.shipReactive(42)).verifyError(OrderBusyException.class);
			context.getBean(FakeLockTemplate.class).unavailable(true);
			assertThatExceptionOfType(OrderBusyException.class).isThrownBy(() -> orders.ship(42))
				.withCauseInstanceOf(LockUnavailableException.class);
		});
	}

	@Test
	void annotationThatSaysItselfWhatToDoComesFirst() {
		this.translating.run((context) -> {
			Orders orders = context.getBean(Orders.class);
			context.getBean(FakeLockTemplate.class).holdElsewhere("order:42");
			assertThat(orders.shipOrSkip(42)).isNull();
			assertThat(orders.shipOrElse(42)).isEqualTo("busy");
			context.getBean(FakeLockTemplate.class).unavailable(true);
			assertThatExceptionOfType(OrderBusyException.class).isThrownBy(() -> orders.shipOrSkip(42));
			assertThatExceptionOfType(OrderBusyException.class).isThrownBy(() -> orders.shipOrElse(42));
		});
	}

	@Test
	void repliesInPlaceOfTheMethod() {
		this.contextRunner
			.withBean(LockFailureHandler.class, () -> (failure, target, method,
					arguments) -> (method.getReturnType() == Mono.class) ? Mono.just("busy") : "busy")
			.run((context) -> {
				context.getBean(FakeLockTemplate.class).holdElsewhere("order:42");
				assertThat(context.getBean(Orders.class).ship(42)).isEqualTo("busy");
				StepVerifier.create(context.getBean(Orders.class).shipReactive(42)).expectNext("busy").verifyComplete();
				assertThatExceptionOfType(CompletionException.class)
					.isThrownBy(() -> context.getBean(Orders.class).shipLater(42).join())
					.withMessageContaining("returned a java.lang.String, but the method returns a CompletionStage");
			});
	}

	@Test
	void twoHandlersStopTheStart() {
		this.translating.withBean("other", LockFailureHandler.class, () -> (failure, target, method, arguments) -> null)
			.run((context) -> assertThat(context).hasFailed()
				.getFailure()
				.isInstanceOf(NoUniqueBeanDefinitionException.class));
	}

	@Test
	void isAskedForAWaitThatWasInterrupted() {
		this.translating.run((context) -> {
			Orders orders = context.getBean(Orders.class);
			context.getBean(FakeLockTemplate.class).holdElsewhere("order:42");
			Thread.currentThread().interrupt();
			assertThatExceptionOfType(OrderBusyException.class).isThrownBy(() -> orders.ship(42))
				.withCauseInstanceOf(LockInterruptedException.class);
			assertThat(Thread.interrupted()).isTrue();
			assertThatExceptionOfType(OrderBusyException.class).isThrownBy(() -> {
				Thread.currentThread().interrupt();
				orders.shipOrSkip(42);
			}).withCauseInstanceOf(LockInterruptedException.class);
			assertThat(Thread.interrupted()).isTrue();
		});
	}

	@Test
	void isNotAskedForFailuresOfTheMethod() {
		this.translating.run((context) -> assertThatExceptionOfType(IllegalArgumentException.class)
			.isThrownBy(() -> context.getBean(Orders.class).ship(-1)));
	}

	static class OrderBusyException extends RuntimeException {

		private static final long serialVersionUID = 1L;

		OrderBusyException(String message, LockException cause) {
			super(message, cause);
		}

	}

	static class Orders {

		@DistributedLock(name = "order", key = "#id", waitTime = "0s")
		public String ship(int id) {
			if (id < 0) {
				throw new IllegalArgumentException();
			}
			return "shipped";
		}

		@DistributedLock(name = "order", key = "#id", waitTime = "0s")
		public CompletableFuture<String> shipLater(int id) {
			return CompletableFuture.completedFuture("shipped");
		}

		@DistributedLock(name = "order", key = "#id", waitTime = "0s")
		public Mono<String> shipReactive(int id) {
			return Mono.just("shipped");
		}

		@DistributedLock(name = "order", key = "#id", waitTime = "0s", onContention = OnContention.SKIP)
		public @Nullable String shipOrSkip(int id) {
			return "shipped";
		}

		@DistributedLock(name = "order", key = "#id", waitTime = "0s", fallback = "busy")
		public String shipOrElse(int id) {
			return "shipped";
		}

		String busy(int id) {
			return "busy";
		}

	}

}
