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

import java.util.List;

import org.junit.jupiter.api.Test;

import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import io.quorlock.LockMode;
import io.quorlock.annotation.DistributedLock;
import io.quorlock.aop.AopConfiguration;

import static io.quorlock.aop.declaration.DeclarationAssert.assertThatStartFails;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link KindParser} and {@link PermitsCheck}: which kinds of locks are refused
 * at start.
 */
class InvalidLockKindTests {

	private final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
		.withUserConfiguration(AopConfiguration.class);

	@Test
	void refusesNumbersOfPermitsOutOfRange() {
		assertThatStartFails(TooManyPermits.class, "locked", "permits", "1 to 1,000", "Set permits to 1 to 1,000");
		assertThatStartFails(NegativePermits.class, "locked", "permits", "1 to 1,000", "Set permits to 1 to 1,000");
	}

	@Test
	void refusesSharedPermits() {
		assertThatStartFails(SharedPermits.class, "locked", "permits", "mode = SHARED",
				"in mode = EXCLUSIVE, or remove the attribute");
	}

	@Test
	void refusesToHoldASharedLockAtLeastForSomeTime() {
		assertThatStartFails(SharedHold.class, "locked", "holdAtLeast", "mode = SHARED",
				"Remove holdAtLeast, or mode = SHARED");
	}

	@Test
	void acceptsAHoldOfNoTimeAndOneAsLongAsTheLease() {
		this.contextRunner.withBean(SharedWithoutHold.class)
			.withBean(HoldOfTheLease.class)
			.run((context) -> assertThat(context).hasNotFailed());
	}

	@Test
	void refusesToRetainALeaseThatNoOtherInstanceCouldAskFor() {
		assertThatStartFails(RetainedReader.class, "locked", "retainTime", "one exclusive lock", "Remove retainTime");
		assertThatStartFails(RetainedFixedLease.class, "locked", "retainTime", "one exclusive lock",
				"Remove retainTime");
	}

	@Test
	void refusesPermitsOfSeveralNames() {
		assertThatStartFails(PermitsOfList.class, "locked", "key", "permits = 2",
				"Use an expression for one value, or remove permits = 2");
		assertThatStartFails(PermitsOfArray.class, "locked", "key", "permits = 2", "or remove permits = 2");
		assertThatStartFails(PermitsOfProjection.class, "locked", "key", "permits = 2", "or remove permits = 2");
		assertThatStartFails(PermitsOfInlineList.class, "locked", "key", "permits = 2", "or remove permits = 2");
	}

	@Test
	void refusesFairLocksOfSeveralNames() {
		assertThatStartFails(FairList.class, "locked", "key", "fair = true",
				"Use an expression for one value, or remove fair = true");
		assertThatStartFails(FairSelection.class, "locked", "key", "fair = true",
				"Use an expression for one value, or remove fair = true");
	}

	@Test
	void acceptsOneElementOfACollection() {
		this.contextRunner.withBean(OneElement.class).run((context) -> assertThat(context).hasNotFailed());
	}

	@Test
	void refusesOneNameWithAndWithoutPermits() {
		this.contextRunner.withBean(WithPermits.class)
			.withBean(WithoutPermits.class)
			.run((context) -> assertThat(context).getFailure()
				.isInstanceOf(InvalidLockDeclarationException.class)
				.hasMessageContaining("'exports'")
				.hasMessageContaining("do not exclude each other")
				.hasMessageContaining("WithPermits.locked()")
				.hasMessageContaining("WithoutPermits.locked()"));
	}

	@Test
	void acceptsAThousandPermits() {
		this.contextRunner.withBean(ThousandPermits.class).run((context) -> assertThat(context).hasNotFailed());
	}

	@Test
	void acceptsPermitsOfANameWhoseKeysHaveNone() {
		this.contextRunner.withBean(WithPermits.class)
			.withBean(KeyWithoutPermits.class)
			.run((context) -> assertThat(context).hasNotFailed());
	}

	static class SharedWithoutHold {

		@DistributedLock(mode = LockMode.SHARED, holdAtLeast = "0s")
		public void locked() {
		}

	}

	static class HoldOfTheLease {

		@DistributedLock(leaseTime = "5s", holdAtLeast = "5s")
		public void locked() {
		}

	}

	static class TooManyPermits {

		@DistributedLock(permits = 1_001)
		public void locked() {
		}

	}

	static class ThousandPermits {

		@DistributedLock(permits = 1_000)
		public void locked() {
		}

	}

	static class NegativePermits {

		@DistributedLock(permits = -1)
		public void locked() {
		}

	}

	static class SharedPermits {

		@DistributedLock(mode = LockMode.SHARED, permits = 2)
		public void locked() {
		}

	}

	static class SharedHold {

		@DistributedLock(mode = LockMode.SHARED, holdAtLeast = "1s")
		public void locked() {
		}

	}

	static class RetainedReader {

		@DistributedLock(mode = LockMode.SHARED, retainTime = "1s")
		public void locked() {
		}

	}

	static class RetainedFixedLease {

		@DistributedLock(leaseTime = "1s", retainTime = "1s")
		public void locked() {
		}

	}

	static class PermitsOfList {

		@DistributedLock(name = "stock", key = "#skus", permits = 2)
		public void locked(List<String> skus) {
		}

	}

	static class PermitsOfArray {

		@DistributedLock(name = "stock", key = "#a0", permits = 2)
		public void locked(String... skus) {
		}

	}

	static class PermitsOfProjection {

		@DistributedLock(name = "stock", key = "#skus.![toString()]", permits = 2)
		public void locked(List<String> skus) {
		}

	}

	static class PermitsOfInlineList {

		@DistributedLock(name = "stock", key = "{#from, #to}", permits = 2)
		public void locked(String from, String to) {
		}

	}

	static class FairList {

		@DistributedLock(name = "stock", key = "#skus", fair = true)
		public void locked(List<String> skus) {
		}

	}

	static class FairSelection {

		@DistributedLock(name = "stock", key = "#skus.?[true]", fair = true)
		public void locked(List<String> skus) {
		}

	}

	static class OneElement {

		@DistributedLock(name = "stock", key = "#skus[0]", permits = 2)
		public void indexed(List<String> skus) {
		}

		@DistributedLock(name = "stock", key = "#skus.^[true]", permits = 2, fair = true)
		public void selected(List<String> skus) {
		}

	}

	static class WithPermits {

		@DistributedLock(name = "exports", permits = 3)
		public void locked() {
		}

	}

	static class WithoutPermits {

		@DistributedLock(name = "exports")
		public void locked() {
		}

	}

	static class KeyWithoutPermits {

		@DistributedLock(name = "exports", key = "#id")
		public void locked(long id) {
		}

	}

}
