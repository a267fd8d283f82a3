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
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.locks.Lock;
import java.util.function.Consumer;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.datasource.embedded.EmbeddedDatabase;
import org.springframework.jdbc.datasource.embedded.EmbeddedDatabaseBuilder;
import org.springframework.jdbc.datasource.embedded.EmbeddedDatabaseType;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

import io.quorlock.LockAtRiskEvent;
import io.quorlock.LockContext;
import io.quorlock.LockHandle;
import io.quorlock.LockLostEvent;
import io.quorlock.LockLostException;
import io.quorlock.LockMode;
import io.quorlock.LockReentryException;
import io.quorlock.LockRequest;
import io.quorlock.LockTemplate;
import io.quorlock.engine.DefaultLockTemplate;
import io.quorlock.engine.LockEngine;
import io.quorlock.engine.LockInspector;
import io.quorlock.engine.TestEngines;
import io.quorlock.engine.TestSettings;
import io.quorlock.engine.inspect.LockHold;
import io.quorlock.quorum.node.InMemoryLockNode;
import io.quorlock.time.SystemClock;
import io.quorlock.time.TimerThread;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Re-entry (R11) into locks that were closed, and that their transaction keeps.
 */
@Timeout(60)
class TransactionalReentryTests {

	private static final LockRequest ORDER = LockRequest.of("order").waitTime(Duration.ZERO);

	private final ExecutorService callbacks = Executors.newCachedThreadPool();

	private final TimerThread timer = new TimerThread("test-timer");

	private EmbeddedDatabase database;

	private LockEngine engine;

	private LockTemplate template;

	private TransactionTemplate transaction;

	@BeforeEach
	void start() {
		this.engine = TestEngines.create(TestSettings.patient("app@host:1"),
				List.of(new InMemoryLockNode("memory", new SystemClock())), new SystemClock(), this.timer,
				this.callbacks, List.of(), List.of());
		this.engine.start();
		this.template = new TransactionAwareLockTemplate(new DefaultLockTemplate(this.engine), true);
		this.database = new EmbeddedDatabaseBuilder().setType(EmbeddedDatabaseType.H2).generateUniqueName(true).build();
		this.transaction = new TransactionTemplate(new DataSourceTransactionManager(this.database));
	}

	@AfterEach
	void stop() {
		assertThat(new LockInspector(this.engine).held()).isEmpty();
		this.engine.stop();
		this.timer.close();
		this.callbacks.shutdownNow();
		this.database.shutdown();
	}

	private void locked(LockRequest request, Runnable body) {
		this.template.executeWithoutResult(request, body::run);
	}

	@Test
	void asynchronousRequestReentersTheLockAroundTheTransaction() {
		locked(ORDER, () -> this.transaction.executeWithoutResult((status) -> {
			LockRequest again = ORDER.within(LockContext.capture());
			this.template.acquireAsync(again).toCompletableFuture().join().close();
		}));
	}

	@Test
	void writeLockReentersWhatTheTransactionKeeps() {
		this.transaction.executeWithoutResult((status) -> {
			locked(ORDER, () -> {
			});
			Lock writer = this.template.asReadWriteLock("order").writeLock();
			assertThat(writer.tryLock()).isTrue();
			writer.unlock();
		});
	}

	/** Such a listener often goes on with what the transaction has changed. */
	@Test
	void listenerOfTheCompletionReentersWhatTheTransactionStillKeeps() {
		List<String> done = new ArrayList<>();
		this.transaction.executeWithoutResult((status) -> {
			afterCompletion(() -> {
				locked(ORDER, () -> done.add("execute"));
				this.template.acquire(ORDER).close();
				this.template.acquireAsync(ORDER).toCompletableFuture().join().close();
				assertThat(this.template.tryAcquire(ORDER)).get().satisfies(LockHandle::close);
				assertThat(this.template.asLock("order").tryLock()).isTrue();
				this.template.asLock("order").unlock();
				done.add("all");
			});
			locked(ORDER, () -> {
			});
		});
		assertThat(done).containsExactly("execute", "all");
		assertThat(LockContext.capture()).isNull();
	}

