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
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import io.quorlock.LockException;
import io.quorlock.annotation.DistributedLock;
import io.quorlock.annotation.DistributedLock.OnContention;
import io.quorlock.aop.AopConfiguration;
import io.quorlock.aop.FakeLockTemplate;

import static io.quorlock.aop.declaration.DeclarationAssert.assertThatStartFails;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link FallbackMethodFinder}.
 */
class FallbackMethodFinderTests {

	private final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
		.withUserConfiguration(AopConfiguration.class);

	@Test
	void refusesSkipTogetherWithFallback() {
		assertThatStartFails(SkipAndFallback.class, "locked", "fallback", "SKIP",
				"Remove fallback, so that the method is skipped");
	}

	@Test
	void refusesFallbackThatDoesNotExist() {
		assertThatStartFails(NoFallback.class, "locked", "fallback", "no such method",
				"NoFallback, not static, which returns void. It may take a LockException last");
	}

	@ParameterizedTest
	@ValueSource(classes = { FallbackParameters.class, FallbackOrder.class, FallbackException.class })
	void refusesFallbackWithOtherParameters(Class<?> beanClass) {
		assertThatStartFails(beanClass, "locked(int)", "fallback",
				"does not take the same parameters, which are [int] and, optionally, a LockException last",
				"Declare the method other(int) in " + beanClass.getName());
	}

	@Test
	void refusesFallbackWithOtherResult() {
		assertThatStartFails(FallbackResult.class, "locked", "fallback", "does not return java.lang.String",
				"FallbackResult, not static, which returns java.lang.String");
	}

	@Test
	void fallbackMayReturnASubtype() {
		this.contextRunner.withBean(FallbackSubtype.class).run((context) -> {
			context.getBean(FakeLockTemplate.class).holdElsewhere("subtype");
			assertThat(context.getBean(FallbackSubtype.class).locked()).isEqualTo("busy");
		});
	}

	@Test
	void refusesStaticFallback() {
		assertThatStartFails(FallbackStatic.class, "locked", "fallback", "is static", "not static, which returns void");
	}

	@Test
	void refusesTheMethodItself() {
		assertThatStartFails(FallbackItself.class, "locked", "fallback", "FallbackItself has no such method",
				"Declare the method locked() in");
		this.contextRunner.withBean("task", Task.class, () -> () -> {
		})
			.run((context) -> assertThat(context).getFailure()
				.isInstanceOf(InvalidLockDeclarationException.class)
				.hasMessageContaining("has no such method"));
	}

	@Test
	void typesOfAGenericSuperclassAreThoseOfTheBean() {
		this.contextRunner.withBean(GenericFallback.class).run((context) -> {
			context.getBean(FakeLockTemplate.class).holdElsewhere("generic");
			assertThat(context.getBean(GenericFallback.class).locked("x")).isEqualTo("other x");
		});
		assertThatStartFails(GenericResult.class, "locked", "fallback", "does not return java.lang.String",
				"GenericResult, not static, which returns java.lang.String");
	}

	@Test
	void refusesTwoFallbacksThatFit() {
		assertThatStartFails(FallbackTwice.class, "locked", "fallback", "several methods fit",
				"Give one of the methods another name");
	}

	static class FallbackItself {

		@DistributedLock(fallback = "locked")
		public void locked() {
		}

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

	static class GenericResult extends Generic<String> {

		Object other(String value) {
			return value;
		}

	}

	static class SkipAndFallback {

		@DistributedLock(onContention = OnContention.SKIP, fallback = "other")
		public void locked() {
		}

		void other() {
		}

	}

	static class NoFallback {

		@DistributedLock(fallback = "other")
		public void locked() {
		}

	}

	static class FallbackParameters {

		@DistributedLock(fallback = "other")
		public void locked(int value) {
		}

		void other(long value) {
		}

	}

	static class FallbackOrder {

		@DistributedLock(fallback = "other")
		public void locked(int value) {
		}

		void other(LockException ex, int value) {
		}

	}

	static class FallbackException {

		@DistributedLock(fallback = "other")
		public void locked(int value) {
		}

		void other(int value, RuntimeException ex) {
		}

	}

	static class FallbackResult {

		@DistributedLock(fallback = "other")
		public String locked() {
			return "";
		}

		Object other() {
			return "";
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

	static class FallbackStatic {

		@DistributedLock(fallback = "other")
		public void locked() {
		}

		static void other() {
		}

	}

	static class FallbackTwice {

		@DistributedLock(fallback = "other")
		public void locked() {
		}

		void other() {
		}

		void other(LockException ex) {
		}

	}

}
