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

import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.function.Supplier;

import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

import org.springframework.aop.support.AopUtils;
import org.springframework.util.function.SingletonSupplier;

import io.quorlock.LockContext;
import io.quorlock.LockKeyException;
import io.quorlock.LockRequest;
import io.quorlock.LockTemplate;
import io.quorlock.aop.LockedMethodSource.LockedMethod;
import io.quorlock.aop.declaration.LockKey;
import io.quorlock.aop.declaration.LockSpecification;
import io.quorlock.aop.invocation.LockedCall;
import io.quorlock.aop.invocation.ProxyLayers;

/**
 * Runs methods that are annotated with
 * {@link io.quorlock.annotation.DistributedLock @DistributedLock} under their lock.
 *
 * @since 0.1.0
 */
public class DistributedLockInterceptor implements MethodInterceptor {

	private final LockedMethodSource source;

	private final SingletonSupplier<LockTemplate> template;

	/**
	 * Create the interceptor.
	 * @param source finds the annotation
	 * @param template acquires the locks; resolved at the first call, so that proxies can
	 * be created before the engine
	 */
	public DistributedLockInterceptor(LockedMethodSource source, Supplier<LockTemplate> template) {
		this.source = source;
		this.template = SingletonSupplier.of(template);
	}

	@Override
	public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
		LockedMethod locked = locked(invocation.getMethod(), invocation.getThis());
		if (locked == null) {
			return invocation.proceed();
		}
		LockSpecification specification = locked.specification();
		if (ProxyLayers.isLockedOutside(invocation, specification)) {
			return ProxyLayers.proceed(invocation, specification);
		}
		if (ProxyLayers.isLockedInside(invocation, specification, this)) {
			return invocation.proceed();
		}
		LockRequest request = request(specification, invocation);
		return locked.invoker().invoke(new LockedCall(specification, request, this.template.obtain(), invocation));
	}

	private @Nullable LockedMethod locked(Method method, @Nullable Object target) {
		if (target == null) {
			return this.source.get(method, method.getDeclaringClass());
		}
		Class<?> targetClass = AopUtils.getTargetClass(target);
		LockedMethod declared = Proxy.isProxyClass(target.getClass()) ? declared(method, target.getClass(), targetClass)
				: null;
		return (declared != null) ? declared : this.source.get(method, targetClass);
	}

	/**
	 * A repository of Spring Data is a proxy of an interface that its target does not
	 * implement: the annotation is there.
	 */
	private @Nullable LockedMethod declared(Method method, Class<?> proxyClass, Class<?> targetClass) {
		for (Class<?> type : proxyClass.getInterfaces()) {
			if (method.getDeclaringClass().isAssignableFrom(type) && !type.isAssignableFrom(targetClass)) {
				LockedMethod declared = this.source.get(method, type);
				if (declared != null) {
					return declared;
				}
			}
		}
		return null;
	}

	private static LockRequest request(LockSpecification specification, MethodInvocation invocation) {
		LockRequest request = specification.held(specification.request());
		LockKey key = specification.key();
		if (key != null) {
			Object value = key.of(specification.target(invocation), invocation.getArguments());
			try {
				request = request.key(value, key.path());
			}
			catch (LockKeyException ex) {
				throw new LockKeyException(key + ": " + ex.getMessage(), ex);
			}
		}
		return request.within(LockContext.ofThread());
	}

}
