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

package io.quorlock.autoconfigure;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReadWriteLock;

import javax.sql.DataSource;

import org.assertj.core.api.ThrowingConsumer;
import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.transaction.autoconfigure.TransactionAutoConfiguration;
import org.springframework.boot.transaction.autoconfigure.TransactionManagerCustomizationAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Scope;
import org.springframework.context.annotation.ScopedProxyMode;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.transaction.ConfigurableTransactionManager;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

import io.quorlock.LockContext;
import io.quorlock.LockHandle;
import io.quorlock.LockLostException;
import io.quorlock.LockRequest;
import io.quorlock.LockTemplate;
import io.quorlock.annotation.DistributedLock;
import io.quorlock.aop.declaration.InvalidLockDeclarationException;
import io.quorlock.autoconfigure.diagnostics.InvalidLockConfigurationFailureAnalyzer;
import io.quorlock.autoconfigure.diagnostics.InvalidLockDeclarationFailureAnalyzer;
import io.quorlock.engine.DefaultLockTemplate;
import io.quorlock.engine.LockInspector;
import io.quorlock.transaction.TransactionAwareLockTemplate;
import io.quorlock.transaction.TransactionLockVerifier;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.mockito.AdditionalAnswers.delegatesTo;
import static org.mockito.Mockito.mock;

/**
 * Tests for {@link LockTransactionConfiguration} with Boot's transactions on H2.
 */
class LockTransactionConfigurationTests {

