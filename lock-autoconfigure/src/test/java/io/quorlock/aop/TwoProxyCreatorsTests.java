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
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;

import org.aopalliance.intercept.MethodInterceptor;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;

import org.springframework.aop.ProxyMethodInvocation;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.aop.framework.autoproxy.DefaultAdvisorAutoProxyCreator;
import org.springframework.aop.support.AopUtils;
import org.springframework.aop.support.DefaultPointcutAdvisor;
import org.springframework.aop.support.annotation.AnnotationMatchingPointcut;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Role;
import org.springframework.core.Ordered;
import org.springframework.core.task.SyncTaskExecutor;
import org.springframework.core.task.TaskExecutor;
import org.springframework.scheduling.annotation.Async;
import org.springframework.scheduling.annotation.EnableAsync;
import org.springframework.scheduling.concurrent.ThreadPoolTaskExecutor;
import org.springframework.transaction.annotation.Transactional;

import io.quorlock.LockContext;
import io.quorlock.LockReentryException;
import io.quorlock.annotation.DistributedLock;
import io.quorlock.annotation.LockFailureHandler;
import io.quorlock.transaction.TransactionConfiguration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for methods of beans that have two proxies, since there is a second creator of
 * proxies, as in the set-up of Apache Shiro: all advice is there twice.
 */
class TwoProxyCreatorsTests {

	private final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
		.withUserConfiguration(AopConfiguration.class, TransactionConfiguration.class, Asynchronous.class,
				Repeating.class)
		.withBean("work", Work.class, WorkOfBean::new)
		.withBean(LockFailureHandler.class, () -> (failure, target, method, arguments) -> "%s in place of %s"
			.formatted(target.getClass().getSimpleName(), method));

	private final List<ApplicationContextRunner> twoProxies = List.of(
			this.contextRunner.withUserConfiguration(SecondInterfaceProxies.class),
			this.contextRunner.withUserConfiguration(SecondClassProxies.class),
			this.contextRunner.withUserConfiguration(ClassProxies.class, SecondInterfaceProxies.class),
			this.contextRunner.withUserConfiguration(ClassProxies.class, SecondClassProxies.class));

	private void withTwoProxies(BiConsumer<Work, FakeLockTemplate> calls, String... events) {
		for (ApplicationContextRunner runner : this.twoProxies) {
			runner.run((context) -> {
				Work work = context.getBean(Work.class);
				FakeLockTemplate locks = context.getBean(FakeLockTemplate.class);
				assertThat(AopUtils.isAopProxy(AopProxyUtils.getSingletonTarget(work))).isTrue();
				calls.accept(work, locks);
				assertThat(locks.events()).containsExactly(events);
				assertThat(LockContext.capture()).isNull();
			});
		}
	}

	@Test
	void methodIsLockedOnce() {
		withTwoProxies((work, locks) -> assertThat(work.now("x")).isEqualTo("x"), "lock now:x", "unlock now:x");
		withTwoProxies(
				(work, locks) -> assertThat(work.later()).succeedsWithin(10, TimeUnit.SECONDS).isEqualTo("later"),
				"lock later", "unlock later");
		withTwoProxies((work, locks) -> assertThat(work.reactive().block()).isEqualTo("reactive"), "lock reactive",
				"unlock reactive");
	}

	@Test
	void asynchronousMethodIsLockedOnceOnItsOwnThread() {
		withTwoProxies((work, locks) -> {
			assertThat(work.async()).succeedsWithin(10, TimeUnit.SECONDS).asString().startsWith("async-");
			Awaitility.await().until(() -> locks.heldCount() == 0);
		}, "lock async", "unlock async");
		withTwoProxies((work, locks) -> assertThat(work.asyncOnCaller()).isCompleted(), "lock caller", "unlock caller");
	}

	@Test
	void transactionBeginsWhenTheLockIsHeld() {
		withTwoProxies((work, locks) -> work.transactional(), "lock transactional", "begin", "commit",
				"unlock transactional");
	}

	@Test
	void adviceThatCallsTheMethodAgainTakesNoFurtherLock() {
		withTwoProxies((work, locks) -> {
			assertThat(work.repeated()).isEqualTo(4);
			assertThat(locks.requests()).hasSize(1);
		}, "lock repeated", "unlock repeated");
	}

	@Test
	void adviceBetweenTheProxiesThatCallsAnotherMethodTakesItsLock() {
		withTwoProxies((work, locks) -> work.announced(), "lock announced", "lock now:news", "unlock now:news",
				"unlock announced");
	}

	@Test
	void recursionIsARequestOfItsOwn() {
		withTwoProxies((work, locks) -> {
			assertThat(work.recursive(3, work)).isEqualTo(4);
			assertThat(locks.requests()).hasSize(4);
		}, "lock recursive", "unlock recursive");
		withTwoProxies((work, locks) -> {
			work.once(() -> {
			});
			assertThatExceptionOfType(LockReentryException.class).isThrownBy(() -> work.once(() -> work.once(() -> {
			})));
		}, "lock once", "unlock once", "lock once", "unlock once");
	}

