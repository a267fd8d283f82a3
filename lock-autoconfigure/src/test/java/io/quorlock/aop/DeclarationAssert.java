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
import java.time.Duration;
import java.util.Arrays;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;
import org.springframework.mock.env.MockEnvironment;
import org.springframework.util.ReflectionUtils;

import io.quorlock.annotation.DistributedLock;
import io.quorlock.aop.declaration.InvalidLockDeclarationException;
import io.quorlock.aop.declaration.LeaseBounds;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Asserts that an invalid declaration is refused, and how.
 */
public final class DeclarationAssert {

	private static final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
		.withUserConfiguration(AopConfiguration.class)
		.withPropertyValues("wait=soon");

	private DeclarationAssert() {
	}

	public static void assertThatStartFails(Class<?> beanClass, String method, @Nullable String attribute,
			String reason, String remedy) {
		contextRunner.withBean(beanClass).run((context) -> {
			assertThat(context).hasFailed();
			Throwable failure = context.getStartupFailure();
			while (failure != null && !(failure instanceof InvalidLockDeclarationException)) {
				failure = failure.getCause();
			}
			assertThat(failure).isInstanceOfSatisfying(InvalidLockDeclarationException.class,
					(invalid) -> check(invalid, beanClass, method, attribute, reason, remedy));
		});
	}

	/**
	 * Asserts that one of the methods of a type is refused.
	 */
	public static void assertThatRefused(Class<?> type, String method, @Nullable String attribute, String reason,
			String remedy) {
		DefaultListableBeanFactory beanFactory = new DefaultListableBeanFactory();
		beanFactory
			.addEmbeddedValueResolver(new MockEnvironment().withProperty("wait", "soon")::resolveRequiredPlaceholders);
		DistributedLockAdvisor advisor = new DistributedLockAdvisor(beanFactory,
				new LeaseBounds(Duration.ofMillis(50), Duration.ofSeconds(60)), FakeLockTemplate::new, 0);
		assertThatExceptionOfType(InvalidLockDeclarationException.class)
			.isThrownBy(() -> named(type, method).forEach((each) -> advisor.validate(each, type)))
			.satisfies((invalid) -> check(invalid, type, method, attribute, reason, remedy));
	}

	private static void check(InvalidLockDeclarationException invalid, Class<?> type, String method,
			@Nullable String attribute, String reason, String remedy) {
		assertThat(invalid.getLocation()).startsWith(type.getName() + "." + method).matches("[^(]*\\(.*\\)");
		assertThat(invalid.getAnnotation()).as("the annotation in the code").isEqualTo(written(type, method));
		assertThat(invalid.getAttribute()).isEqualTo(attribute);
		assertThat(invalid.getValue()).isEqualTo((attribute != null) ? asWritten(type, method, attribute) : null);
		assertThat(invalid.getReason()).contains(reason);
		assertThat(invalid.getAction()).as("the remedy").contains(remedy).endsWith(".");
		assertThat(invalid).hasMessage("Invalid @" + invalid.getAnnotation() + " on " + invalid.getLocation()
				+ ((attribute != null) ? ", " + attribute + " = \"" + invalid.getValue() + "\"" : "") + ": "
				+ invalid.getReason());
	}

	private static Stream<Method> named(Class<?> type, String method) {
		return Arrays.stream(ReflectionUtils.getUniqueDeclaredMethods(type))
			.filter((candidate) -> candidate.getName().equals(method.replaceFirst("\\(.*", "")));
	}

	private static String written(Class<?> beanClass, String method) {
		return Stream.concat(named(beanClass, method), Stream.of(beanClass))
			.map((element) -> MergedAnnotations.from(element, SearchStrategy.TYPE_HIERARCHY).get(DistributedLock.class))
			.filter(MergedAnnotation::isPresent)
			.map((annotation) -> annotation.getRoot().getType().getSimpleName())
			.findFirst()
			.orElse("DistributedLock");
	}

	private static String asWritten(Class<?> beanClass, String method, String attribute) {
		return named(beanClass, method).flatMap((candidate) -> MergedAnnotations.from(candidate).stream())
			.flatMap((annotation) -> annotation.getValue(attribute).stream())
			.map(String::valueOf)
			.findFirst()
			.orElseThrow();
	}

}
