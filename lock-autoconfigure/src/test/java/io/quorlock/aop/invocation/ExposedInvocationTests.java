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

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;

import org.aopalliance.intercept.MethodInterceptor;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;

import org.springframework.aop.Advisor;
import org.springframework.aop.interceptor.ExposeInvocationInterceptor;
import org.springframework.aop.support.DefaultPointcutAdvisor;
import org.springframework.aop.support.annotation.AnnotationMatchingPointcut;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Role;
import org.springframework.core.Ordered;

import io.quorlock.annotation.DistributedLock;
import io.quorlock.aop.AopConfiguration;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that advice inside the lock finds the invocation of the thread, as advice of
 * AspectJ does that binds arguments, although the caller has left the proxy.
 */
class ExposedInvocationTests {

	@Test
	void adviceInsideTheLockFindsTheInvocation() {
		try (AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext(AopConfiguration.class,
				Advice.class, Work.class)) {
			Work work = context.getBean(Work.class);
			assertThat(work.now()).isEqualTo("now");
			assertThat(work.later()).succeedsWithin(10, TimeUnit.SECONDS).isEqualTo("later");
			Mono<String> twice = work.reactive();
			assertThat(twice.block()).isEqualTo("reactive");
			assertThat(twice.block()).isEqualTo("reactive");
			assertThat(context.getBean(Advice.class).seen()).containsExactly("now", "later", "reactive", "reactive");
		}
	}

	@Configuration(proxyBeanMethods = false)
	static class Advice {

		private final List<String> seen = new CopyOnWriteArrayList<>();

		public List<String> seen() {
			return this.seen;
		}

		@Bean
		@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
		static Advisor exposing() {
			return ExposeInvocationInterceptor.ADVISOR;
		}

		@Bean
		@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
		DefaultPointcutAdvisor inside() {
			MethodInterceptor advice = (invocation) -> {
				this.seen
					.add(((org.aopalliance.intercept.MethodInvocation) ExposeInvocationInterceptor.currentInvocation())
						.getMethod()
						.getName());
				return invocation.proceed();
			};
			DefaultPointcutAdvisor advisor = new DefaultPointcutAdvisor(
					AnnotationMatchingPointcut.forMethodAnnotation(DistributedLock.class), advice);
			advisor.setOrder(Ordered.LOWEST_PRECEDENCE);
			return advisor;
		}

	}

	static class Work {

		@DistributedLock("work")
		public String now() {
			return "now";
		}

		@DistributedLock("work")
		public CompletableFuture<String> later() {
			return CompletableFuture.completedFuture("later");
		}

		@DistributedLock("work")
		public Mono<String> reactive() {
			return Mono.just("reactive");
		}

	}

}
