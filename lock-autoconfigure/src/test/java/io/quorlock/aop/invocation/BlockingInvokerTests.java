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

package io.quorlock.aop.invocation;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;

import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.scheduling.annotation.Async;

import io.quorlock.annotation.DistributedLock;
import io.quorlock.annotation.DistributedLock.OnContention;
import io.quorlock.aop.AopConfiguration;
import io.quorlock.aop.FakeLockTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Tests for {@link BlockingInvoker}.
 */
class BlockingInvokerTests {

	@Test
	void interruptOfAnAsyncMethodsThreadDoesNotReleaseBeforeTheWorkHasEnded() throws Exception {
		try (var context = new AnnotationConfigApplicationContext(AopConfiguration.class, Work.class)) {
			FakeLockTemplate locks = context.getBean(FakeLockTemplate.class);
			Work work = context.getBean(Work.class);
			CompletableFuture<Boolean> interrupted = new CompletableFuture<>();
			Thread worker = new Thread(() -> {
				work.start();
				interrupted.complete(Thread.currentThread().isInterrupted());
			});
			worker.start();
			Awaitility.await().until(() -> worker.getState() == Thread.State.WAITING && locks.isHeld("work"));
			worker.interrupt();
			Awaitility.await().until(() -> !worker.isInterrupted());
			assertThat(locks.isHeld("work")).isTrue();
			work.result().complete("done");
			worker.join(30_000);
			assertThat(interrupted).isCompletedWithValue(true);
			assertThat(locks.heldCount()).isZero();
		}
	}

	@Test
	void futureThatFailsIsTheResult() {
		try (var context = new AnnotationConfigApplicationContext(AopConfiguration.class, Work.class)) {
			Work work = context.getBean(Work.class);
			CompletableFuture<String> failing = new CompletableFuture<>();
			CompletableFuture<Future<?>> returned = CompletableFuture.supplyAsync(() -> work.wait(failing));
			FakeLockTemplate locks = context.getBean(FakeLockTemplate.class);
			Awaitility.await().until(() -> locks.isHeld("work"));
			failing.completeExceptionally(new IllegalStateException("full"));
			assertThat(returned).succeedsWithin(10, TimeUnit.SECONDS).isSameAs(failing);
			assertThat(locks.heldCount()).isZero();
		}
	}

	@Test
	void methodOfAnAsynchronousClassMayReturnAFutureAsWell() {
		try (var context = new AnnotationConfigApplicationContext(AopConfiguration.class, AsynchronousWork.class)) {
			Future<?> done = CompletableFuture.completedFuture("done");
			assertThat(context.getBean(AsynchronousWork.class).wait(done)).isSameAs(done);
			assertThat(context.getBean(FakeLockTemplate.class).events()).containsExactly("lock work", "unlock work");
		}
	}

	@Test
	void asynchronousMethodThatIsSkippedReturnsACompletedFuture() {
		try (var context = new AnnotationConfigApplicationContext(AopConfiguration.class, Work.class)) {
			context.getBean(FakeLockTemplate.class).holdElsewhere("work");
			assertThat(context.getBean(Work.class).skipped()).isCompletedWithValue(null);
		}
	}

	@Test
	void reactiveResultThatIsNotDeclaredIsRefused() {
		try (var context = new AnnotationConfigApplicationContext(AopConfiguration.class, Work.class)) {
			Work work = context.getBean(Work.class);
			assertThat(work.compute("done")).isEqualTo("done");
			assertThatIllegalStateException().isThrownBy(() -> work.compute(Mono.just("later")))
				.withMessageContaining(
						"Work.compute(Object) returned a MonoJust, which would do its work without the lock");
			assertThat(context.getBean(FakeLockTemplate.class).heldCount()).isZero();
		}
	}

	static class Work {

		private final CompletableFuture<String> result = new CompletableFuture<>();

		@Async
		@DistributedLock("work")
		public Future<String> start() {
			return this.result;
		}

		@Async
		@DistributedLock("work")
		public Future<?> wait(Future<?> result) {
			return result;
		}

		@Async
		@DistributedLock(name = "work", onContention = OnContention.SKIP)
		public CompletableFuture<String> skipped() {
			return this.result;
		}

		@DistributedLock("work")
		public Object compute(Object result) {
			return result;
		}

		CompletableFuture<String> result() {
			return this.result;
		}

	}

	@Async
	static class AsynchronousWork {

		@DistributedLock("work")
		public Future<?> wait(Future<?> result) {
			return result;
		}

	}

}
