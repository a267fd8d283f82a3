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

package io.quorlock.leader;

import java.lang.reflect.Method;
import java.util.Set;
import java.util.concurrent.Future;
import java.util.function.UnaryOperator;

import jakarta.annotation.PostConstruct;
import jakarta.annotation.PreDestroy;
import kotlin.Metadata;
import kotlin.coroutines.Continuation;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.InitializingBean;
import org.springframework.context.annotation.Bean;

import io.quorlock.aop.PackagePrivateTask;
import io.quorlock.aop.ProtectedTask;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.mockito.BDDMockito.given;
import static org.mockito.Mockito.mock;

/**
 * Tests for {@link LeaderOnlyMethods}.
 */
class LeaderOnlyMethodsTests {

	private final LeaderOnlyMethods methods = new LeaderOnlyMethods(UnaryOperator.identity(), () -> {
		throw new AssertionError("the election does not exist yet");
	});

	@ParameterizedTest
	@ValueSource(classes = { ReturnsMono.class, ReturnsFlux.class, ReturnsFuture.class, ReturnsWhatItsClassSays.class,
			Suspends.class })
	void resultThatComesLaterIsRefused(Class<?> type) {
		assertThatIllegalStateException().isThrownBy(() -> this.methods.matches(type))
			.withMessageContaining(".run")
			.withMessageContaining("may come after the method has returned");
	}

	@Test
	void staticMethodIsRefused() {
		assertThatIllegalStateException().isThrownBy(() -> this.methods.matches(IsStatic.class))
			.withMessageContaining("a private, static or final method");
	}

	/** It would run on every instance, without a sign of it. */
	@ParameterizedTest
	@ValueSource(classes = { PostConstructed.class, PreDestroyed.class, Initialized.class, Disposed.class,
			MakesABean.class })
	void methodThatTheContainerCallsOnTheBeanItselfIsRefused(Class<?> type) {
		assertThatIllegalStateException().isThrownBy(() -> this.methods.matches(type))
			.withMessageStartingWith("@LeaderOnly on " + type.getName() + ".")
			.withMessageEndingWith(": Spring calls it on the bean itself, not through the proxy that guards it");
	}

	@Test
	void methodThatTheProxyOfASubclassCannotOverrideIsRefused() {
		assertThatIllegalStateException().isThrownBy(() -> this.methods.matches(Hidden.class))
			.withMessage("@LeaderOnly on io.quorlock.aop.PackagePrivateTask.led: it is package-private, and the class "
					+ "of the bean is in another package");
	}

	@Test
	void methodsOfTheSameNamesThatTheContainerDoesNotCallAreGuarded() {
		assertThat(this.methods.matches(LikeCallbacks.class)).isTrue();
	}

	/** It would run on every instance, without a sign of it. */
	@ParameterizedTest
	@ValueSource(classes = { ImplementsGuarded.class, OverridesGuarded.class })
	void methodWithTheAnnotationOnItsInterfaceOrSuperclassIsGuarded(Class<?> type) throws Exception {
		assertThat(this.methods.matches(type)).isTrue();
		assertThat(this.methods.role(type.getDeclaredMethod("guarded"), type)).isEqualTo("importer");
	}

	@Test
	void roleIsThatOfTheBeanWhoseMethodIsCalled() throws Exception {
		Method method = Runnable.class.getMethod("run");
		assertThat(this.methods.role(method, Importer.class)).isEqualTo("importer");
		assertThat(this.methods.role(method, Exporter.class)).isEqualTo("exporter");
		assertThat(this.methods.role(method, Thread.class)).isNull();
	}

