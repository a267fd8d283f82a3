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
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

import org.aopalliance.intercept.MethodInvocation;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.core.MethodClassKey;
import org.springframework.util.ClassUtils;
import org.springframework.util.function.SingletonSupplier;

import io.quorlock.LockContext;
import io.quorlock.LockKeyException;
import io.quorlock.LockRequest;
import io.quorlock.LockTemplate;
import io.quorlock.annotation.DistributedLock;
import io.quorlock.annotation.LockKeyGenerator;
import io.quorlock.aop.declaration.InvalidLockDeclarationException;
import io.quorlock.aop.declaration.LeaseBounds;
import io.quorlock.aop.declaration.LockDeclaration;
import io.quorlock.aop.declaration.LockKey;
import io.quorlock.aop.declaration.LockSpecification;
import io.quorlock.aop.declaration.LockSpecificationParser;
import io.quorlock.aop.invocation.LockedCall;
import io.quorlock.aop.invocation.LockedInvoker;
import io.quorlock.aop.invocation.LockedInvokers;
import io.quorlock.aop.invocation.ProxyLayers;

/**
 * Finds the methods that run under a lock, refuses those that cannot, and runs them.
 * <p>
 * As with every proxy, a call through {@code this} is not intercepted: a bean that calls
 * its own annotated method runs it without the lock. Put the method in another bean, or
 * use {@link LockTemplate}.
 *
 * @since 0.1.0
 * @serial exclude
 */
@SuppressWarnings("serial")
public class DistributedLockAdvisor extends GuardAdvisor {

	private static final Log logger = LogFactory.getLog(DistributedLockAdvisor.class);

	private final LockSpecificationParser parser;

	private final SingletonSupplier<LockTemplate> template;

	/** What was declared first of each name. */
	private final Map<Name, LockSpecification> first = new ConcurrentHashMap<>();

	private final Map<MethodClassKey, Optional<LockedMethod>> cache = new ConcurrentHashMap<>(64);

	/**
	 * Create the advisor.
	 * @param beanFactory resolves placeholders, {@code @bean} in keys, and the
	 * {@link LockKeyGenerator}, if there is one
	 * @param leaseBounds between which each {@code leaseTime} has to be
	 * @param template acquires the locks; resolved at the first call, so that proxies can
	 * be created before the engine
	 * @param order {@code distributed-lock.order}
	 */
	public DistributedLockAdvisor(ConfigurableBeanFactory beanFactory, LeaseBounds leaseBounds,
			Supplier<LockTemplate> template, int order) {
		super(beanFactory, DistributedLock.class, "use LockTemplate inside the method", order);
		this.parser = new LockSpecificationParser(beanFactory, leaseBounds);
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
			return get(method, method.getDeclaringClass());
		}
		Class<?> targetClass = AopUtils.getTargetClass(target);
		LockedMethod declared = Proxy.isProxyClass(target.getClass()) ? declared(method, target.getClass(), targetClass)
				: null;
		return (declared != null) ? declared : get(method, targetClass);
	}

	/**
	 * A repository of Spring Data is a proxy of an interface that its target does not
	 * implement: the annotation is there.
	 */
	private @Nullable LockedMethod declared(Method method, Class<?> proxyClass, Class<?> targetClass) {
		for (Class<?> type : proxyClass.getInterfaces()) {
			if (method.getDeclaringClass().isAssignableFrom(type) && !type.isAssignableFrom(targetClass)) {
				LockedMethod declared = get(method, type);
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

	@Override
	protected void validate(Method method, Class<?> beanClass) {
		LockedMethod locked = get(method, beanClass);
		if (locked != null) {
			checkPermits(locked.specification());
			warnOfRepeatedTicks(locked.specification());
		}
	}

	/** With and without permits, two methods would not exclude each other. */
	private void checkPermits(LockSpecification specification) {
		LockRequest request = specification.request();
		LockSpecification earlier = this.first.putIfAbsent(new Name(request.baseName(), specification.key() != null),
				specification);
		if (earlier != null && (earlier.request().permits() > 0) != (request.permits() > 0)) {
			throw specification.declaration()
				.refused("permits", String.valueOf(request.permits()),
						"%s locks '%s' with permits = %d. With and without permits, the two do not exclude each other"
							.formatted(earlier.declaration().location(), request.baseName(),
									earlier.request().permits()),
						"Declare the same number of permits on all methods that lock the name, or give one of them another "
								+ "name.",
						null);
		}
	}

	private static void warnOfRepeatedTicks(LockSpecification specification) {
		if (specification.isScheduledWithoutHold()) {
			logger.warn(("Scheduled method %s is skipped only while another instance runs it: its lock '%s' is free as "
					+ "soon as it is done, and an instance whose trigger comes later runs the same tick again. Use "
					+ "@ScheduledLock, or set holdAtLeast")
				.formatted(specification.declaration().location(), specification.request().baseName()));
		}
	}

	/**
	 * Return how to run a method.
	 * @param method the method, as it is called
	 * @param beanClass the class of the bean
	 * @return the locked method, or {@code null} if the method is not locked
	 * @throws InvalidLockDeclarationException if its annotation is invalid
	 */
	@Nullable LockedMethod get(Method method, Class<?> beanClass) {
		MethodClassKey key = new MethodClassKey(method, beanClass);
		Optional<LockedMethod> cached = this.cache.get(key);
		if (cached == null) {
			cached = Optional.ofNullable(parse(method, beanClass));
			this.cache.put(key, cached);
		}
		return cached.orElse(null);
	}

	private @Nullable LockedMethod parse(Method method, Class<?> beanClass) {
		DistributedLock annotation = LockDeclaration.find(DistributedLock.class, method, beanClass);
		if (annotation == null) {
			return null;
		}
		LockSpecification specification = this.parser.parse(annotation, LockDeclaration.specific(method, beanClass),
				ClassUtils.getUserClass(beanClass));
		return new LockedMethod(specification, LockedInvokers.forMethod(specification));
	}

	/** With a key, other names are locked than without. */
	private record Name(String baseName, boolean withKey) {
	}

	/**
	 * A method that runs under a lock.
	 *
	 * @param specification what its annotation says
	 * @param invoker runs it as its result type demands
	 */
	record LockedMethod(LockSpecification specification, LockedInvoker invoker) {

	}

}
