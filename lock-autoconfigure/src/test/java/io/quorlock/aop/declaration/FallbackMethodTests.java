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

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import io.quorlock.LockException;
import io.quorlock.annotation.DistributedLock;
import io.quorlock.annotation.DistributedLock.OnContention;
import io.quorlock.aop.AopConfiguration;
import io.quorlock.aop.FakeLockTemplate;

import static io.quorlock.aop.DeclarationAssert.assertThatRefused;
import static io.quorlock.aop.DeclarationAssert.assertThatStartFails;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link FallbackMethod}.
 */
class FallbackMethodTests {

	private final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
		.withUserConfiguration(AopConfiguration.class);

	@ParameterizedTest
	@CsvSource(delimiter = '|',
			textBlock = """
					skipping        | SKIP                | Remove fallback, so that the method is skipped
					without         | no such method      | Refused, not static, which returns void. It may take a LockException last
					parameters(int) | does not take the same parameters, which are [int] and, optionally, a LockException last | Declare the method of(int) in io.quorlock
					order(int)      | does not take the same parameters, which are [int] and, optionally, a LockException last | Declare the method afterException(int) in io.quorlock
					exception(int)  | does not take the same parameters, which are [int] and, optionally, a LockException last | Declare the method withException(int) in io.quorlock
					result          | does not return java.lang.String | Refused, not static, which returns java.lang.String
					constant        | is static           | not static, which returns void
					itself          | Refused has no such method | Declare the method itself() in
					twice           | several methods fit | Give one of the methods another name
					""")
	void refusesFallback(String method, String reason, String remedy) {
		assertThatRefused(Refused.class, method, "fallback", reason, remedy);
	}

	@Test
	void refusesTheMethodItselfAlsoInABeanOfNoClassOfItsOwn() {
		this.contextRunner.withBean("task", Task.class, () -> () -> {
		})
			.run((context) -> assertThat(context).getFailure()
				.isInstanceOf(InvalidLockDeclarationException.class)
				.hasMessageContaining("has no such method"));
	}

	@Test
	void fallbackMayReturnASubtype() {
		this.contextRunner.withBean(FallbackSubtype.class).run((context) -> {
			context.getBean(FakeLockTemplate.class).holdElsewhere("subtype");
			assertThat(context.getBean(FallbackSubtype.class).locked()).isEqualTo("busy");
		});
	}

	@Test
	void typesOfAGenericSuperclassAreThoseOfTheBean() {
		this.contextRunner.withBean(GenericFallback.class).run((context) -> {
			context.getBean(FakeLockTemplate.class).holdElsewhere("generic");
			assertThat(context.getBean(GenericFallback.class).locked("x")).isEqualTo("other x");
		});
		this.contextRunner.withBean(GenericPairOfTexts.class).run((context) -> {
			context.getBean(FakeLockTemplate.class).holdElsewhere("generic");
			assertThat(context.getBean(GenericPairOfTexts.class).locked("x")).isEqualTo("other x");
		});
		assertThatStartFails(GenericResult.class, "locked", "fallback", "does not return java.lang.String",
				"GenericResult, not static, which returns java.lang.String");
	}

	interface Task {

		@DistributedLock(fallback = "locked")
		void locked();

	}

	abstract static class Generic<T> {

		@DistributedLock(name = "generic", waitTime = "0s", fallback = "other")
		public T locked(T value) {
			return value;
		}

	}

	abstract static class GenericWithFallback extends Generic<String> {

		String other(String value) {
			return "other " + value;
		}

	}

	static class GenericFallback extends GenericWithFallback {

	}

	abstract static class GenericPair<T> extends Generic<T> {

		@SuppressWarnings("unchecked")
		T other(T value) {
			return (T) ("other " + value);
		}

	}

	static class GenericPairOfTexts extends GenericPair<String> {

	}

	static class GenericResult extends Generic<String> {

		Object other(String value) {
			return value;
		}

	}

	static class FallbackSubtype {

		@DistributedLock(name = "subtype", waitTime = "0s", fallback = "other")
		public Object locked() {
			return "done";
		}

		String other() {
			return "busy";
		}

	}

	static class Refused {

		@DistributedLock(onContention = OnContention.SKIP, fallback = "toVoid")
		public void skipping() {
		}

		@DistributedLock(fallback = "missing")
		public void without() {
		}

		@DistributedLock(fallback = "of")
		public void parameters(int value) {
		}

		void of(long value) {
		}

		@DistributedLock(fallback = "afterException")
		public void order(int value) {
		}

		void afterException(LockException ex, int value) {
		}

		@DistributedLock(fallback = "withException")
		public void exception(int value) {
		}

		void withException(int value, RuntimeException ex) {
		}

		@DistributedLock(fallback = "object")
		public String result() {
			return "";
		}

		Object object() {
			return "";
		}

		@DistributedLock(fallback = "toStatic")
		public void constant() {
		}

		static void toStatic() {
		}

		@DistributedLock(fallback = "itself")
		public void itself() {
		}

		@DistributedLock(fallback = "toVoid")
		public void twice() {
		}

		void toVoid() {
		}

		void toVoid(LockException ex) {
		}

	}

}
