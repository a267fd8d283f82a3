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

package io.quorlock.autoconfigure.aop;

import java.lang.reflect.Method;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

import org.springframework.aot.hint.ExecutableMode;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.beans.factory.aot.BeanRegistrationAotContribution;
import org.springframework.beans.factory.aot.BeanRegistrationAotProcessor;
import org.springframework.beans.factory.support.RegisteredBean;
import org.springframework.util.ReflectionUtils;

import io.quorlock.annotation.DistributedLock;
import io.quorlock.aop.declaration.LockDeclaration;

/**
 * Registers the {@code fallback} methods of beans for a native image, since they are
 * found by name.
 *
 * @since 0.1.0
 */
public class LockedBeanAotProcessor implements BeanRegistrationAotProcessor {

	@Override
	public @Nullable BeanRegistrationAotContribution processAheadOfTime(RegisteredBean registeredBean) {
		Class<?> beanClass = registeredBean.getBeanClass();
		Set<String> fallbacks = fallbacks(beanClass);
		if (fallbacks.isEmpty()) {
			return null;
		}
		return (generationContext, code) -> registerHints(generationContext.getRuntimeHints(), beanClass, fallbacks);
	}

	private static Set<String> fallbacks(Class<?> beanClass) {
		return LockDeclaration.methods(DistributedLock.class, beanClass)
			.stream()
			.map((method) -> LockDeclaration.find(DistributedLock.class, method, beanClass))
			.filter(Objects::nonNull)
			.map(DistributedLock::fallback)
			.filter((fallback) -> !fallback.isEmpty())
			.collect(Collectors.toSet());
	}

	private static void registerHints(RuntimeHints hints, Class<?> beanClass, Set<String> fallbacks) {
		for (Method method : ReflectionUtils.getUniqueDeclaredMethods(beanClass)) {
			if (fallbacks.contains(method.getName())) {
				hints.reflection().registerMethod(method, ExecutableMode.INVOKE);
			}
		}
	}

}
