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
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.core.Ordered;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

import io.quorlock.LockHandle;
import io.quorlock.LockLostException;
import io.quorlock.LockNotAcquiredException;
import io.quorlock.LockRequest;
import io.quorlock.LockTemplate;
import io.quorlock.annotation.DistributedLock;
import io.quorlock.annotation.DistributedLock.OnLost;
import io.quorlock.aop.AopConfiguration;
import io.quorlock.aop.FakeLockTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.mockito.BDDMockito.given;
import static org.mockito.Mockito.mock;

/**
 * Tests for {@link TransactionAwareLockTemplate}, {@link TransactionLocks} and
 * {@link TransactionLockVerifier}, on H2.
 */
class TransactionAwareLockTemplateTests {

	private AnnotationConfigApplicationContext context;

	private FakeLockTemplate locks;

	private LockTemplate template;

	private TransactionTemplate transaction;

	private JdbcClient jdbc;

	private Orders orders;

	@BeforeEach
	void start() {
		this.context = new AnnotationConfigApplicationContext(AopConfiguration.class, TransactionConfiguration.class,
				Orders.class);
		this.locks = this.context.getBean(FakeLockTemplate.class);
		this.template = this.context.getBean(LockTemplate.class);
		this.transaction = this.context.getBean(TransactionTemplate.class);
		this.jdbc = this.context.getBean(JdbcClient.class);
		this.orders = this.context.getBean(Orders.class);
	}

	@AfterEach
	void stop() {
		assertThat(this.locks.heldCount()).isZero();
		this.context.close();
	}

	@Test
	void withoutTransactionTheLockIsReleasedAtOnce() {
		this.template.executeWithoutResult("a", () -> insert(1));
		assertThat(this.locks.events()).containsExactly("lock a", "unlock a");
	}

	@Test
	void annotatedTransactionalMethodIsLockedAroundItsTransaction() {
		this.orders.place(() -> insert(1));
		assertThat(this.locks.events()).containsExactly("lock orders", "begin", "commit", "unlock orders");
		assertThat(rows()).isOne();
	}

	@Test
	void lockTakenInsideIsReleasedAfterTheCommit() {
		this.transaction.executeWithoutResult((status) -> {
			this.template.executeWithoutResult("a", () -> insert(1));
			this.template.tryExecute("b", () -> insert(2));
			this.orders.lockOnly(() -> insert(3));
			try (LockHandle handle = this.template.acquire(LockRequest.of("d"))) {
				assertThat(handle.isHeld()).isTrue();
			}
			this.template.tryAcquire(LockRequest.of("e")).orElseThrow().close();
		});
		assertThat(this.locks.events()).startsWith("begin", "lock a", "lock b", "lock orders", "lock d", "lock e",
				"commit");
		assertThat(this.locks.events().subList(7, 12)).containsExactlyInAnyOrder("unlock a", "unlock b",
				"unlock orders", "unlock d", "unlock e");
	}

	@Test
	void lockTakenInsideIsReleasedAfterTheRollback() {
		assertThatIllegalStateException().isThrownBy(
				() -> this.transaction.executeWithoutResult((status) -> this.template.executeWithoutResult("a", () -> {
					throw new IllegalStateException("full");
				})));
		assertThat(this.locks.events()).containsExactly("begin", "lock a", "rollback", "unlock a");
	}

	@Test
	void releaseCanBeImmediate() {
		this.transaction.executeWithoutResult((status) -> {
			this.template.executeWithoutResult(LockRequest.of("a").releaseImmediately(), () -> insert(1));
			this.template.acquireAsync(LockRequest.of("b").releaseImmediately()).toCompletableFuture().join().close();
			this.template.tryAcquire(LockRequest.of("f").releaseImmediately()).orElseThrow().close();
			LockTemplate immediate = new TransactionAwareLockTemplate(this.locks, false);
			immediate.executeWithoutResult("c", () -> insert(2));
			immediate.tryAcquire(LockRequest.of("d")).orElseThrow().close();
			immediate.acquireAsync(LockRequest.of("e")).toCompletableFuture().join().close();
		});
		assertThat(this.locks.events()).containsExactly("begin", "lock a", "unlock a", "lock b", "unlock b", "lock f",
				"unlock f", "lock c", "unlock c", "lock d", "unlock d", "lock e", "unlock e", "commit");
	}