	/** Spring asks such a listener to begin a transaction of its own. */
	@Test
	void transactionOfAListenerOfTheCompletionReentersWhatTheFirstStillKeeps() {
		TransactionTemplate anew = new TransactionTemplate(
				Objects.requireNonNull(this.transaction.getTransactionManager()));
		anew.setPropagationBehavior(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
		List<String> done = new ArrayList<>();
		this.transaction.executeWithoutResult((status) -> {
			afterCompletion(() -> anew.executeWithoutResult((inner) -> {
				afterCompletion(() -> {
					locked(ORDER, () -> done.add("second"));
					locked(LockRequest.of("stock").waitTime(Duration.ZERO), () -> done.add("third"));
				});
				locked(ORDER, () -> done.add("first"));
				locked(LockRequest.of("stock").waitTime(Duration.ZERO), () -> {
				});
			}));
			locked(ORDER, () -> {
			});
		});
		assertThat(done).containsExactly("first", "second", "third");
		assertThat(new LockInspector(this.engine).held()).isEmpty();
		this.transaction.executeWithoutResult((status) -> locked(ORDER, () -> done.add("next")));
		assertThat(done).endsWith("next");
	}

	private static void afterCompletion(Runnable listener) {
		TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {

			@Override
			public void afterCompletion(int status) {
				listener.run();
			}

		});
	}

	/** What the transaction keeps is known while it locks, and no longer. */
	@Test
	void javaLockLeavesItsThreadWithTheLocksThatItHolds() {
		LockRequest stock = LockRequest.of("stock").waitTime(Duration.ZERO);
		LockRequest shop = LockRequest.of("shop").waitTime(Duration.ZERO);
		locked(shop, () -> this.transaction.executeWithoutResult((status) -> {
			locked(ORDER, () -> {
			});
			locked(stock, () -> {
			});
			Lock lock = this.template.asLock("order");
			lock.lock();
			assertThat(locksOfTheThread()).containsExactly("order", "shop");
			lock.unlock();
			assertThat(locksOfTheThread()).containsExactly("shop");
		}));
	}

	private static List<String> locksOfTheThread() {
		List<String> names = new ArrayList<>();
		for (LockContext each = LockContext.capture(); each != null; each = each.outer()) {
			names.add(each.handle().name());
		}
		return names;
	}

	@Test
	void lockThatIsNotReentrantIsTakenAgainOnceItWasClosed() {
		LockRequest job = ORDER.notReentrant();
		this.transaction.executeWithoutResult((status) -> {
			for (int i = 0; i < 3; i++) {
				locked(job, () -> {
				});
				this.template.acquire(job).close();
			}
		});
	}

	@Test
	void lockThatIsNotReentrantIsRefusedInsideOfItself() {
		LockRequest job = ORDER.notReentrant();
		this.transaction.executeWithoutResult((status) -> {
			for (int i = 0; i < 2; i++) {
				locked(job, () -> {
					locked(ORDER, () -> {
					}); // closed, and kept as well
					assertThatExceptionOfType(LockReentryException.class).isThrownBy(() -> locked(job, () -> {
					})).withMessageContaining("not re-entrant");
				});
			}
		});
	}

	@Test
	void writerBehindAReaderOfItsTransactionIsToldWhatKeepsTheLock() {
		this.transaction.executeWithoutResult((status) -> {
			locked(ORDER.shared(), () -> {
			});
			assertThatExceptionOfType(LockReentryException.class).isThrownBy(() -> locked(ORDER, () -> {
			})).withMessageContaining("transaction shares lock 'order' until it ends");
			locked(ORDER.shared(),
					() -> assertThatExceptionOfType(LockReentryException.class).isThrownBy(() -> locked(ORDER, () -> {
					})).withMessageContaining("release the shared lock before"));
		});
		locked(ORDER, () -> {
		});
	}

	/**
	 * Readers would see what was there before the changes of the writer are committed.
	 */
	@Test
	void lockThatTheTransactionKeepsForAWriterIsNotDowngraded() {
		this.transaction.executeWithoutResult((status) -> {
			locked(ORDER, () -> {
			});
			try (LockHandle again = this.template.acquire(ORDER)) {
				assertThatIllegalStateException().isThrownBy(again::downgrade)
					.withMessage(
							"Lock 'order' cannot be downgraded: its transaction keeps it exclusively until it ends");
				assertThat(again.mode()).isEqualTo(LockMode.EXCLUSIVE);
				assertThat(again.isHeld()).isTrue();
			}
		});
	}

	@Test
	void writerThatReleasesImmediatelyOrHoldsAnotherNameIsDowngraded() {
		this.transaction.executeWithoutResult((status) -> {
			locked(LockRequest.of("stock").waitTime(Duration.ZERO), () -> {
			});
			locked(ORDER.releaseImmediately(), () -> {
			});
			try (LockHandle writer = this.template.acquire(ORDER)) {
				writer.downgrade();
				assertThat(writer.mode()).isEqualTo(LockMode.SHARED);
			}
		});
	}

	@Test
	void writerBehindAReaderThatIsReleasedImmediatelyGetsTheLock() {
		this.transaction.executeWithoutResult((status) -> {
			locked(ORDER.shared().releaseImmediately(), () -> {
			});
			locked(ORDER, () -> {
			});
		});
	}

