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

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;

import org.aopalliance.aop.Advice;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

import org.springframework.aop.Advisor;
import org.springframework.aop.ProxyMethodInvocation;
import org.springframework.aop.SpringProxy;
import org.springframework.aop.framework.Advised;
import org.springframework.aop.interceptor.AsyncExecutionInterceptor;
import org.springframework.aop.interceptor.ExposeInvocationInterceptor;

import io.quorlock.aop.declaration.LockSpecification;

/**
 * Lets one proxy lock a method whose bean has several: a second creator of proxies, such
 * as that of Apache Shiro, applies all advice once more, to the proxy of the first.
 * <p>
 * The outermost proxy takes the lock, so that no transaction begins before. Only an
 * {@code @Async} method that an inner proxy hands to another thread is locked there. What
 * the method itself calls through the bean is a call of its own.
 *
 * @since 0.1.0
 */
public final class ProxyLayers {

	/** The call that is under its lock, and on its way to an inner proxy. */
	private static final ThreadLocal<@Nullable Entry> ENTERING = new ThreadLocal<>();

	private ProxyLayers() {
	}

	/**
	 * Return whether an outer proxy of the bean has taken the lock for a call.
	 * @param invocation the call
	 * @param specification of the method that is called
	 * @return whether to go on without it
	 */
	public static boolean isLockedOutside(MethodInvocation invocation, LockSpecification specification) {
		Entry entry = ENTERING.get();
		return entry != null && invocation instanceof ProxyMethodInvocation proxied
				&& entry.proxy() == proxied.getProxy() && entry.method().equals(specification.method());
	}

	/**
	 * Return whether an inner proxy of the bean will take the lock, on another thread.
	 * @param invocation the call
	 * @param specification of the method that is called
	 * @param advice the advice that takes locks
	 * @return whether to go on without it
	 */
	public static boolean isLockedInside(MethodInvocation invocation, LockSpecification specification, Advice advice) {
		if (!(invocation.getThis() instanceof Advised inner)
				|| !LockedInvokers.isAsync(specification.method(), specification.userClass())) {
			return false;
		}
		List<Advice> all = Arrays.stream(inner.getAdvisors()).map(Advisor::getAdvice).toList();
		return all.contains(advice) && all.stream().anyMatch(AsyncExecutionInterceptor.class::isInstance);
	}

	/**
	 * Run the rest of a call whose lock is held, so that no inner proxy takes it again.
	 * @param invocation the call
	 * @param specification of the method that is called
	 * @return the result
	 * @throws Throwable what the rest throws
	 */
	public static @Nullable Object proceed(MethodInvocation invocation, LockSpecification specification)
			throws Throwable {
		Entry outer = ENTERING.get();
		Object target = invocation.getThis();
		if (outer == null && !(target instanceof SpringProxy)) {
			return ExposeInvocationInterceptor.INSTANCE.invoke(invocation);
		}
		enter((target instanceof SpringProxy) ? new Entry(target, specification.method()) : null);
		try {
			return ExposeInvocationInterceptor.INSTANCE.invoke(invocation);
		}
		finally {
			enter(outer);
		}
	}

	private static void enter(@Nullable Entry entry) {
		if (entry != null) {
			ENTERING.set(entry);
		}
		else {
			ENTERING.remove();
		}
	}

	private record Entry(Object proxy, Method method) {
	}

}