	@Test
	void closedHandleIsClosedForItsOwner() {
		this.transaction.executeWithoutResult((status) -> {
			LockHandle handle = this.template.acquire(LockRequest.of("a"));
			handle.close();
			handle.close();
			assertThat(handle.isHeld()).isFalse();
			assertThat(handle.remaining()).isEqualTo(Duration.ZERO);
			assertThatIllegalStateException().isThrownBy(handle::ensureHeld);
			assertThat(this.locks.isHeld("a")).isTrue();
		});
		assertThat(this.locks.events()).containsExactly("begin", "lock a", "commit", "unlock a");
	}

	@Test
	void handleThatIsStillOpenOutlivesTheTransaction() {
		LockHandle handle = this.transaction.execute((status) -> this.template.acquire(LockRequest.of("a")));
		assertThat(handle).isNotNull();
		assertThat(handle.isHeld()).isTrue();
		handle.close();
		assertThat(this.locks.events()).containsExactly("begin", "lock a", "commit", "unlock a");
	}

	@Test
	void sameTransactionTakesItsLockAgain() {
		this.transaction.executeWithoutResult((status) -> {
			for (int i = 0; i < 3; i++) {
				this.template.executeWithoutResult("a", () -> insert(1));
				this.template.acquire(LockRequest.of("a")).close();
				this.template.tryAcquire(LockRequest.of("a")).orElseThrow().close();
				this.template.acquireAsync(LockRequest.of("a")).toCompletableFuture().join().close();
				this.orders.lockOnly(() -> insert(2));
			}
		});
		assertThat(this.locks.events()).containsOnlyOnce("lock a", "lock orders", "unlock a", "unlock orders");
	}

	@Test
	void handleThatIsOpenIsAnOwnerOfItsOwn() {
		this.transaction.executeWithoutResult((status) -> {
			try (LockHandle handle = this.template.acquire(LockRequest.of("a"))) {
				assertThat(this.template.tryAcquire(LockRequest.of("a"))).isEmpty();
				assertThat(handle.isHeld()).isTrue();
			}
		});
	}

	@Test
	void lossOfALockAroundTheTransactionRollsBack() {
		assertThatExceptionOfType(LockLostException.class).isThrownBy(() -> this.orders.place(() -> {
			insert(1);
			this.locks.lose("orders");
		}));
		assertThat(this.locks.events()).containsExactly("lock orders", "begin");
		assertThat(rows()).isZero();
	}

	@Test
	void lossOfATemplatesLockAroundTheTransactionRollsBack() {
		assertThatExceptionOfType(LockLostException.class).isThrownBy(() -> this.template.executeWithoutResult("a",
				() -> this.template.executeWithoutResult("b", () -> this.transaction.executeWithoutResult((status) -> {
					insert(1);
					this.locks.lose("a");
				}))));
		assertThat(rows()).isZero();
	}

	@Test
	void lossOfALockTakenInsideRollsBackAlsoWhenItWasClosed() {
		assertThatExceptionOfType(LockLostException.class)
			.isThrownBy(() -> this.transaction.executeWithoutResult((status) -> {
				this.template.executeWithoutResult("a", () -> insert(1));
				this.locks.lose("a");
			}));
		assertThat(rows()).isZero();
	}

	@Test
	void lossIsSeenByManagersWithoutListenersWhenTheLockWasTakenInside() {
		this.context.getBean(DataSourceTransactionManager.class).setTransactionExecutionListeners(List.of());
		lossOfALockTakenInsideRollsBackAlsoWhenItWasClosed();
	}