	/** What the inner one protects is committed after both of them. */
	@Test
	void lockThatIsReleasedImmediatelyIsKeptForTheOneInsideOfIt() {
		this.transaction.executeWithoutResult((status) -> {
			locked(ORDER.releaseImmediately(), () -> locked(ORDER, () -> {
			}));
			assertThat(new LockInspector(this.engine).held()).hasSize(1);
		});
	}

	@Test
	void lockOfSeveralNamesIsKeptThoughOneOfThemIsKeptAnyway() {
		this.transaction.executeWithoutResult((status) -> {
			locked(ORDER, () -> {
			});
			locked(LockRequest.ofAll("order", "stock"), () -> {
			});
			assertThat(new LockInspector(this.engine).held()).flatExtracting(LockHold::names)
				.contains("order", "stock");
		});
	}

	/** The lock is kept until the transaction ends; what closed it is over. */
	@Test
	void callbackOfAHandleThatWasClosedIsNotRun() {
		List<LockLostEvent> closed = new CopyOnWriteArrayList<>();
		List<LockLostEvent> open = new CopyOnWriteArrayList<>();
		assertThatExceptionOfType(LockLostException.class)
			.isThrownBy(() -> this.transaction.executeWithoutResult((status) -> {
				LockHandle first = this.template.acquire(ORDER);
				first.onLost(closed::add);
				first.close();
				LockHandle second = this.template.acquire(ORDER);
				second.onLost(open::add);
				new LockInspector(this.engine).forceRelease("order").join();
				Awaitility.await().until(() -> !open.isEmpty());
				second.close();
			}));
		Awaitility.await().pollDelay(Duration.ofMillis(100)).until(closed::isEmpty);
	}

	@Test
	void callbackOfAHandleThatWasClosedIsNotToldOfARisk() {
		List<Consumer<LockAtRiskEvent>> callbacks = new ArrayList<>();
		LockAtRiskEvent event = new LockAtRiskEvent(List.of("order"), "app@host:1", true, Duration.ofSeconds(20),
				Duration.ofSeconds(10), List.of(), "no quorum confirms its renewal");
		try (LockHandle lock = new TransactionalLockHandle(this.template.acquire(ORDER), null, false) {

			@Override
			public void onAtRisk(Consumer<LockAtRiskEvent> callback) {
				callbacks.add(callback);
			}

		}) {
			List<LockAtRiskEvent> told = new ArrayList<>();
			LockHandle handle = new TransactionLocks().enlist(lock, false);
			handle.onAtRisk(told::add);
			callbacks.forEach((callback) -> callback.accept(event));
			assertThat(told).containsExactly(event);
			handle.close();
			callbacks.forEach((callback) -> callback.accept(event));
			assertThat(told).containsExactly(event);
		}
	}

	/** One use of the lock ignores its loss, the other relies on it. */
	@Test
	void lossThatOneUseOfTheLockToleratesRollsBackForTheOther() {
		assertThatExceptionOfType(LockLostException.class)
			.isThrownBy(() -> this.transaction.executeWithoutResult((status) -> {
				TransactionalLockHandle.tolerant(this.template.acquire(ORDER)).close();
				locked(ORDER, () -> {
				});
				lose("order");
			}));
	}

	@Test
	void lossThatEveryUseOfTheLockToleratesDoesNotRollBack() {
		this.transaction.executeWithoutResult((status) -> {
			TransactionalLockHandle.tolerant(this.template.acquire(ORDER)).close();
			TransactionalLockHandle.tolerant(this.template.acquire(ORDER)).close();
			lose("order");
		});
	}

	/** What was done under either permit is not committed yet. */
	@Test
	void everyPermitIsKeptThoughAnotherOneOfItsNameIsKeptAnyway() {
		LockRequest exports = LockRequest.of("exports").permits(3).waitTime(Duration.ZERO);
		this.transaction.executeWithoutResult((status) -> {
			LockHandle first = this.template.acquire(exports);
			LockHandle second = this.template.acquire(exports);
			first.close();
			second.close();
			this.template.acquire(exports).close();
			assertThat(new LockInspector(this.engine).held()).extracting(LockHold::permit)
				.doesNotHaveDuplicates()
				.hasSize(2);
		});
	}

	private void lose(String name) {
		LockHold held = new LockInspector(this.engine).held().get(0);
		assertThat(held.names()).containsExactly(name);
		new LockInspector(this.engine).forceRelease(name).join();
		Awaitility.await().until(() -> new LockInspector(this.engine).held().isEmpty());
	}

}
