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
import java.util.Arrays;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.aop.framework.autoproxy.AbstractAdvisorAutoProxyCreator;
import org.springframework.aop.framework.autoproxy.InfrastructureAdvisorAutoProxyCreator;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.AbstractBeanDefinition;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.util.ClassUtils;

import io.quorlock.aop.declaration.InvalidLockDeclarationException;
import io.quorlock.aop.declaration.LockDeclaration;

/**
 * Refuses beans whose annotated methods run as if they were not annotated, since what
 * others get is not a proxy.
 */
final class ProxiedBeanCheck {

	private static final Log logger = LogFactory.getLog(ProxiedBeanCheck.class);

	/** There if a test replaces beans, such as by {@code @MockitoBean}. */
	private static final String TEST_OVERRIDES = "org.springframework.test.context.bean.override.internalBeanOverrideRegistry";

	private final ConfigurableListableBeanFactory beans;

	private final boolean advised;

	private final Collection<GuardedBeanPostProcessor> postProcessors;

	/**
	 * Create the check.
	 * @param beans the beans
	 * @param advised whether their own context has advisors
	 */
	ProxiedBeanCheck(ConfigurableListableBeanFactory beans, boolean advised) {
		this.beans = beans;
		this.advised = advised;
		this.postProcessors = beans.getBeansOfType(GuardedBeanPostProcessor.class, true, false).values();
	}

	/**
	 * Check one bean.
	 * @param advisor has to be applied to the annotated methods of the bean
	 * @param name the name of the bean
	 * @param beanClass the class of the bean
	 * @throws InvalidLockDeclarationException if it is not
	 */
	void check(GuardAdvisor advisor, String name, Class<?> beanClass) {
		Object bean = this.beans.getSingleton(name);
		if (bean instanceof FactoryBean<?> factory) {
			check(advisor, name, factory.getClass(), factory);
			bean = advisor.of(beanClass).isEmpty() ? null : product(name);
		}
		check(advisor, name, beanClass, bean);
	}

	private @Nullable Object product(String name) {
		boolean lazy = this.beans.containsBeanDefinition(name) && this.beans.getMergedBeanDefinition(name).isLazyInit();
		return (this.beans.isSingleton(name) && !lazy) ? this.beans.getBean(name) : null;
	}

	/**
	 * Check a bean, or what a factory made.
	 * @param advisor has to be applied to the annotated methods of the bean
	 * @param name the name of the bean
	 * @param beanClass its class, as far as it is known
	 * @param bean the bean, or {@code null} if it does not exist yet
	 * @throws InvalidLockDeclarationException if it is not
	 */
	void check(GuardAdvisor advisor, String name, Class<?> beanClass, @Nullable Object bean) {
		Class<?> type = (bean != null) ? AopProxyUtils.ultimateTargetClass(bean) : beanClass;
		if (advisor.of(type).isEmpty() && beanClass.isInstance(bean)) {
			// The target of a repository does not implement its interface.
			type = beanClass;
		}
		List<Method> methods = advisor.of(type);
		if (methods.isEmpty()) {
			return;
		}
		boolean processed = true;
		if (this.beans.containsBeanDefinition(name)
				&& this.beans.getMergedBeanDefinition(name) instanceof AbstractBeanDefinition definition) {
			for (Method method : methods) {
				checkCalls(advisor, method, type, definition);
			}
			processed = !definition.isSynthetic();
		}
		if (isApplied(advisor, name, bean, processed)) {
			checkInterfaces(advisor, name, type, bean);
			return;
		}
		Method method = methods.get(0);
		LockDeclaration declaration = new LockDeclaration(advisor.annotation(), method, type);
		if (this.beans.containsBean(TEST_OVERRIDES)) {
			logger.warn(
					"Bean '%s' is not a proxy, so @%s has no effect on %s: a test has replaced the bean. Wrap or spy on the original if the lock matters to the test"
						.formatted(name, declaration.written().getSimpleName(), declaration.location()));
			return;
		}
		throw this.advised ? advisor
			.refused(method, type, ("bean '%s' is not a proxy, so the annotation has no effect: "
					+ "the bean is a post-processor or an aspect, or was created before there were proxies, since one "
					+ "of them needs it, or was registered as an instance (registerSingleton)")
				.formatted(name),
					"Move the method to a bean of its own, inject it as ObjectProvider where a post-processor needs "
							+ "it, make @Bean methods of post-processors static, and register beans by a supplier "
							+ "(registerBean) and not as instances; or")
				: advisor.refused(method, type,
						"bean '%s' is in an application context without advisors, so the annotation has no effect"
							.formatted(name),
						"Import Quorlock's auto-configurations in that context, too (LockAutoConfiguration, "
								+ "LeaderElectionAutoConfiguration), or move the bean to the context that has them, or");
	}

