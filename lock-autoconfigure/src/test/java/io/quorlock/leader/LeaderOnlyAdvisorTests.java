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
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.stream.Stream;

import kotlin.Metadata;
import kotlin.coroutines.Continuation;
import org.aopalliance.intercept.MethodInvocation;
import org.assertj.core.api.ThrowableAssertAlternative;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.aop.framework.ProxyFactory;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;

import io.quorlock.LockContext;
import io.quorlock.LockHandle;
import io.quorlock.LockLostException;
import io.quorlock.aop.declaration.InvalidLockDeclarationException;
import io.quorlock.aop.declaration.LockDeclaration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.mockito.BDDMockito.given;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.never;
import static org.mockito.Mockito.verify;

/**
 * Tests for {@link LeaderOnlyAdvisor}: which declarations it refuses, and what it does
 * around a call.
 */
class LeaderOnlyAdvisorTests {

	private final LeaderElection election = mock(LeaderElection.class);

	private final LockHandle lock = mock(LockHandle.class);

	private final MethodInvocation call = mock(MethodInvocation.class);

	private final LeaderOnlyAdvisor advisor = new LeaderOnlyAdvisor(new DefaultListableBeanFactory(),
			() -> this.election, 0);

	@BeforeEach
	void call() throws Exception {
		given(this.call.getMethod()).willReturn(Importer.class.getDeclaredMethod("run"));
		given(this.call.getThis()).willReturn(new Importer());
		given(this.election.enter("importer")).willReturn(Optional.of(this.lock));
		given(this.lock.loss()).willReturn(Optional.empty());
	}

	@Test
	void methodThatFailsLeavesTheRole() throws Throwable {
		given(this.call.proceed()).willThrow(new IllegalStateException("full"));
		assertThatIllegalStateException().isThrownBy(() -> this.advisor.invoke(this.call))
			.withMessage("full")
			.satisfies((ex) -> assertThat(ex.getSuppressed()).isEmpty());
		verify(this.lock).close();
		assertThat(LockContext.capture()).isNull();
	}

	@Test
	void lossIsToldBesideTheFailureOfTheMethod() throws Throwable {
		LockLostException loss = new LockLostException("lost");
		given(this.lock.loss()).willReturn(Optional.of(loss));
		given(this.call.proceed()).willThrow(new IllegalStateException("full"));
		assertThatIllegalStateException().isThrownBy(() -> this.advisor.invoke(this.call))
			.satisfies((ex) -> assertThat(ex.getSuppressed()).containsExactly(loss));
	}

	@Test
	void lossThatTheMethodReportsIsThrownAsItIs() throws Throwable {
		LockLostException loss = new LockLostException("lost");
		given(this.lock.loss()).willReturn(Optional.of(loss));
		given(this.call.proceed()).willThrow(loss);
		assertThatExceptionOfType(LockLostException.class).isThrownBy(() -> this.advisor.invoke(this.call))
			.isSameAs(loss);
	}

	static Stream<Object> resultsThatComeLater() {
		return Stream.of(Mono.just("done"), Flux.just("done"), new CompletableFuture<>());
	}

	/** Its declaration does not show it at start. */
	@ParameterizedTest
	@MethodSource("resultsThatComeLater")
	void resultThatComesAfterTheMethodIsRefused(Object result) throws Throwable {
		given(this.call.proceed()).willReturn(result);
		assertThatIllegalStateException().isThrownBy(() -> this.advisor.invoke(this.call))
			.withMessage("@LeaderOnly on %s.run: its result of type %s may come after the method has returned, when "
					+ "nothing guards it", Importer.class.getName(), result.getClass().getName());
		verify(this.lock).close();
		assertThat(LockContext.capture()).isNull();
	}

	@Test
	void futureThatIsDoneIsAResult() throws Throwable {
		CompletableFuture<String> done = CompletableFuture.completedFuture("done");
		given(this.call.proceed()).willReturn(done);
		assertThat(this.advisor.invoke(this.call)).isSameAs(done);
	}

	@Test
	void methodThatIsNotGuardedNeedsNoRole() throws Throwable {
		given(this.call.getMethod()).willReturn(Object.class.getMethod("toString"));
		given(this.call.proceed()).willReturn("job");
		assertThat(this.advisor.invoke(this.call)).isEqualTo("job");
		verify(this.election, never()).enter("importer");
	}

	/** Another proxy around the bean does not hide what it declares. */
	@Test
	void methodOfABeanWithAProxyOfItsOwnIsGuarded() throws Throwable {
		given(this.call.getMethod()).willReturn(Runnable.class.getMethod("run"));
		given(this.call.getThis()).willReturn(new ProxyFactory(new Importer()).getProxy());
		this.advisor.invoke(this.call);
		verify(this.election).enter("importer");
	}

	@Test
	void locksOfTheCallerAreThoseOfTheMethodAndOfTheCallerAgain() throws Throwable {
		LockHandle outer = mock(LockHandle.class);
		LockContext caller = LockContext.with(outer, null);
		given(this.call.proceed()).will((invocation) -> {
			LockContext inside = Objects.requireNonNull(LockContext.capture());
			assertThat(inside.handle()).isSameAs(this.lock);
			return Objects.requireNonNull(inside.outer()).handle();
		});
		LockContext.restore(caller);
		try {
			assertThat(this.advisor.invoke(this.call)).isSameAs(outer);
			assertThat(LockContext.current()).containsSame(outer);
		}
		finally {
			LockContext.restore(null);
		}
	}

	@BeforeEach
	void role() {
		given(this.election.roles()).willReturn(Set.of("importer"));
	}

	private ThrowableAssertAlternative<InvalidLockDeclarationException> assertThatRefused(Class<?> type) {
		return assertThatExceptionOfType(InvalidLockDeclarationException.class)
			.isThrownBy(() -> this.advisor.validate(type))
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
		this.advisor.validate(type);
		assertThat(this.advisor.role(type.getDeclaredMethod("guarded"), type)).isEqualTo("importer");
	}

	@Test
	void roleIsThatOfTheBeanWhoseMethodIsCalled() throws Exception {
		Method method = Runnable.class.getMethod("run");
		assertThat(this.advisor.role(method, Importer.class)).isEqualTo("importer");
		assertThat(this.advisor.role(method, Exporter.class)).isEqualTo("exporter");
		assertThat(this.advisor.role(method, Thread.class)).isNull();
	}

	@Test
	void roleThatCannotBeLedIsRefusedWithWhatToDo() {
		this.advisor.validate(Importer.class);
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

	@Test
	void otherMethodsOfTheClassAreNotGuarded() throws Exception {
		assertThat(LockDeclaration.methods(LeaderOnly.class, Job.class))
			.containsExactly(Job.class.getDeclaredMethod("guarded"));
		assertThat(this.advisor.matches(Object.class)).isFalse();
		assertThat(LockDeclaration.methods(LeaderOnly.class, Unguarded.class)).isEmpty();
		assertThat(this.advisor.role(Job.class.getDeclaredMethod("guarded"), Job.class)).isEqualTo("importer");
		assertThat(this.advisor.role(Job.class.getDeclaredMethod("other"), Job.class)).isNull();
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