	@Test
	void keyFallbackAndHandlerSeeTheBeanBehindItsProxies() {
		withTwoProxies((work, locks) -> {
			locks.holdElsewhere("busy:key of bean");
			assertThat(work.busy()).isEqualTo("instead of bean");
			locks.holdElsewhere("now:x");
			assertThat(work.now("x")).endsWith("WorkOfBean.now(java.lang.String)")
				.startsWith("WorkOfBean in place of ");
		});
	}

	@Retention(RetentionPolicy.RUNTIME)
	@interface Repeated {

	}

	@Retention(RetentionPolicy.RUNTIME)
	@interface Announced {

	}

	@Configuration(proxyBeanMethods = false)
	static class Repeating {

		@Bean
		@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
		static DefaultPointcutAdvisor repetition() {
			DefaultPointcutAdvisor advisor = new DefaultPointcutAdvisor(
					new AnnotationMatchingPointcut(null, Repeated.class, true), (MethodInterceptor) (invocation) -> {
						((ProxyMethodInvocation) invocation).invocableClone().proceed();
						return invocation.proceed();
					});
			advisor.setOrder(Ordered.LOWEST_PRECEDENCE);
			return advisor;
		}

		@Bean
		@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
		static DefaultPointcutAdvisor announcement() {
			DefaultPointcutAdvisor advisor = new DefaultPointcutAdvisor(
					new AnnotationMatchingPointcut(null, Announced.class, true), (MethodInterceptor) (invocation) -> {
						if (invocation.getThis() instanceof Work inner && AopUtils.isAopProxy(inner)) {
							inner.now("news");
						}
						return invocation.proceed();
					});
			advisor.setOrder(Ordered.LOWEST_PRECEDENCE);
			return advisor;
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableAsync
	static class Asynchronous {

		@Bean
		ThreadPoolTaskExecutor taskExecutor() {
			ThreadPoolTaskExecutor executor = new ThreadPoolTaskExecutor();
			executor.setThreadNamePrefix("async-");
			return executor;
		}

		@Bean
		TaskExecutor callerRuns() {
			return new SyncTaskExecutor();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class SecondInterfaceProxies {

		@Bean
		static DefaultAdvisorAutoProxyCreator secondCreator() {
			return new DefaultAdvisorAutoProxyCreator();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class SecondClassProxies {

		@Bean
		static DefaultAdvisorAutoProxyCreator secondCreator() {
			DefaultAdvisorAutoProxyCreator creator = new DefaultAdvisorAutoProxyCreator();
			creator.setProxyTargetClass(true);
			return creator;
		}

	}

	interface Work {

		@DistributedLock(name = "now", key = "#id")
		String now(String id);

		@DistributedLock("later")
		CompletableFuture<String> later();

		@DistributedLock("reactive")
		Mono<String> reactive();

		@Async
		@DistributedLock("async")
		CompletableFuture<String> async();

		@Async("callerRuns")
		@DistributedLock("caller")
		CompletableFuture<Void> asyncOnCaller();

		@DistributedLock("transactional")
		@Transactional
		void transactional();

		@Repeated
		@DistributedLock("repeated")
		int repeated();

		@Announced
		@DistributedLock("announced")
		void announced();

		@DistributedLock("recursive")
		int recursive(int depth, Work self);

		@DistributedLock(name = "once", reentrant = false)
		void once(Runnable body);

		String busy();

	}

	static class WorkOfBean implements Work {

		private int calls;

		private final String self = String.valueOf("bean");

		@Override
		public String now(String id) {
			return id;
		}

		@Override
		public CompletableFuture<String> later() {
			return CompletableFuture.completedFuture("later");
		}

		@Override
		public Mono<String> reactive() {
			return Mono.just("reactive");
		}

		@Override
		public CompletableFuture<String> async() {
			return CompletableFuture.completedFuture(Thread.currentThread().getName());
		}

		@Override
		public CompletableFuture<Void> asyncOnCaller() {
			return CompletableFuture.completedFuture(null);
		}

		@Override
		public void transactional() {
		}

		@Override
		public int repeated() {
			return ++this.calls;
		}

		@Override
		public void announced() {
		}

		@Override
		public int recursive(int depth, Work self) {
			return (depth > 0) ? self.recursive(depth - 1, self) + 1 : 1;
		}

		@Override
		public void once(Runnable body) {
			body.run();
		}

		@Override
		@DistributedLock(name = "busy", key = "#root.target.key()", fallback = "instead")
		public String busy() {
			return "done";
		}

		public String key() {
			return "key of " + this.self;
		}

		@SuppressWarnings("unused")
		private String instead() {
			return "instead of " + this.self;
		}

	}

}