	/** The definition of the bean may tell the container to call it. */
	private static void checkCalls(GuardAdvisor advisor, Method method, Class<?> beanClass,
			AbstractBeanDefinition definition) {
		if (method.getParameterCount() == 0 && AnnotatedElementUtils.hasAnnotation(method, advisor.annotation())
				&& calledMethods(beanClass, definition).contains(method.getName())) {
			throw advisor.refused(method, beanClass,
					"Spring calls the init or destroy method of a bean on the bean itself, not through the proxy that "
							+ "would intercept it",
					"Remove the annotation, or set destroyMethod = \"\" in @Bean if only your code calls the method, or");
		}
	}

	private static Set<String> calledMethods(Class<?> beanClass, AbstractBeanDefinition definition) {
		Set<String> names = new HashSet<>();
		String[] initMethods = definition.getInitMethodNames();
		names.addAll((initMethods != null) ? List.of(initMethods) : List.of());
		String[] destroyMethods = definition.isSingleton() ? definition.getDestroyMethodNames() : new String[0];
		if (destroyMethods != null) {
			names.addAll(List.of(destroyMethods));
		}
		boolean closeable = AutoCloseable.class.isAssignableFrom(beanClass);
		if ((names.contains(AbstractBeanDefinition.INFER_METHOD) || (destroyMethods == null && closeable))
				&& !DisposableBean.class.isAssignableFrom(beanClass)) {
			names.add((closeable || ClassUtils.hasMethod(beanClass, "close")) ? "close" : "shutdown");
		}
		return names;
	}

	private boolean isApplied(GuardAdvisor advisor, String name, @Nullable Object bean, boolean processed) {
		if (this.postProcessors.stream().anyMatch((postProcessor) -> postProcessor.isGuarded(name))) {
			return true;
		}
		return (bean != null) ? GuardAdvisor.isApplied(bean, advisor.getClass())
				: processed && (this.advised || takesAdvisorsOfItsParent());
	}

	/** A proxy of interfaces has no other methods than theirs. */
	private static void checkInterfaces(GuardAdvisor advisor, String name, Class<?> type, @Nullable Object bean) {
		if (bean == null || !Proxy.isProxyClass(bean.getClass())) {
			return;
		}
		Set<Method> intercepted = Arrays.stream(bean.getClass().getInterfaces())
			.flatMap((each) -> Arrays.stream(each.getMethods()))
			.map((method) -> LockDeclaration.specific(method, type))
			.collect(Collectors.toSet());
		for (Method method : advisor.of(type)) {
			if (AnnotatedElementUtils.hasAnnotation(method, advisor.annotation()) && !intercepted.contains(method)) {
				throw advisor.refused(method, type,
						"bean '%s' is a proxy of interfaces, none of which declares the method: calls inside the bean run without it"
							.formatted(name),
						"Declare the method in an interface of the bean, set spring.aop.proxy-target-class=true, or");
			}
		}
	}

	private boolean takesAdvisorsOfItsParent() {
		return this.beans.getBeansOfType(AbstractAdvisorAutoProxyCreator.class, true, false)
			.values()
			.stream()
			.anyMatch((creator) -> !(creator instanceof InfrastructureAdvisorAutoProxyCreator));
	}

}
