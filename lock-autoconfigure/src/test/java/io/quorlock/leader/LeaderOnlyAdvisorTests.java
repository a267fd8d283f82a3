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

import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

import org.aopalliance.intercept.MethodInvocation;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.aop.framework.ProxyFactory;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;

import io.quorlock.LockContext;
import io.quorlock.LockHandle;
import io.quorlock.LockLostException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.mockito.BDDMockito.given;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.never;
import static org.mockito.Mockito.verify;

/**
 * Tests for {@link LeaderOnlyAdvisor}.
 */
class LeaderOnlyAdvisorTests {

	private final LeaderElection election = mock(LeaderElection.class);

	private final LockHandle lock = mock(LockHandle.class);

	private final MethodInvocation call = mock(MethodInvocation.class);

	private final LeaderOnlyAdvisor advisor = new LeaderOnlyAdvisor(new DefaultListableBeanFactory(),
			() -> this.election, 0);

	@BeforeEach
	void call() throws Exception {
		given(this.call.getMethod()).willReturn(Job.class.getDeclaredMethod("run"));
		given(this.call.getThis()).willReturn(new Job());
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
					+ "nothing guards it", Job.class.getName(), result.getClass().getName());
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
		given(this.call.getThis()).willReturn(new ProxyFactory(new Job()).getProxy());
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

	static class Job implements Runnable {

		@Override
		@LeaderOnly("importer")
		public void run() {
		}

	}

}
