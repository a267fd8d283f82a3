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

package io.quorlock.reactive;

import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Hooks;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;
import reactor.test.StepVerifier;

import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import io.quorlock.LockContext;
import io.quorlock.LockHandle;
import io.quorlock.annotation.DistributedLock;
import io.quorlock.aop.AopConfiguration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Tests for {@link ReactiveLockContext}.
 */
class ReactiveLockContextTests {

	private final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
		.withUserConfiguration(AopConfiguration.class)
		.withBean(Accounts.class);

	@Test
	void operatorsOnAnyThreadSeeTheLockOfTheirPipeline() {
		this.contextRunner.run((context) -> {
			Accounts accounts = context.getBean(Accounts.class);
			StepVerifier.create(accounts.token(1)).expectNext(1L).verifyComplete();
			StepVerifier.create(accounts.token(1)).expectNext(2L).verifyComplete();
			StepVerifier.create(accounts.names(7)).expectNext("account:7", "account:7").verifyComplete();
		});
	}

	@Test
	void bodyOfTheMethodSeesTheLockOfItsSubscription() {
		this.contextRunner.run((context) -> {
			Mono<Long> token = context.getBean(Accounts.class).tokenOfBody(1);
			StepVerifier.create(token).expectNext(1L).verifyComplete();
			StepVerifier.create(token).expectNext(2L).verifyComplete();
		});
	}

	@Test
	void pipelineWithoutALockHasNoToken() {
		StepVerifier.create(ReactiveLockContext.current()).verifyComplete();
		StepVerifier.create(ReactiveLockContext.fencingToken())
			.verifyErrorMatches((ex) -> ex instanceof IllegalStateException
					&& String.valueOf(ex.getMessage()).contains("holds no lock"));
	}

	@Test
	void contextOfTheThreadSaysInAPipelineWhereTheTokenIs() {
		this.contextRunner.run((context) -> StepVerifier.create(context.getBean(Accounts.class).tokenOfThread(1))
			.verifyErrorSatisfies((ex) -> assertThat(ex).isInstanceOf(IllegalStateException.class)
				.hasMessageContaining("ReactiveLockContext.fencingToken()")
				.hasMessageContaining("spring.reactor.context-propagation")
				.hasMessageContaining("io.micrometer:context-propagation")));
		assertThatIllegalStateException().isThrownBy(LockContext::fencingToken)
			.withMessage(
					"No lock is held by this call, so there is no fencing token. An annotated method is locked if it "
							+ "is called through its Spring bean, not from within its own object");
	}

	@Test
	void contextOfTheThreadFollowsThePipelineWhereContextsArePropagated() {
		Scheduler scheduler = Schedulers.newSingle("accounts");
		Hooks.enableAutomaticContextPropagation();
		try {
			this.contextRunner.run((context) -> {
				Accounts accounts = context.getBean(Accounts.class);
				StepVerifier.create(accounts.tokenOnThread(1, scheduler)).expectNext(1L).verifyComplete();
				StepVerifier.create(accounts.tokenOnThread(1, scheduler)).expectNext(2L).verifyComplete();
			});
		}
		finally {
			Hooks.disableAutomaticContextPropagation();
		}
		assertThat(Mono.fromCallable(LockContext::current).subscribeOn(scheduler).block())
			.as("lock of the thread behind the pipelines")
			.isEmpty();
		scheduler.dispose();
	}

	static class Accounts {

		@DistributedLock(name = "account", key = "#id")
		public Mono<Long> token(int id) {
			return Mono.just(id).publishOn(Schedulers.parallel()).flatMap((any) -> ReactiveLockContext.fencingToken());
		}

		@DistributedLock(name = "account", key = "#id")
		public Flux<String> names(int id) {
			return Flux.just(1, 2)
				.publishOn(Schedulers.parallel())
				.flatMap((any) -> ReactiveLockContext.current().map(LockHandle::name));
		}

		@DistributedLock(name = "account", key = "#id")
		public Mono<Long> tokenOfBody(int id) {
			long token = LockContext.fencingToken();
			return Mono.just(id).publishOn(Schedulers.parallel()).map((any) -> token);
		}

		@DistributedLock(name = "account", key = "#id")
		public Mono<Long> tokenOnThread(int id, Scheduler scheduler) {
			return Mono.just(id).publishOn(scheduler).map((any) -> LockContext.fencingToken());
		}

		@DistributedLock(name = "account", key = "#id")
		public Mono<Long> tokenOfThread(int id) {
			return Mono.just(id).publishOn(Schedulers.parallel()).map((any) -> LockContext.fencingToken());
		}

	}

}
