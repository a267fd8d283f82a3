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

import java.io.Serial;
import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.List;
import java.util.Set;

import org.aopalliance.intercept.MethodInterceptor;
import org.jspecify.annotations.Nullable;

import org.springframework.aop.ClassFilter;
import org.springframework.aop.SpringProxy;
import org.springframework.aop.config.AopConfigUtils;
import org.springframework.aop.framework.Advised;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.aop.framework.ProxyConfig;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.aop.framework.ProxyProcessorSupport;
import org.springframework.aop.support.StaticMethodMatcherPointcutAdvisor;
import org.springframework.beans.factory.Aware;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.InitializingBean;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.ProxyType;
import org.springframework.context.annotation.Proxyable;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.annotation.AnnotationUtils;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

import io.quorlock.aop.declaration.InvalidLockDeclarationException;
import io.quorlock.aop.declaration.LockDeclaration;

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

	private static final List<String> CALLED_BY_CONTAINER = List.of("jakarta.annotation.PostConstruct",
			"jakarta.annotation.PreDestroy", "jakarta.annotation.Resource", "jakarta.inject.Inject",
			Autowired.class.getName(), Value.class.getName());

	private static final Set<Class<?>> CALLBACKS = Set.of(InitializingBean.class, DisposableBean.class);

	private final BeanFactory beanFactory;

	private final Class<? extends Annotation> annotation;

	private final String instead;

	/**
	 * Create the advisor.
	 * @param beanFactory the source of the proxy creator
	 * @param annotation the annotation
	 * @param instead what to do in place of the annotation, for messages
	 * @param order the order among other advisors
	 */
	protected GuardAdvisor(BeanFactory beanFactory, Class<? extends Annotation> annotation, String instead, int order) {
		this.beanFactory = beanFactory;
		this.annotation = annotation;
		this.instead = instead;
		setClassFilter(this);
		setAdvice(this);
		setOrder(order);
	}

	Class<? extends Annotation> annotation() {
		return this.annotation;
	}

	/**
	 * Return whether a class can have annotated methods at all. Neither placeholders nor
	 * other beans are needed for that: they do not exist when it is asked ahead of time.
	 * @throws InvalidLockDeclarationException if it has one, but cannot have a proxy
	 */
	@Override
	public boolean matches(Class<?> beanClass) {
		if (!AnnotationUtils.isCandidateClass(beanClass, this.annotation)) {
			return false;
		}
		if (isFinalWithoutInterface(beanClass)) {
			of(beanClass).stream().findFirst().ifPresent((method) -> checkProxyable(method, beanClass));
		}
		return true;
	}

	@Override
	public boolean matches(Method method, Class<?> beanClass) {
		return LockDeclaration.find(this.annotation, method, beanClass) != null;
	}

	/**
	 * Return the annotated methods of a class, those included that no proxy sees.
	 * @param beanClass the class of a bean
	 * @return the methods
	 */
	List<Method> of(Class<?> beanClass) {
		return AnnotationUtils.isCandidateClass(beanClass, this.annotation)
				? LockDeclaration.methods(this.annotation, beanClass) : List.of();
	}

	/**
	 * Check all that a class declares.
	 * @param beanClass the class of a bean
	 * @throws InvalidLockDeclarationException if something is wrong
	 */
	public void validate(Class<?> beanClass) {
		if (matches(beanClass)) {
			for (Method method : of(beanClass)) {
				checkProxyable(method, beanClass);
				validate(method, beanClass);
			}
		}
	}

	/** A method that no proxy intercepts would run without any sign of it. */
	private void checkProxyable(Method method, Class<?> beanClass) {
		Class<?> userClass = ClassUtils.getUserClass(beanClass);
		int modifiers = method.getModifiers();
		boolean annotated = AnnotatedElementUtils.hasAnnotation(method, this.annotation);
		require(!annotated || !AnnotatedElementUtils.isAnnotated(method, Bean.class), method, userClass,
				"a @Bean method runs once, to create the bean, and guards none of the calls of the bean's methods",
				"Put the annotation on methods of the class that it returns, or");
		require(!Modifier.isPrivate(modifiers), method, userClass,
				"the method is private, so a proxy cannot intercept it",
				"Make the method public and call it from another bean, or");
		require(!Modifier.isStatic(modifiers), method, userClass,
				"the method is static, so a proxy cannot intercept it",
				"Make it a public method of the bean that is not static, or");
		String called = annotated ? calledByContainer(method, userClass) : null;
		require(called == null, method, userClass,
				"Spring calls " + called + " on the bean itself, not through the proxy that would intercept it",
				"Remove the annotation and");
		require(!Modifier.isFinal(modifiers) || !isProxiedByClass(userClass), method, userClass,
				"the method is final, so a proxy cannot intercept it", "Remove final (in Kotlin: add open), or");
		require(!isHidden(method, userClass), method, userClass,
				"the method is package-private and %s is in another package, so a proxy of it cannot intercept the method"
					.formatted(userClass.getSimpleName()),
				"Make the method public or protected, or");
		require(!isBehindAnUnknownBridge(method, userClass), method, userClass,
				"it overrides generic methods of several types, and Spring does not find it behind the bridge methods of the compiler: "
						+ "a call through such a type would run without the annotation",
				"Leave one implementation of the method, without that of the super-class, or give it another name, or");
		require(!isFinalWithoutInterface(userClass), method, userClass,
				"the class is final, so it cannot have a proxy that intercepts its methods",
				"Remove final (in Kotlin: use the plugin kotlin-spring), let the class implement an interface that "
						+ "declares the method, with spring.aop.proxy-target-class=false, or");
	}

	private void require(boolean valid, Method method, Class<?> userClass, String reason, String action) {
		if (!valid) {
			throw refused(method, userClass, reason, action);
		}
	}

	private boolean isBehindAnUnknownBridge(Method method, Class<?> userClass) {
		return Arrays.stream(ReflectionUtils.getAllDeclaredMethods(userClass))
			.filter((bridge) -> bridge.isBridge() && bridge.getName().equals(method.getName())
					&& bridge.getParameterCount() == method.getParameterCount())
			.anyMatch((bridge) -> LockDeclaration.specific(bridge, userClass).isBridge()
					&& LockDeclaration.find(this.annotation, bridge, userClass) == null);
	}

	/** Return whether it would need a proxy that extends it. */
	private boolean isFinalWithoutInterface(Class<?> beanClass) {
		return Modifier.isFinal(beanClass.getModifiers()) && isProxiedByClass(beanClass);
	}

	private boolean isProxiedByClass(Class<?> beanClass) {
		if (LockDeclaration.isMadeAtRunTime(beanClass)) {
			return false;
		}
		if (!new InterfaceCheck(beanClass).hasInterface(beanClass)) {
			return true;
		}
		Proxyable proxyable = AnnotatedElementUtils.getMergedAnnotation(beanClass, Proxyable.class);
		if (proxyable == null || (proxyable.value() == ProxyType.DEFAULT && proxyable.interfaces().length == 0)) {
			return isProxyTargetClass();
		}
		return proxyable.value() == ProxyType.TARGET_CLASS;
	}

	private boolean isProxyTargetClass() {
		return this.beanFactory.containsBean(AopConfigUtils.AUTO_PROXY_CREATOR_BEAN_NAME)
				&& this.beanFactory.getBean(AopConfigUtils.AUTO_PROXY_CREATOR_BEAN_NAME) instanceof ProxyConfig config
				&& config.isProxyTargetClass();
	}

	/** A class does not override what it does not see. */
	private static boolean isHidden(Method method, Class<?> userClass) {
		int visible = Modifier.PUBLIC | Modifier.PROTECTED;
		return (method.getModifiers() & visible) == 0
				&& !method.getDeclaringClass().getPackageName().equals(userClass.getPackageName());
	}

	private static @Nullable String calledByContainer(Method method, Class<?> userClass) {
		for (String annotation : CALLED_BY_CONTAINER) {
			if (AnnotatedElementUtils.isAnnotated(method, annotation)) {
				return "a @" + ClassUtils.getShortName(annotation) + " method";
			}
		}
		return ClassUtils.getAllInterfacesForClassAsSet(userClass)
			.stream()
			.filter((type) -> CALLBACKS.contains(type) || Aware.class.isAssignableFrom(type))
			.filter((type) -> ClassUtils.hasMethod(type, method))
			.map((type) -> "the method of " + type.getSimpleName())
			.findFirst()
			.orElse(null);
	}

	/**
	 * Make the exception for a method that no proxy intercepts.
	 * @param method the annotated method
	 * @param beanClass the class of the bean
	 * @param reason why no proxy intercepts it
	 * @param action what to do about it, to be followed by what can be done without a
	 * proxy
	 * @return the exception
	 */
	protected InvalidLockDeclarationException refused(Method method, Class<?> beanClass, String reason, String action) {
		return new LockDeclaration(this.annotation, method, ClassUtils.getUserClass(beanClass)).refused(null, null,
				reason, action + " " + this.instead + ".", null);
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

	/**
	 * Looks at interfaces as Spring's proxy creators do: a callback such as
	 * {@link AutoCloseable} is not one to proxy.
	 */
	private static final class InterfaceCheck extends ProxyProcessorSupport {

		@Serial
		private static final long serialVersionUID = 1L;

		InterfaceCheck(Class<?> beanClass) {
			setProxyClassLoader(beanClass.getClassLoader());
		}

		boolean hasInterface(Class<?> beanClass) {
			ProxyFactory factory = new ProxyFactory();
			evaluateProxyInterfaces(beanClass, factory);
			return !factory.isProxyTargetClass();
		}

	}

}
