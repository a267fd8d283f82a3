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

import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import org.aopalliance.intercept.MethodInterceptor;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.aop.support.DefaultPointcutAdvisor;
import org.springframework.aop.support.annotation.AnnotationMatchingPointcut;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.cache.annotation.Cacheable;
import org.springframework.cache.annotation.EnableCaching;
import org.springframework.cache.concurrent.ConcurrentMapCacheManager;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Role;
import org.springframework.resilience.annotation.ConcurrencyLimit;
import org.springframework.resilience.annotation.EnableResilientMethods;
import org.springframework.resilience.annotation.Retryable;
import org.springframework.scheduling.annotation.Async;
import org.springframework.scheduling.annotation.EnableAsync;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.scheduling.concurrent.ThreadPoolTaskExecutor;
import org.springframework.transaction.annotation.Transactional;

import io.quorlock.LockNotAcquiredException;
import io.quorlock.LockRequest;
import io.quorlock.annotation.DistributedLock;
import io.quorlock.annotation.DistributedLock.OnContention;
import io.quorlock.transaction.TransactionConfiguration;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for where the lock stands among other advice: outside the transaction, inside
 * everything that decides whether, where and how often the method is called.
 */
class AdvisorOrderTests {

	private AnnotationConfigApplicationContext context;

	private FakeLockTemplate locks;

	private Orders orders;

	@BeforeEach
	void start() {
		this.context = new AnnotationConfigApplicationContext(AopConfiguration.class, TransactionConfiguration.class,
				OtherAdvice.class, Orders.class);
		this.locks = this.context.getBean(FakeLockTemplate.class);
		this.orders = this.context.getBean(Orders.class);
	}

	@AfterEach
	void stop() {
		this.context.close();
	}

	@Test
	void asyncThenRetryThenAuthorizationThenLockThenTransaction() {
		assertThat(this.orders.place()).succeedsWithin(10, TimeUnit.SECONDS).isEqualTo("done");
		assertThat(this.locks.events()).containsExactly("authorize on async", "lock orders", "begin", "method",
				"rollback", "unlock orders", "authorize on async", "lock orders", "begin", "method", "commit",
				"unlock orders");
	}

	@Test
	void callerWhoMayNotTakesNoLock() {
		this.context.getBean(OtherAdvice.class).allowed = false;
		assertThat(this.orders.place()).failsWithin(10, TimeUnit.SECONDS)
			.withThrowableThat()
			.withCauseInstanceOf(SecurityException.class);
		assertThat(this.locks.requests()).isEmpty();
	}

	@Test
	void asyncMethodHoldsTheLockUntilItsFutureCompletes() {
		CompletableFuture<String> result = this.orders.later();
		Awaitility.await().until(() -> this.locks.events().contains("method"));
		assertThat(this.locks.isHeld("later")).isTrue();
		this.orders.latch().complete("late");
		assertThat(result).succeedsWithin(10, TimeUnit.SECONDS).isEqualTo("late");
		assertThat(this.locks.events()).containsExactly("lock later", "method", "unlock later");
	}

	@Test
	void asyncMethodMayReturnAPlainFuture() throws Exception {
		assertThat(this.orders.plainFuture().get(10, TimeUnit.SECONDS)).isEqualTo("done");
		assertThat(this.locks.events()).containsExactly("lock plain", "method", "unlock plain");
	}

	@Test
	void hitOfACacheWithLowerOrderTakesNoLock() {
		assertThat(this.orders.cached(1)).isEqualTo("value 1");
		assertThat(this.orders.cached(1)).isEqualTo("value 1");
		assertThat(this.locks.requests()).hasSize(1);
	}

	@Test
	void concurrencyLimitQueuesBeforeTheLock() throws Exception {
		int threads = 4;
		CountDownLatch done = new CountDownLatch(threads);
		AtomicInteger refused = new AtomicInteger();
		for (int i = 0; i < threads; i++) {
			new Thread(() -> {
				try {
					this.orders.limited();
				}
				catch (RuntimeException ex) {
					refused.incrementAndGet();
				}
				done.countDown();
			}).start();
		}
		assertThat(done.await(20, TimeUnit.SECONDS)).isTrue();
		assertThat(refused).hasValue(0);
		assertThat(this.locks.requests()).hasSize(threads);
	}

