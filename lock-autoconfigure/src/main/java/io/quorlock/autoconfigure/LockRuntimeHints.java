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

package io.quorlock.autoconfigure;

import java.lang.reflect.Method;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

import org.springframework.aot.hint.ExecutableMode;
import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.aot.hint.TypeReference;
import org.springframework.beans.factory.aot.BeanRegistrationAotContribution;
import org.springframework.beans.factory.aot.BeanRegistrationAotProcessor;
import org.springframework.beans.factory.support.RegisteredBean;
import org.springframework.util.ReflectionUtils;

import io.quorlock.annotation.DistributedLock;
import io.quorlock.annotation.ScheduledLock;
import io.quorlock.aop.declaration.LockDeclaration;
import io.quorlock.leader.LeaderOnly;

/**
 * Hints for a native image: the annotation's attributes, what {@code #root} offers to
 * expressions, the {@code fallback} methods of beans, since they are found by name, and
 * the servers in quorlock-embedded.
 */
class LockRuntimeHints implements RuntimeHintsRegistrar, BeanRegistrationAotProcessor {

	private static final String EXPRESSION_ROOT = "io.quorlock.aop.declaration.LockKeyParser$LockKeyExpression$Root";

	private static final String EMBEDDED_REDIS = "io.quorlock.embedded.EmbeddedRedis";

	private static final String ZOOKEEPER_TLS_SOCKET = "org.apache.zookeeper.ClientCnxnSocketNetty";

	private static final String ZOOKEEPER_SOCKET = "org.apache.zookeeper.ClientCnxnSocketNIO";

	@Override
	public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
		// Attributes with aliases, and those of meta-annotations, are merged by a proxy.
		for (Class<?> annotation : List.of(DistributedLock.class, ScheduledLock.class, LeaderOnly.class)) {
			hints.reflection().registerType(annotation, MemberCategory.INVOKE_DECLARED_METHODS);
			hints.proxies().registerJdkProxy(annotation);
		}
		hints.reflection().registerType(TypeReference.of(EXPRESSION_ROOT), MemberCategory.INVOKE_PUBLIC_METHODS);
		hints.resources().registerPattern("io/quorlock/redis/*.lua");
		hints.resources().registerPattern("io/quorlock/actuate/lock-console.html");
		hints.reflection()
			.registerTypeIfPresent(classLoader, ZOOKEEPER_SOCKET, MemberCategory.INVOKE_DECLARED_CONSTRUCTORS)
			.registerTypeIfPresent(classLoader, ZOOKEEPER_TLS_SOCKET, MemberCategory.INVOKE_DECLARED_CONSTRUCTORS);
		hints.reflection()
			.registerTypeIfPresent(classLoader, EMBEDDED_REDIS,
					(type) -> hints.resources().registerPattern("redis-server-*"));
	}

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
