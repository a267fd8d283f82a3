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

package io.quorlock.transaction;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;

import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;
import org.springframework.core.Ordered;
import org.springframework.transaction.ReactiveTransaction;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionStatus;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.reactive.AbstractReactiveTransactionManager;
import org.springframework.transaction.reactive.GenericReactiveTransaction;
import org.springframework.transaction.reactive.TransactionSynchronization;
import org.springframework.transaction.reactive.TransactionSynchronizationManager;
import org.springframework.transaction.reactive.TransactionalOperator;
import org.springframework.transaction.support.DefaultTransactionDefinition;

import io.quorlock.LockContext;
import io.quorlock.LockHandle;
import io.quorlock.LockLostException;
import io.quorlock.LockRequest;
import io.quorlock.LockTemplate;
import io.quorlock.annotation.DistributedLock;
import io.quorlock.annotation.DistributedLock.OnLost;
import io.quorlock.aop.AopConfiguration;
import io.quorlock.aop.FakeLockTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatNoException;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.BDDMockito.given;
import static org.mockito.Mockito.mock;

/**
 * Tests for locks and reactive transactions: {@link ReactiveTransactionLocks} and
 * {@link ReactiveInvoker}.
 */
class ReactiveTransactionTests {

	private AnnotationConfigApplicationContext context;

	private FakeLockTemplate locks;

	private TransactionalOperator transaction;

	private Orders orders;

	@BeforeEach
	void start() {
		this.context = new AnnotationConfigApplicationContext(AopConfiguration.class, Transactions.class, Orders.class);
		this.locks = this.context.getBean(FakeLockTemplate.class);
		this.transaction = TransactionalOperator.create(this.context.getBean(RecordingTransactionManager.class));
		this.orders = this.context.getBean(Orders.class);
	}

	@AfterEach
	void stop() {
		assertThat(this.locks.heldCount()).isZero();
		this.context.close();
	}

	@Test
	void lockIsAroundTheTransactionOfTheMethod() {
		this.context.getBean(Body.class).mono = Mono.just("done");
		StepVerifier.create(this.orders.place()).expectNext("done").verifyComplete();
		assertThat(this.locks.events()).containsExactly("lock orders", "begin", "commit", "unlock orders");
	}

	@Test
	void lossOfALockAroundTheTransactionRollsBack() {
		this.context.getBean(Body.class).mono = Mono.never();
		StepVerifier.create(this.orders.place()).then(() -> {
			Awaitility.await().until(() -> this.locks.events().contains("begin"));
			this.locks.lose("orders");
		}).expectError(LockLostException.class).verify(Duration.ofSeconds(10));
		assertThat(this.locks.events()).contains("rollback").doesNotContain("commit");
	}

	@Test
	void ignoredLossIsCommitted() {
		this.context.getBean(Body.class).mono = Mono.fromSupplier(() -> {
			this.locks.lose("ignored");
			return "done";
		});
		StepVerifier.create(this.orders.ignoring()).expectNext("done").verifyComplete();
		StepVerifier.create(this.orders.ignoringInside().as(this.transaction::transactional))
			.expectNext("done")
			.verifyComplete();
		assertThat(this.locks.events()).containsExactly("lock ignored", "begin", "commit", "begin", "lock ignored",
				"commit");
	}

	@Test
	void lockTakenInsideIsReleasedAfterTheCommit() {
		this.context.getBean(Body.class).mono = Mono.just("done");
		StepVerifier.create(this.orders.lockOnly().then(this.orders.lockOnly()).as(this.transaction::transactional))
			.expectNext("done")
			.verifyComplete();
		assertThat(this.locks.events()).containsExactly("begin", "lock inner", "commit", "unlock inner");
	}

	@Test
	void lockTakenInsideIsReleasedAfterTheRollback() {
		this.context.getBean(Body.class).mono = Mono.error(new IllegalStateException("full"));
		StepVerifier.create(this.orders.lockOnly().as(this.transaction::transactional)).verifyErrorMessage("full");
		assertThat(this.locks.events()).containsExactly("begin", "lock inner", "rollback", "unlock inner");
	}