	private final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(LockAutoConfiguration.class, DataSourceAutoConfiguration.class,
				DataSourceTransactionManagerAutoConfiguration.class, TransactionAutoConfiguration.class,
				TransactionManagerCustomizationAutoConfiguration.class))
		.withPropertyValues("distributed-lock.backend=in-memory", "spring.datasource.generate-unique-name=true");

	@Test
	void templateIsAwareOfTransactions() {
		this.contextRunner.run((context) -> assertThat(context.getBean(LockTemplate.class))
			.isInstanceOf(TransactionAwareLockTemplate.class));
		this.contextRunner.withClassLoader(new FilteredClassLoader("org.springframework.transaction"))
			.run((context) -> assertThat(context.getBean(LockTemplate.class)).isInstanceOf(DefaultLockTemplate.class));
	}

	/** The methods of reactive pipelines look for it. */
	@Test
	void templateOfTheApplicationIsInsideTheOneThatIsAwareOfTransactions() {
		this.contextRunner
			.withBean(LockTemplateDecorator.class, () -> (template) -> mock(LockTemplate.class, delegatesTo(template)))
			.run((context) -> assertThat(context.getBean(LockTemplate.class)).isInstanceOfSatisfying(
					TransactionAwareLockTemplate.class,
					(template) -> assertThat(template.getDelegate()).isNotInstanceOf(DefaultLockTemplate.class)));
	}

	@Test
	void lockIsHeldUntilTheTransactionIsOver() {
		this.contextRunner.withUserConfiguration(Orders.class).run((context) -> {
			context.getBean(Orders.class).place(42);
			assertThat(context.getBean(Orders.class).heldAfterCommit()).containsExactly(true);
		});
	}

	@Test
	void lockThatIsTakenInsideATransactionOutlivesIt() {
		this.contextRunner.run((context) -> {
			LockTemplate template = context.getBean(LockTemplate.class);
			LockInspector inspector = context.getBean(LockInspector.class);
			context.getBean(TransactionTemplate.class).executeWithoutResult((status) -> {
				template.executeWithoutResult("order", () -> {
				});
				assertThat(inspector.held()).hasSize(1);
			});
			assertThat(inspector.held()).isEmpty();
		});
	}

	private static List<ThrowingConsumer<Lock>> waysOfLocking() {
		return List.of(Lock::lock, Lock::lockInterruptibly, (lock) -> assertThat(lock.tryLock()).isTrue(),
				(lock) -> assertThat(lock.tryLock(1, TimeUnit.MILLISECONDS)).isTrue());
	}

	@Test
	void lockIsReleasedInsideTheTransactionWhereItIsNotToOutliveIt() {
		this.contextRunner.withPropertyValues("distributed-lock.transaction.release-after-completion=false")
			.run((context) -> context.getBean(TransactionTemplate.class).executeWithoutResult((status) -> {
				context.getBean(LockTemplate.class).acquire(LockRequest.of("order")).close();
				assertThat(context.getBean(LockInspector.class).held()).isEmpty();
			}));
	}

	@Test
	void javaLockSharesAndWaitsAsItIsTold() {
		this.contextRunner.run((context) -> {
			LockTemplate template = context.getBean(LockTemplate.class);
			ReadWriteLock lock = template.asReadWriteLock("catalog");
			lock.readLock().lock();
			assertThat(template.tryAcquire(LockRequest.of("catalog").shared())).hasValueSatisfying(LockHandle::close);
			assertThat(template.tryAcquire(LockRequest.of("catalog"))).isEmpty();
			lock.readLock().unlock();
			lock.writeLock().lock();
			assertThat(template.tryAcquire(LockRequest.of("catalog").shared())).isEmpty();
			lock.writeLock().unlock();
			try (LockHandle other = template.acquire(LockRequest.of("catalog"))) {
				long begun = System.nanoTime();
				assertThat(lock.writeLock().tryLock(100, TimeUnit.MILLISECONDS)).isFalse();
				assertThat(Duration.ofNanos(System.nanoTime() - begun)).isBetween(Duration.ofMillis(90),
						Duration.ofSeconds(30));
				assertThat(other.isHeld()).isTrue();
			}
		});
	}

	@Test
	void javaLockIsOneWithoutATransaction() {
		this.contextRunner.run((context) -> {
			LockTemplate template = context.getBean(LockTemplate.class);
			Lock lock = template.asLock("order");
			lock.lock();
			assertThat(template.asReadWriteLock("order").writeLock().tryLock()).as("re-entered").isTrue();
			assertThat(template.tryAcquire(LockRequest.of("order"))).isEmpty();
			template.asReadWriteLock("order").writeLock().unlock();
			lock.unlock();
			assertThat(template.tryAcquire(LockRequest.of("order"))).hasValueSatisfying(LockHandle::close);
		});
	}

	@Test
	void javaLockReentersWhatTheTransactionKeeps() {
		this.contextRunner.run((context) -> {
			LockTemplate template = context.getBean(LockTemplate.class);
			LockInspector inspector = context.getBean(LockInspector.class);
			context.getBean(TransactionTemplate.class).executeWithoutResult((status) -> {
				template.executeWithoutResult("order", () -> {
				});
				for (Lock lock : List.of(template.asLock("order"), template.asReadWriteLock("order").writeLock())) {
					for (ThrowingConsumer<Lock> way : waysOfLocking()) {
						way.accept(lock);
						assertThat(LockContext.current())
							.hasValueSatisfying((handle) -> assertThat(handle.isHeld()).isTrue());
						lock.unlock();
						assertThat(LockContext.capture()).isNull();
					}
				}
				assertThat(inspector.held()).hasSize(1);
			});
			assertThat(inspector.held()).isEmpty();
		});
	}

	@Test
	void lostLockRollsTheTransactionBack() {
		lostLockRollsTheTransactionBack(this.contextRunner);
	}

	@Test
	void lostLockRollsTheTransactionOfAnOwnManagerBack() {
		lostLockRollsTheTransactionBack(this.contextRunner.withUserConfiguration(OwnTransactionManager.class));
	}

	@Test
	void eachTransactionManagerIsCheckedOnce() {
		for (ApplicationContextRunner runner : List.of(this.contextRunner,
				this.contextRunner.withUserConfiguration(OwnTransactionManager.class))) {
			runner.run((context) -> assertThat(
					context.getBean(ConfigurableTransactionManager.class).getTransactionExecutionListeners())
				.containsOnlyOnce(context.getBean(TransactionLockVerifier.class)));
		}
	}

	@Test
	void scopedTransactionManagerIsNotResolvedAtStart() {
		this.contextRunner.withUserConfiguration(ScopedTransactionManager.class)
			.run((context) -> assertThat(context).hasNotFailed());
	}

	private static void lostLockRollsTheTransactionBack(ApplicationContextRunner runner) {
		runner.run((context) -> {
			LockTemplate template = context.getBean(LockTemplate.class);
			LockInspector inspector = context.getBean(LockInspector.class);
			List<Integer> statuses = new ArrayList<>();
			assertThatExceptionOfType(LockLostException.class).isThrownBy(() -> template.executeWithoutResult("order",
					() -> context.getBean(TransactionTemplate.class).executeWithoutResult((status) -> {
						TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {

							@Override
							public void afterCompletion(int status) {
								statuses.add(status);
							}

						});
						inspector.forceRelease("order").join();
					})));
			assertThat(statuses).containsExactly(TransactionSynchronization.STATUS_ROLLED_BACK);
		});
	}

	@Test
	void orderInsideTransactionsStopsTheStart() {
		this.contextRunner.withPropertyValues("distributed-lock.order=2147483647").run((context) -> {
			Throwable failure = context.getStartupFailure();
			assertThat(failure).isInstanceOf(InvalidLockConfigurationException.class);
			FailureAnalysis analysis = Objects.requireNonNull(
					new InvalidLockConfigurationFailureAnalyzer(new StandardEnvironment()).analyze(failure));
			assertThat(analysis.getDescription()).contains("distributed-lock.order").contains("2147483647");
			assertThat(analysis.getAction()).contains("below the order of transactions");
		});
	}

	@Test
	void wrongDeclarationStopsTheStart() {
		this.contextRunner.withUserConfiguration(WrongOrders.class).run((context) -> {
			Throwable failure = context.getStartupFailure();
			assertThat(failure).isInstanceOf(InvalidLockDeclarationException.class);
			FailureAnalysis analysis = Objects
				.requireNonNull(new InvalidLockDeclarationFailureAnalyzer().analyze(failure));
			assertThat(analysis.getDescription()).contains("WrongOrders.place").contains("fallback = \"nowhere\"");
		});
	}

	@Configuration(proxyBeanMethods = false)
	static class OwnTransactionManager {

		@Bean
		DataSourceTransactionManager transactionManager(DataSource dataSource) {
			return new DataSourceTransactionManager(dataSource);
		}

	}

	/** Its scope does not exist at start, as that of a tenant or a request. */
	@Configuration(proxyBeanMethods = false)
	static class ScopedTransactionManager {

		@Bean
		@Scope(scopeName = "tenant", proxyMode = ScopedProxyMode.TARGET_CLASS)
		DataSourceTransactionManager transactionManager(DataSource dataSource) {
			return new DataSourceTransactionManager(dataSource);
		}

	}

	public static class Orders {

		private final List<Boolean> heldAfterCommit = new ArrayList<>();

		@DistributedLock(name = "order", key = "#id")
		@Transactional
		public void place(long id) {
			TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {

				@Override
				public void afterCommit() {
					Orders.this.heldAfterCommit
						.add(LockContext.current().map((handle) -> handle.isHeld()).orElse(false));
				}

			});
		}

		public List<Boolean> heldAfterCommit() {
			return this.heldAfterCommit;
		}

	}

	public static class WrongOrders {

		@DistributedLock(fallback = "nowhere")
		public void place(long id) {
		}

	}

}