	@Test
	void scheduledMethodRunsUnderItsLockAndSkipsWhenHeldElsewhere() {
		try (AnnotationConfigApplicationContext scheduled = new AnnotationConfigApplicationContext(
				AopConfiguration.class, Report.class)) {
			FakeLockTemplate locks = scheduled.getBean(FakeLockTemplate.class);
			Report report = scheduled.getBean(Report.class);
			Awaitility.await().until(() -> locks.events().contains("unlock report"));
			Awaitility.await().until(() -> {
				try {
					locks.acquire(LockRequest.of("report"));
					return true;
				}
				catch (LockNotAcquiredException ex) {
					return false;
				}
			});
			int runs = report.runs();
			int requests = locks.requests().size();
			Awaitility.await().until(() -> locks.requests().size() > requests + 3);
			assertThat(report.runs()).isEqualTo(runs);
		}
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAsync
	@EnableResilientMethods
	@EnableCaching(order = 10)
	static class OtherAdvice {

		volatile boolean allowed = true;

		@Bean
		@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
		DefaultPointcutAdvisor authorization(ObjectProvider<FakeLockTemplate> locks) {
			DefaultPointcutAdvisor advisor = new DefaultPointcutAdvisor(
					AnnotationMatchingPointcut.forMethodAnnotation(Authorized.class),
					(MethodInterceptor) (invocation) -> {
						if (!this.allowed) {
							throw new SecurityException("denied");
						}
						locks.getObject()
							.events()
							.add("authorize on " + Thread.currentThread().getName().replaceAll("-.*", ""));
						return invocation.proceed();
					});
			advisor.setOrder(200);
			return advisor;
		}

		@Bean
		Executor taskExecutor() {
			ThreadPoolTaskExecutor executor = new ThreadPoolTaskExecutor();
			executor.setThreadNamePrefix("async-");
			return executor;
		}

		@Bean
		ConcurrentMapCacheManager cacheManager() {
			return new ConcurrentMapCacheManager();
		}

	}

	@Retention(RetentionPolicy.RUNTIME)
	@interface Authorized {

	}

	static class Orders {

		private final List<String> events;

		private final AtomicInteger attempts = new AtomicInteger();

		private final CompletableFuture<String> latch = new CompletableFuture<>();

		Orders(FakeLockTemplate locks) {
			this.events = locks.events();
		}

		public CompletableFuture<String> latch() {
			return this.latch;
		}

		@Async
		@Retryable(maxRetries = 1, delay = 1)
		@Authorized
		@DistributedLock("orders")
		@Transactional
		public CompletableFuture<String> place() {
			this.events.add("method");
			if (this.attempts.incrementAndGet() == 1) {
				throw new IllegalStateException("first attempt");
			}
			return CompletableFuture.completedFuture("done");
		}

		@Async
		@DistributedLock("later")
		public CompletableFuture<String> later() {
			this.events.add("method");
			return this.latch;
		}

		@Async
		@DistributedLock("plain")
		public Future<String> plainFuture() {
			this.events.add("method");
			return CompletableFuture.completedFuture("done");
		}

		@Cacheable("values")
		@DistributedLock("cached")
		public String cached(int id) {
			return "value " + id;
		}

		@ConcurrencyLimit(1)
		@DistributedLock("limited")
		public void limited() {
			Thread.yield();
		}

	}

	@EnableScheduling
	@Configuration(proxyBeanMethods = false)
	static class Report {

		private final AtomicInteger runs = new AtomicInteger();

		@Scheduled(fixedRate = 5)
		@DistributedLock(name = "report", waitTime = "0s", onContention = OnContention.SKIP)
		public void run() {
			this.runs.incrementAndGet();
		}

		public int runs() {
			return this.runs.get();
		}

	}

}
