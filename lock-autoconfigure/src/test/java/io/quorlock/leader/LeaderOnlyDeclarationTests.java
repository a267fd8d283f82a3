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

import kotlin.Metadata;
import kotlin.coroutines.Continuation;
import org.assertj.core.api.ThrowableAssertAlternative;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.beans.factory.support.DefaultListableBeanFactory;

import io.quorlock.aop.declaration.InvalidLockDeclarationException;
import io.quorlock.aop.declaration.LockDeclaration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.mockito.BDDMockito.given;
import static org.mockito.Mockito.mock;

/**
 * Tests for {@link LeaderOnlyAdvisor}.
 */
class LeaderOnlyDeclarationTests {

	private final LeaderElection election = mock(LeaderElection.class);

	private final LeaderOnlyAdvisor methods = new LeaderOnlyAdvisor(new DefaultListableBeanFactory(),
			() -> this.election, 0);

	@BeforeEach
	void role() {
		given(this.election.roles()).willReturn(Set.of("importer"));
	}

	private ThrowableAssertAlternative<InvalidLockDeclarationException> assertThatRefused(Class<?> type) {
		return assertThatExceptionOfType(InvalidLockDeclarationException.class)
			.isThrownBy(() -> this.methods.validate(type))
			.withMessageStartingWith("Invalid @LeaderOnly on " + type.getName() + ".");
	}

	@ParameterizedTest
	@ValueSource(classes = { ReturnsMono.class, ReturnsFlux.class, ReturnsFuture.class, ReturnsWhatItsClassSays.class,
			Suspends.class })
	void resultThatComesLaterIsRefused(Class<?> type) {
		assertThatRefused(type).withMessageContaining(".run")
			.withMessageContaining("may come after the method has returned");
	}

	@Test
	void resultThatASkippedCallCannotHaveIsRefused() {
		assertThatRefused(ReturnsPrimitive.class)
			.withMessageEndingWith("a call that is skipped has no value of type int")
			.satisfies((ex) -> assertThat(ex.getAction()).isEqualTo("Return Integer, which is null if the call is "
					+ "skipped, or an Optional; or use LeaderElection.enter inside the method."));
	}

	@Test
	void methodThatNoProxyInterceptsIsRefused() {
		assertThatRefused(IsPrivate.class)
			.withMessageContaining("the method is private, so a proxy cannot intercept it")
			.satisfies((ex) -> assertThat(ex.getAction()).endsWith(" or use LeaderElection.enter inside the method."));
	}

	/** It would run on every instance, without a sign of it. */
	@ParameterizedTest
	@ValueSource(classes = { ImplementsGuarded.class, OverridesGuarded.class })
	void methodWithTheAnnotationOnItsInterfaceOrSuperclassIsGuarded(Class<?> type) throws Exception {
		this.methods.validate(type);
		assertThat(this.methods.role(type.getDeclaredMethod("guarded"), type)).isEqualTo("importer");
	}

	@Test
	void roleIsThatOfTheBeanWhoseMethodIsCalled() throws Exception {
		Method method = Runnable.class.getMethod("run");
		assertThat(this.methods.role(method, Importer.class)).isEqualTo("importer");
		assertThat(this.methods.role(method, Exporter.class)).isEqualTo("exporter");
		assertThat(this.methods.role(method, Thread.class)).isNull();
	}

	@Test
	void roleThatCannotBeLedIsRefusedWithWhatToDo() {
		this.methods.validate(Importer.class);
		assertThatRefused(Exporter.class)
			.withMessage("Invalid @LeaderOnly on %s.run(), value = \"exporter\": role 'exporter' is not one of "
					+ "distributed-lock.leader.roles, which are [importer]", Exporter.class.getName())
			.satisfies((ex) -> assertThat(ex.getAction())
				.isEqualTo("Add 'exporter' to distributed-lock.leader.roles, or correct the annotation."));
	}

	@Test
	void roleWithAnUnknownPlaceholderIsRefused() {
		DefaultListableBeanFactory beanFactory = new DefaultListableBeanFactory();
		beanFactory.addEmbeddedValueResolver((value) -> {
			throw new IllegalArgumentException("Could not resolve placeholder 'role'");
		});
		LeaderOnlyAdvisor unresolved = new LeaderOnlyAdvisor(beanFactory, () -> this.election, 0);
		assertThatExceptionOfType(InvalidLockDeclarationException.class)
			.isThrownBy(() -> unresolved.validate(Importer.class))
			.withMessageContaining("Could not resolve placeholder 'role'")
			.satisfies((ex) -> assertThat(ex.getAction()).startsWith("Define the property"));
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
		assertThat(LockDeclaration.methods(LeaderOnly.class, Job.class))
			.containsExactly(Job.class.getDeclaredMethod("guarded"));
		assertThat(this.methods.matches(Object.class)).isFalse();
		assertThat(LockDeclaration.methods(LeaderOnly.class, Unguarded.class)).isEmpty();
		assertThat(this.methods.role(Job.class.getDeclaredMethod("guarded"), Job.class)).isEqualTo("importer");
		assertThat(this.methods.role(Job.class.getDeclaredMethod("other"), Job.class)).isNull();
	}

	interface ReturnsMono {

		@LeaderOnly("importer")
		Mono<String> run();

	}

	interface ReturnsFlux {

		@LeaderOnly("importer")
		Flux<String> run();

	}

	interface ReturnsFuture {

		@LeaderOnly("importer")
		Future<String> run();

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

	static class IsPrivate {

		@LeaderOnly("importer")
		private void run() {
		}

	}

	interface ReturnsPrimitive {

		@LeaderOnly("importer")
		int run();

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