	/** Of beans that were created before the roles were known, and after that. */
	@Test
	void roleThatCannotBeLedIsRefused() {
		LeaderElection election = mock(LeaderElection.class);
		given(election.roles()).willReturn(Set.of("importer"));
		LeaderOnlyMethods known = new LeaderOnlyMethods(UnaryOperator.identity(), () -> election);
		known.matches(Importer.class);
		known.start();
		assertThatIllegalStateException().isThrownBy(() -> known.matches(Exporter.class))
			.withMessageContaining("role 'exporter' is not one of distributed-lock.leader.roles: [importer]");
		LeaderOnlyMethods early = new LeaderOnlyMethods(UnaryOperator.identity(), () -> election);
		early.matches(Exporter.class);
		assertThatIllegalStateException().isThrownBy(early::start).withMessageContaining("role 'exporter'");
	}

	static class Importer implements Runnable {

		@Override
		@LeaderOnly("importer")
		public void run() {
		}

	}

	static class Exporter implements Runnable {

		@Override
		@LeaderOnly("exporter")
		public void run() {
		}

	}

	@Test
	void protectedMethodOfAnotherPackageIsGuarded() {
		assertThat(this.methods.matches(Inherited.class)).isTrue();
	}

	static class Inherited extends ProtectedTask {

	}

	interface Guarded {

		@LeaderOnly("importer")
		void guarded();

	}

	static class ImplementsGuarded implements Guarded {

		@Override
		public void guarded() {
		}

	}

	static class OverridesGuarded extends Job {

		@Override
		void guarded() {
		}

	}

	@Test
	void otherMethodsOfTheClassAreNotGuarded() throws Exception {
		assertThat(this.methods.matches(Job.class)).isTrue();
		assertThat(this.methods.matches(Object.class)).isFalse();
		assertThat(this.methods.matches(Unguarded.class)).isFalse();
		assertThat(this.methods.role(Job.class.getDeclaredMethod("guarded"), Job.class)).isEqualTo("importer");
		assertThat(this.methods.role(Job.class.getDeclaredMethod("other"), Job.class)).isNull();
	}

	static class ReturnsMono {

		@LeaderOnly("importer")
		Mono<String> run() {
			return Mono.empty();
		}

	}

	static class ReturnsFlux {

		@LeaderOnly("importer")
		Flux<String> run() {
			return Flux.empty();
		}

	}

	static class ReturnsFuture {

		@LeaderOnly("importer")
		@Nullable Future<String> run() {
			return null;
		}

	}

	static class ReturnsWhatItsClassSays extends Returns<Mono<String>> {

	}

	/** As Kotlin compiles a suspending function. */
	@Metadata
	static class Suspends {

		@LeaderOnly("importer")
		@Nullable Object run(Continuation<Object> continuation) {
			return null;
		}

	}

	static class Returns<T> {

		@LeaderOnly("importer")
		public @Nullable T run() {
			return null;
		}

	}

	static class PostConstructed {

		@LeaderOnly("importer")
		@PostConstruct
		void run() {
		}

	}

	static class PreDestroyed {

		@LeaderOnly("importer")
		@PreDestroy
		void run() {
		}

	}

	static class Initialized implements InitializingBean {

		@Override
		@LeaderOnly("importer")
		public void afterPropertiesSet() {
		}

	}

	static class Disposed implements DisposableBean {

		@Override
		@LeaderOnly("importer")
		public void destroy() {
		}

	}

	static class MakesABean {

		@LeaderOnly("importer")
		@Bean
		Object run() {
			return new Object();
		}

	}

	static class Hidden extends PackagePrivateTask {

	}

	static class LikeCallbacks implements InitializingBean {

		@Override
		public void afterPropertiesSet() {
		}

		@LeaderOnly("importer")
		public void afterPropertiesSet(String property) {
		}

		@LeaderOnly("importer")
		public void destroy() {
		}

	}

	static class IsStatic {

		@LeaderOnly("importer")
		static void run() {
		}

	}

	static class Unguarded {

		void run() {
		}

	}

	static class Job {

		@LeaderOnly("importer")
		void guarded() {
		}

		void other() {
		}

	}

}