	@Test
	void lossOfALockTakenInsideRollsBack() {
		this.context.getBean(Body.class).mono = Mono.just("done");
		StepVerifier
			.create(this.orders.lockOnly()
				.doOnNext((result) -> this.locks.lose("inner"))
				.as(this.transaction::transactional))
			.verifyError(LockLostException.class);
		assertThat(this.locks.events()).contains("rollback").doesNotContain("commit");
	}

	/** Nothing looks at the lock any later. */
	@Test
	void lossRightBeforeTheCommitRollsBack() {
		this.context.getBean(Body.class).mono = TransactionSynchronizationManager.forCurrentTransaction()
			.doOnNext((manager) -> manager.registerSynchronization(new LosingSynchronization()))
			.thenReturn("done");
		StepVerifier.create(this.orders.lockOnly().then(this.orders.lockOnly()).as(this.transaction::transactional))
			.verifyError(LockLostException.class);
		assertThat(this.locks.events()).contains("rollback").doesNotContain("commit");
	}

	/** Such a listener often goes on with what the transaction has changed. */
	@Test
	void listenerOfTheCompletionReentersWhatTheTransactionStillKeeps() {
		this.context.getBean(Body.class).mono = Mono.just("done");
		Mono<String> anew = this.orders.lockOnly().as(anew()::transactional);
		StepVerifier
			.create(afterCompletion(this.orders.lockOnly().then(anew)).then(this.orders.lockOnly())
				.as(this.transaction::transactional))
			.expectNext("done")
			.expectComplete()
			.verify(Duration.ofSeconds(10));
		assertThat(this.locks.events()).containsExactly("begin", "lock inner", "commit", "begin", "commit",
				"unlock inner");
	}

	private TransactionalOperator anew() {
		return TransactionalOperator.create(this.context.getBean(RecordingTransactionManager.class),
				new DefaultTransactionDefinition(TransactionDefinition.PROPAGATION_REQUIRES_NEW));
	}

	private static Mono<Void> afterCompletion(Mono<?> listener) {
		return TransactionSynchronizationManager.forCurrentTransaction()
			.doOnNext((manager) -> manager.registerSynchronization(new TransactionSynchronization() {

				@Override
				public Mono<Void> afterCompletion(int status) {
					return listener.then();
				}

			}))
			.then();
	}

	/** Nothing is written to be committed, as with {@code SUPPORTS}. */
	@Test
	void scopeWithoutATransactionReleasesAtOnce() {
		this.context.getBean(Body.class).mono = Mono.just("done");
		TransactionalOperator scope = TransactionalOperator.create(
				this.context.getBean(RecordingTransactionManager.class),
				new DefaultTransactionDefinition(TransactionDefinition.PROPAGATION_SUPPORTS));
		StepVerifier
			.create(this.orders.lockOnly()
				.doOnNext((result) -> assertThat(this.locks.heldCount()).isZero())
				.as(scope::transactional))
			.expectNext("done")
			.verifyComplete();
	}

	@Test
	void transactionIsOverOnceItsLocksAreReleased() {
		CompletableFuture<@Nullable Void> released = new CompletableFuture<>();
		LockHandle handle = mock(LockHandle.class);
		given(handle.closeAsync()).willReturn(released);
		StepVerifier.create(use(handle, LockRequest.of("a")).as(this.transaction::transactional))
			.expectSubscription()
			.expectNoEvent(Duration.ofMillis(100))
			.then(() -> released.complete(null))
			.verifyComplete();
	}

	@Test
	void releaseCanBeImmediate() {
		LockHandle handle = mock(LockHandle.class);
		given(handle.closeAsync()).willAnswer((call) -> {
			this.locks.events().add("unlock a");
			return CompletableFuture.completedFuture(null);
		});
		StepVerifier.create(use(handle, LockRequest.of("a").releaseImmediately()).as(this.transaction::transactional))
			.verifyComplete();
		assertThat(this.locks.events()).containsExactly("begin", "unlock a", "commit");
	}

