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

package io.quorlock.aop.declaration;

import java.lang.annotation.Annotation;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

import org.springframework.aop.support.AopUtils;
import org.springframework.beans.BeansException;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

/**
 * An annotation of a method, such as
 * {@link io.quorlock.annotation.DistributedLock @DistributedLock}. It is found on the
 * method, on the methods that it overrides or implements, on its class, on the
 * super-classes and interfaces of its class; the first found wins. An annotation on a
 * class or an interface is for its public methods.
 *
 * @param annotation the annotation, which another one in the code may imply
 * @param method the annotated method
 * @param userClass the class of the bean, not of its proxy
 * @since 0.1.0
 */
public record LockDeclaration(Class<? extends Annotation> annotation, Method method, Class<?> userClass) {

	private static final String PLACEHOLDER = "Define the property, or give the placeholder a default: ${name:default}.";

	/**
	 * Return the methods of a class that have an annotation, those included that no proxy
	 * sees.
	 * @param annotation the annotation
	 * @param beanClass the class of a bean
	 * @return the methods
	 */
	public static List<Method> methods(Class<? extends Annotation> annotation, Class<?> beanClass) {
		Class<?> userClass = ClassUtils.getUserClass(beanClass);
		boolean ofInterfaces = isMadeAtRunTime(userClass);
		Set<Method> methods = new LinkedHashSet<>(
				List.of(ofInterfaces ? new Method[0] : ReflectionUtils.getUniqueDeclaredMethods(userClass)));
		for (Class<?> type : ClassUtils.getAllInterfacesForClassAsSet(userClass)) {
			Arrays.stream(type.getDeclaredMethods())
				.filter((method) -> ofInterfaces || !Modifier.isAbstract(method.getModifiers()))
				.forEach(methods::add);
		}
		return methods.stream()
			.filter((method) -> !method.isSynthetic() && find(annotation, method, userClass) != null)
			.toList();
	}

	/**
	 * Describe the method in messages.
	 * @return the class, the method and its parameter types
	 */
	public String location() {
		return this.userClass.getName() + "." + this.method.getName()
				+ Arrays.stream(this.method.getParameterTypes())
					.map(Class::getSimpleName)
					.collect(Collectors.joining(", ", "(", ")"));
	}

	/**
	 * Return the method as the bean's class has it.
	 * @param method the method, as it is called
	 * @param beanClass the class of the bean
	 * @return the most specific method
	 */
	public static Method specific(Method method, Class<?> beanClass) {
		Class<?> userClass = ClassUtils.getUserClass(beanClass);
		return isMadeAtRunTime(userClass) ? method : AopUtils.getMostSpecificMethod(method, userClass);
	}

	/**
	 * Find the annotation of a method.
	 * @param <A> the type of the annotation
	 * @param type the annotation
	 * @param method the method, as it is called
	 * @param beanClass the class of the bean
	 * @return the merged annotation, or {@code null}
	 */
	public static <A extends Annotation> @Nullable A find(Class<A> type, Method method, Class<?> beanClass) {
		Method specific = specific(method, beanClass);
		if (ReflectionUtils.isObjectMethod(specific)) {
			return null;
		}
		A annotation = AnnotatedElementUtils.findMergedAnnotation(specific, type);
		if (annotation == null && !specific.equals(method)) {
			annotation = AnnotatedElementUtils.findMergedAnnotation(method, type);
		}
		if (annotation == null && isProxyable(specific)) {
			annotation = AnnotatedElementUtils.findMergedAnnotation(ClassUtils.getUserClass(beanClass), type);
		}
		return annotation;
	}

	/**
	 * Return the annotation that stands in the code: itself, or one that implies it.
	 * @return the type of the annotation as it is written
	 */
	public Class<? extends Annotation> written() {
		for (AnnotatedElement element : List.of(specific(this.method, this.userClass), this.method, this.userClass)) {
			MergedAnnotation<?> found = MergedAnnotations.from(element, SearchStrategy.TYPE_HIERARCHY)
				.get(this.annotation);
			if (found.isPresent()) {
				return found.getRoot().getType();
			}
		}
		return this.annotation;
	}

	/**
	 * Check what is declared.
	 * @param valid whether it can work
	 * @param attribute the attribute that is wrong otherwise, or {@code null} if the
	 * method itself is
	 * @param value the attribute's value as written
	 * @param reason what is wrong, to stand after a colon
	 * @param action what to do about it, a sentence
	 * @throws InvalidLockDeclarationException if it cannot work
	 */
	public void require(boolean valid, @Nullable String attribute, @Nullable String value, String reason,
			String action) {
		if (!valid) {
			throw refused(attribute, value, reason, action, null);
		}
	}

	/**
	 * Resolve the placeholders of an attribute.
	 * @param attribute the attribute
	 * @param value its value as written
	 * @param resolver resolves placeholders
	 * @return the resolved value
	 * @throws InvalidLockDeclarationException if a placeholder cannot be resolved
	 */
	public String resolve(String attribute, String value, Function<String, @Nullable String> resolver) {
		String resolved;
		try {
			resolved = resolver.apply(value);
		}
		catch (IllegalArgumentException | BeansException ex) {
			throw refused(attribute, value, String.valueOf(ex.getMessage()), PLACEHOLDER, ex);
		}
		// Without a strict configurer, Spring leaves in place what it cannot resolve.
		if (resolved == null || resolved.contains("${")) {
			throw refused(attribute, value, "it has a placeholder that cannot be resolved", PLACEHOLDER, null);
		}
		return resolved;
	}

	/**
	 * Make the exception for what cannot work.
	 * @param attribute the attribute that is wrong, or {@code null} if the method itself
	 * is
	 * @param value the attribute's value as written
	 * @param reason what is wrong, to stand after a colon
	 * @param action what to do about it, a sentence
	 * @param cause why, or {@code null}
	 * @return the exception, which names the annotation as it is written
	 */
	public InvalidLockDeclarationException refused(@Nullable String attribute, @Nullable String value, String reason,
			String action, @Nullable Throwable cause) {
		return new InvalidLockDeclarationException(written(), location(), attribute, value, reason, action, cause);
	}

	/**
	 * Return whether a class is that of a JDK proxy or of a lambda. It has another name
	 * in every JVM, and its methods have no names of parameters: those of its interfaces
	 * are to be used.
	 * @param userClass the class of the bean
	 * @return whether it is made at run time
	 */
	public static boolean isMadeAtRunTime(Class<?> userClass) {
		return Proxy.isProxyClass(userClass) || ClassUtils.isLambdaClass(userClass);
	}

	private static boolean isProxyable(Method method) {
		int modifiers = method.getModifiers();
		return Modifier.isPublic(modifiers) && !Modifier.isStatic(modifiers);
	}

}
