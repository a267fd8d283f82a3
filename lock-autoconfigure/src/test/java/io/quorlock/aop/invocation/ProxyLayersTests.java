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

import org.aopalliance.aop.Advice;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.junit.jupiter.api.Test;

import org.springframework.aop.ProxyMethodInvocation;
import org.springframework.aop.SpringProxy;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.aop.interceptor.AsyncExecutionInterceptor;
import org.springframework.scheduling.annotation.Async;
import org.springframework.util.ClassUtils;

import io.quorlock.aop.declaration.LockSpecification;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.BDDMockito.given;
import static org.mockito.BDDMockito.willReturn;
import static org.mockito.Mockito.mock;

/**
 * Tests for {@link ProxyLayers}.
 */
class ProxyLayersTests {

	private final SpringProxy inner = mock(SpringProxy.class);

	private final LockSpecification specification = specification(Runnable.class, "run");

	private boolean isLockedOutside(Object proxy, LockSpecification called) {
		ProxyMethodInvocation invocation = mock(ProxyMethodInvocation.class);
		given(invocation.getProxy()).willReturn(proxy);
		return ProxyLayers.isLockedOutside(invocation, called);
	}

	@Test
	void callIsLockedOutsideOnItsWayToTheInnerProxyAndNoLonger() throws Throwable {
		MethodInvocation outer = mock(MethodInvocation.class);
		given(outer.getThis()).willReturn(this.inner);
		given(outer.proceed()).willAnswer((proceeding) -> {
			assertThat(isLockedOutside(this.inner, this.specification)).isTrue();
			assertThat(isLockedOutside(mock(SpringProxy.class), this.specification)).isFalse();
			assertThat(isLockedOutside(this.inner, specification(Object.class, "toString"))).isFalse();
			return "done";
		});
		assertThat(ProxyLayers.proceed(outer, this.specification)).isEqualTo("done");
		assertThat(isLockedOutside(this.inner, this.specification)).isFalse();
	}

	/** The method may call itself through its bean. */
	@Test
	void callOfTheMethodItselfIsACallOfItsOwn() throws Throwable {
		MethodInvocation last = mock(MethodInvocation.class);
		given(last.getThis()).willReturn("the bean");
		given(last.proceed()).willAnswer((proceeding) -> isLockedOutside(this.inner, this.specification));
		MethodInvocation outer = mock(MethodInvocation.class);
		given(outer.getThis()).willReturn(this.inner);
		given(outer.proceed()).willAnswer((proceeding) -> ProxyLayers.proceed(last, this.specification));
		assertThat(ProxyLayers.proceed(outer, this.specification)).isEqualTo(false);
	}

	/** Otherwise nothing would lock. */
	@Test
	void callIsLeftToAnInnerProxyOnlyIfThatLocksOnAnotherThread() {
		Advice locking = mock(MethodInterceptor.class);
		Advice async = new AsyncExecutionInterceptor(Runnable::run);
		assertThat(isLockedInside(locking, async, locking)).isTrue();
		assertThat(isLockedInside(locking, async)).isFalse();
		assertThat(isLockedInside(locking, locking)).isFalse();
	}

	private static boolean isLockedInside(Advice locking, Advice... inner) {
		ProxyFactory factory = new ProxyFactory(new Jobs());
		for (Advice advice : inner) {
			factory.addAdvice(advice);
		}
		MethodInvocation invocation = mock(MethodInvocation.class);
		given(invocation.getThis()).willReturn(factory.getProxy());
		LockSpecification specification = specification(Jobs.class, "run");
		willReturn(Jobs.class).given(specification).userClass();
		return ProxyLayers.isLockedInside(invocation, specification, locking);
	}

	private static LockSpecification specification(Class<?> type, String method) {
		LockSpecification specification = mock(LockSpecification.class);
		given(specification.method()).willReturn(ClassUtils.getMethod(type, method));
		return specification;
	}

	static class Jobs {

		@Async
		public void run() {
		}

	}

}