	/** Nothing looks at the lock any later. */
	@Test
	void lossRightBeforeTheCommitRollsBack() {
		assertThatExceptionOfType(LockLostException.class)
			.isThrownBy(() -> this.transaction.executeWithoutResult((status) -> {
				this.template.executeWithoutResult("a", () -> insert(1));
				TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {

					@Override
					public void beforeCompletion() {
						TransactionAwareLockTemplateTests.this.locks.lose("a");
					}

				});
			}));
		assertThat(rows()).isZero();
	}

	@Test
	void lossInAReadOnlyTransactionIsReportedToo() {
		this.transaction.setReadOnly(true);
		assertThatExceptionOfType(LockLostException.class)
			.isThrownBy(() -> this.transaction.executeWithoutResult((status) -> {
				this.template.executeWithoutResult("a", () -> rows());
				this.locks.lose("a");
			}));
	}

	@Test
	void ignoredLossIsCommitted() {
		this.orders.ignoring(() -> {
			insert(1);
			this.locks.lose("ignore");
		});
		this.transaction.executeWithoutResult((status) -> this.orders.ignoringWithoutTransaction(() -> {
			insert(2);
			this.locks.lose("ignore");
		}));
		this.transaction
			.executeWithoutResult((status) -> assertThat(this.orders.ignoringWithFutureAndTransaction(() -> {
				insert(3);
				this.locks.lose("ignore");
			})).succeedsWithin(10, TimeUnit.SECONDS));
		assertThat(rows()).isEqualTo(3);
	}

	@Test
	void requiresNewReleasesItsOwnLocksAndNoOthers() {
		TransactionTemplate inner = requiresNew();
		this.transaction.executeWithoutResult((status) -> {
			this.template.executeWithoutResult("outer", () -> insert(1));
			inner.executeWithoutResult((nested) -> this.template.executeWithoutResult("inner", () -> insert(2)));
			this.locks.events().add("resumed");
			this.template.executeWithoutResult("outer", () -> insert(3));
		});
		assertThat(this.locks.events()).containsExactly("begin", "lock outer", "begin", "lock inner", "commit",
				"unlock inner", "resumed", "commit", "unlock outer");
	}

	@Test
	void requiresNewIsAnotherOwner() {
		TransactionTemplate inner = requiresNew();
		this.transaction.executeWithoutResult((status) -> {
			this.template.executeWithoutResult("a", () -> insert(1));
			assertThatExceptionOfType(LockNotAcquiredException.class)
				.isThrownBy(() -> inner.executeWithoutResult((nested) -> this.template
					.executeWithoutResult(LockRequest.of("a").waitTime(Duration.ZERO), () -> insert(2))));
		});
	}

	@Test
	void lossOfTheOuterLockRollsBackTheInnerTransactionAsWell() {
		TransactionTemplate inner = requiresNew();
		assertThatExceptionOfType(LockLostException.class).isThrownBy(() -> this.orders.place(() -> {
			insert(1);
			inner.executeWithoutResult((nested) -> {
				insert(2);
				this.locks.lose("orders");
			});
		}));
		assertThat(rows()).isZero();
	}

	@Test
	void lockTakenInASavepointIsReleasedAfterTheWholeTransaction() {
		TransactionTemplate nested = new TransactionTemplate(this.context.getBean(PlatformTransactionManager.class));
		nested.setPropagationBehavior(TransactionDefinition.PROPAGATION_NESTED);
		this.transaction.executeWithoutResult((status) -> {
			nested.executeWithoutResult((inner) -> {
				this.template.executeWithoutResult("a", () -> insert(1));
				inner.setRollbackOnly();
			});
			this.locks.events().add("savepoint done");
		});
		assertThat(this.locks.events()).endsWith("savepoint done", "commit", "unlock a");
	}

	@Test
	void lockTakenAfterTheCommitIsReleasedAtOnce() {
		this.transaction.executeWithoutResult(
				(status) -> TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {

					@Override
					public void afterCompletion(int status) {
						TransactionAwareLockTemplateTests.this.template.executeWithoutResult("a", () -> {
						});
						TransactionAwareLockTemplateTests.this.locks.events().add("after");
					}

				}));
		assertThat(this.locks.events()).containsExactly("begin", "commit", "lock a", "unlock a", "after");
	}

	/** They may belong to what the lock protects. */
	@Test
	void lockIsHeldForTheOtherCallbacksOfTheTransaction() {
		List<Boolean> held = new ArrayList<>();
		this.transaction.executeWithoutResult((status) -> {
			this.template.executeWithoutResult("a", () -> insert(1));
			TransactionSynchronizationManager.registerSynchronization(new LastSynchronization() {

				@Override
				public void afterCompletion(int status) {
					held.add(TransactionAwareLockTemplateTests.this.locks.isHeld("a"));
				}

			});
		});
		assertThat(held).containsExactly(true);
	}

	@Test
	void lossInTheLastCallbackBeforeTheCommitIsSeenWithoutListeners() {
		this.context.getBean(DataSourceTransactionManager.class).setTransactionExecutionListeners(List.of());
		assertThatExceptionOfType(LockLostException.class)
			.isThrownBy(() -> this.transaction.executeWithoutResult((status) -> {
				this.template.executeWithoutResult("a", () -> insert(1));
				TransactionSynchronizationManager.registerSynchronization(new LastSynchronization() {

					@Override
					public void beforeCommit(boolean readOnly) {
						TransactionAwareLockTemplateTests.this.locks.lose("a");
					}

				});
			}));
		assertThat(rows()).isZero();
	}

	private abstract static class LastSynchronization implements TransactionSynchronization, Ordered {

		@Override
		public int getOrder() {
			return Ordered.LOWEST_PRECEDENCE - 1;
		}

	}

	/** Nothing is written to be committed, as with {@code SUPPORTS}. */
	@Test
	void scopeWithoutATransactionReleasesAtOnce() {
		TransactionTemplate scope = new TransactionTemplate(this.context.getBean(PlatformTransactionManager.class));
		scope.setPropagationBehavior(TransactionDefinition.PROPAGATION_SUPPORTS);
		scope.executeWithoutResult((status) -> {
			assertThat(TransactionSynchronizationManager.isSynchronizationActive()).isTrue();
			this.template.executeWithoutResult("a", () -> rows());
			assertThat(this.locks.heldCount()).isZero();
		});
	}

	@Test
	void releaseIsRequestedOfTheTemplateBehind() {
		LockTemplate behind = mock();
		given(behind.requestRelease("a", Duration.ofSeconds(3))).willReturn(true);
		TransactionAwareLockTemplate aware = new TransactionAwareLockTemplate(behind, true);
		assertThat(aware.requestRelease("a", Duration.ofSeconds(3))).isTrue();
		assertThat(aware.requestRelease("b", Duration.ofSeconds(3))).isFalse();
		assertThat(aware.getDelegate()).isSameAs(behind);
	}

	@Test
	void handleClosedByAnotherThreadWaitsForTheTransactionToo() {
		this.transaction.executeWithoutResult((status) -> {
			LockHandle handle = this.template.acquireAsync(LockRequest.of("a")).toCompletableFuture().join();
			CompletableFuture.runAsync(handle::close).join();
			handle = this.template.acquireAsync(LockRequest.of("b")).toCompletableFuture().join();
			handle.closeAsync().toCompletableFuture().join();
			assertThat(this.locks.heldCount()).isEqualTo(2);
		});
		assertThat(this.locks.events()).contains("unlock a", "unlock b");
	}

	@Test
	void asynchronousMethodRunsInTheTransactionOfTheCallersThread() {
		CompletableFuture<Boolean> result = this.transaction.execute((status) -> this.orders.stage());
		assertThat(result).succeedsWithin(10, TimeUnit.SECONDS).isEqualTo(true);
		assertThat(this.locks.events()).containsExactly("begin", "lock stage", "commit", "unlock stage");
	}

	@Test
	void asynchronousMethodThatIsRefusedInATransactionSaysSo() {
		this.locks.holdElsewhere("stage");
		CompletableFuture<Boolean> result = this.transaction.execute((status) -> this.orders.stage());
		assertThat(result).failsWithin(10, TimeUnit.SECONDS)
			.withThrowableThat()
			.withCauseInstanceOf(LockNotAcquiredException.class);
		this.locks.releaseElsewhere("stage");
	}

	private TransactionTemplate requiresNew() {
		TransactionTemplate inner = new TransactionTemplate(this.context.getBean(PlatformTransactionManager.class));
		inner.setPropagationBehavior(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
		return inner;
	}

	private void insert(int id) {
		this.jdbc.sql("insert into orders values (" + id + ")").update();
	}

	private int rows() {
		return this.jdbc.sql("select count(*) from orders").query(Integer.class).single();
	}

	static class Orders {

		@DistributedLock("orders")
		@Transactional
		public void place(Runnable body) {
			body.run();
		}

		@DistributedLock("orders")
		public void lockOnly(Runnable body) {
			body.run();
		}

		@DistributedLock(name = "ignore", onLost = OnLost.IGNORE)
		@Transactional
		public void ignoring(Runnable body) {
			body.run();
		}

		@DistributedLock(name = "ignore", onLost = OnLost.IGNORE)
		public void ignoringWithoutTransaction(Runnable body) {
			body.run();
		}

		@DistributedLock(name = "ignore", onLost = OnLost.IGNORE)
		@Transactional
		public CompletableFuture<Void> ignoringWithFutureAndTransaction(Runnable body) {
			body.run();
			return CompletableFuture.completedFuture(null);
		}

		@DistributedLock("stage")
		public CompletableFuture<Boolean> stage() {
			return CompletableFuture.completedFuture(TransactionSynchronizationManager.isActualTransactionActive());
		}

	}

}