	private static Mono<Void> use(LockHandle handle, LockRequest request) {
		LockTemplate template = mock();
		given(handle.names()).willReturn(List.of("a"));
		given(template.acquireAsync(any())).willReturn(CompletableFuture.completedFuture(handle));
		return ReactiveTransactionLocks.acquirer(new TransactionAwareLockTemplate(template, true))
			.flatMap((acquirer) -> Mono.fromCompletionStage(acquirer.apply(request)))
			.flatMap((lock) -> Mono.fromCompletionStage(lock.closeAsync()));
	}

	/** What else the thread that happens to commit does is not its business. */
	@Test
	void locksOfTheThreadAreNotThoseOfTheTransaction() {
		LockHandle handle = mock(LockHandle.class);
		given(handle.loss()).willReturn(Optional.of(new LockLostException("lost")));
		LockContext before = LockContext.capture();
		LockContext.restore(LockContext.with(handle, before));
		try {
			TransactionLockVerifier verifier = new TransactionLockVerifier();
			assertThatExceptionOfType(LockLostException.class)
				.isThrownBy(() -> verifier.beforeCommit(mock(TransactionStatus.class)));
			assertThatNoException().isThrownBy(() -> verifier.beforeCommit(mock(ReactiveTransaction.class)));
		}
		finally {
			LockContext.restore(before);
		}
	}

	private final class LosingSynchronization implements TransactionSynchronization, Ordered {

		@Override
		public int getOrder() {
			return Ordered.LOWEST_PRECEDENCE - 1;
		}

		@Override
		public Mono<Void> beforeCommit(boolean readOnly) {
			return Mono.fromRunnable(() -> ReactiveTransactionTests.this.locks.loseIfHeld("inner"));
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableTransactionManagement
	static class Transactions {

		@Bean
		@Primary
		LockTemplate transactionAwareLockTemplate(FakeLockTemplate locks) {
			return new TransactionAwareLockTemplate(locks, true);
		}

		@Bean
		RecordingTransactionManager transactionManager(FakeLockTemplate locks) {
			return new RecordingTransactionManager(locks.events());
		}

		@Bean
		Body body() {
			return new Body();
		}

	}

	static class Body {

		volatile Mono<String> mono = Mono.never();

	}

	static class Orders {

		private final Body body;

		Orders(Body body) {
			this.body = body;
		}

		@DistributedLock("orders")
		@Transactional
		public Mono<String> place() {
			return this.body.mono;
		}

		@DistributedLock(name = "ignored", onLost = OnLost.IGNORE)
		public Mono<String> ignoringInside() {
			return this.body.mono;
		}

		@DistributedLock(name = "ignored", onLost = OnLost.IGNORE)
		@Transactional
		public Mono<String> ignoring() {
			return this.body.mono;
		}

		@DistributedLock("inner")
		public Mono<String> lockOnly() {
			return this.body.mono;
		}

	}

	static class RecordingTransactionManager extends AbstractReactiveTransactionManager {

		private final transient List<String> events;

		RecordingTransactionManager(List<String> events) {
			this.events = events;
		}

		@Override
		protected Object doGetTransaction(TransactionSynchronizationManager manager) {
			return new Object();
		}

		@Override
		protected Mono<Void> doBegin(TransactionSynchronizationManager manager, Object transaction,
				TransactionDefinition definition) {
			return Mono.fromRunnable(() -> this.events.add("begin"));
		}

		@Override
		protected Mono<Void> doCommit(TransactionSynchronizationManager manager, GenericReactiveTransaction status) {
			return Mono.fromRunnable(() -> this.events.add("commit"));
		}

		@Override
		protected Mono<Void> doRollback(TransactionSynchronizationManager manager, GenericReactiveTransaction status) {
			return Mono.fromRunnable(() -> this.events.add("rollback"));
		}

	}

}
