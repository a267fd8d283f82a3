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

import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import org.springframework.aop.framework.autoproxy.AutoProxyUtils;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.annotation.AnnotationUtils;

import io.quorlock.annotation.DistributedLock;
import io.quorlock.aop.declaration.LockDeclarations;
import io.quorlock.aop.declaration.PermitsCheck;

/**
 * Checks every {@link DistributedLock @DistributedLock} of every bean at startup, lazy
 * beans and methods that no proxy intercepts included. A lazy bean whose definition does
 * not reveal its class is checked when it is first called.
 *
 * @since 0.1.0
 */
public class LockDeclarationValidator implements SmartInitializingSingleton {

	private static final Log logger = LogFactory.getLog(LockDeclarationValidator.class);

	private final LockedMethodSource source;

	private final ConfigurableListableBeanFactory beanFactory;

	/**
	 * Create the validator.
	 * @param source finds and checks the annotation
	 * @param beanFactory knows the beans
	 */
	public LockDeclarationValidator(LockedMethodSource source, ConfigurableListableBeanFactory beanFactory) {
		this.source = source;
		this.beanFactory = beanFactory;
	}

	@Override
	public void afterSingletonsInstantiated() {
		PermitsCheck permitsCheck = new PermitsCheck();
		beanClasses(this.beanFactory)
			.forEach((beanClass) -> introspect(beanClass, () -> this.source.validate(beanClass, permitsCheck)));
	}

	/**
	 * Return the annotated methods of all beans, for an application with locks disabled.
	 * @param beanFactory knows the beans
	 * @return the methods, each with its class and parameter types
	 */
	public static List<String> findLockedMethods(ConfigurableListableBeanFactory beanFactory) {
		Set<String> locations = new LinkedHashSet<>();
		for (Class<?> beanClass : beanClasses(beanFactory)) {
			if (AnnotationUtils.isCandidateClass(beanClass, DistributedLock.class)) {
				introspect(beanClass, () -> LockDeclarations.lockedMethods(beanClass)
					.forEach((method) -> locations.add(LockDeclarations.describe(method, method.getDeclaringClass()))));
			}
		}
		return List.copyOf(locations);
	}

	/** A bean that is never created may name classes that are not there. */
	private static void introspect(Class<?> beanClass, Runnable inspection) {
		try {
			inspection.run();
		}
		catch (IllegalStateException ex) {
			if (!(ex.getCause() instanceof LinkageError)) {
				throw ex;
			}
			logger.debug("The methods of " + beanClass + " are not known, so its locks are not checked at start", ex);
		}
	}

	private static Set<Class<?>> beanClasses(ConfigurableListableBeanFactory beanFactory) {
		Set<Class<?>> classes = new LinkedHashSet<>();
		// No eager initialization: a lazy factory bean stays lazy.
		Arrays.stream(beanFactory.getBeanNamesForType(Object.class, true, false)).forEach((name) -> {
			try {
				Class<?> beanClass = AutoProxyUtils.determineTargetClass(beanFactory, name);
				if (beanClass != null) {
					classes.add(beanClass);
				}
			}
			catch (RuntimeException | LinkageError ex) {
				logger.debug("The class of bean '" + name + "' is not known, so its locks are not checked at start",
						ex);
			}
		});
		return classes;
	}

}
