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
import java.util.Arrays;
import java.util.List;

import org.aopalliance.intercept.MethodInterceptor;

import org.springframework.aop.ClassFilter;
import org.springframework.aop.SpringProxy;
import org.springframework.aop.framework.Advised;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.aop.support.StaticMethodMatcherPointcutAdvisor;
import org.springframework.core.annotation.AnnotationUtils;

import io.quorlock.aop.declaration.InvalidLockDeclarationException;
import io.quorlock.aop.declaration.LockDeclaration;
import io.quorlock.aop.declaration.ProxyCheck;

/**
 * Finds, checks and runs the methods with an annotation that must never be ignored, such
 * as {@link io.quorlock.annotation.DistributedLock @DistributedLock}: pointcut and advice
 * in one. Its bean definition has to have {@code ROLE_INFRASTRUCTURE}, since an
 * application without AspectJ considers no other advisors.
 *
 * @since 0.1.0
 * @serial exclude
 */
@SuppressWarnings("serial")
public abstract class GuardAdvisor extends StaticMethodMatcherPointcutAdvisor
		implements ClassFilter, MethodInterceptor {

	private final ProxyCheck proxyCheck;

	/**
	 * Create the advisor.
	 * @param proxyCheck refuses methods that no proxy intercepts
	 * @param order the order among other advisors
	 */
	protected GuardAdvisor(ProxyCheck proxyCheck, int order) {
		this.proxyCheck = proxyCheck;
		setClassFilter(this);
		setAdvice(this);
		setOrder(order);
	}

	/**
	 * Return what refuses methods that no proxy intercepts.
	 * @return the check, which knows the annotation
	 */
	protected ProxyCheck proxyCheck() {
		return this.proxyCheck;
	}

	/**
	 * Return whether a class can have annotated methods at all. Neither placeholders nor
	 * other beans are needed for that: they do not exist when it is asked ahead of time.
	 * @throws InvalidLockDeclarationException if it has one, but cannot have a proxy
	 */
	@Override
	public boolean matches(Class<?> beanClass) {
		if (!AnnotationUtils.isCandidateClass(beanClass, this.proxyCheck.annotation())) {
			return false;
		}
		if (this.proxyCheck.isFinalWithoutInterface(beanClass)) {
			of(beanClass).stream().findFirst().ifPresent((method) -> this.proxyCheck.check(method, beanClass));
		}
		return true;
	}

	@Override
	public boolean matches(Method method, Class<?> beanClass) {
		return LockDeclaration.find(this.proxyCheck.annotation(), method, beanClass) != null;
	}

	/**
	 * Return the annotated methods of a class, those included that no proxy sees.
	 * @param beanClass the class of a bean
	 * @return the methods
	 */
	List<Method> of(Class<?> beanClass) {
		return AnnotationUtils.isCandidateClass(beanClass, this.proxyCheck.annotation())
				? LockDeclaration.methods(this.proxyCheck.annotation(), beanClass) : List.of();
	}

	/**
	 * Check all that a class declares.
	 * @param beanClass the class of a bean
	 * @throws InvalidLockDeclarationException if something is wrong
	 */
	public void validate(Class<?> beanClass) {
		if (matches(beanClass)) {
			for (Method method : of(beanClass)) {
				this.proxyCheck.check(method, beanClass);
				validate(method, beanClass);
			}
		}
	}

	/**
	 * Check what an annotation says.
	 * @param method a method that a proxy can intercept
	 * @param beanClass the class of a bean
	 * @throws InvalidLockDeclarationException if it is wrong
	 */
	protected abstract void validate(Method method, Class<?> beanClass);

	/**
	 * Return whether calls of a bean pass an advisor.
	 * @param bean the bean, as others get it
	 * @param type the type of the advisor
	 * @return {@code false} if its methods run without it
	 */
	static boolean isApplied(Object bean, Class<? extends GuardAdvisor> type) {
		Object layer = bean;
		while (layer instanceof Advised advised) {
			// What is behind a scoped proxy is another bean.
			if (!advised.getTargetSource().isStatic()
					|| Arrays.stream(advised.getAdvisors()).anyMatch(type::isInstance)) {
				return true;
			}
			layer = AopProxyUtils.getSingletonTarget(layer);
		}
		return layer instanceof SpringProxy; // opaque
	}

}
