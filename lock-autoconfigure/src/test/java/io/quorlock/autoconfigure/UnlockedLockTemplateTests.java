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

import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReadWriteLock;

import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import io.quorlock.LockHandle;
import io.quorlock.LockKeyException;
import io.quorlock.LockMode;
import io.quorlock.LockRequest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Tests for {@link UnlockedLockTemplate} and its handles.
 */
@ExtendWith(OutputCaptureExtension.class)
class UnlockedLockTemplateTests {

	@Test
	void handleIsHeldUntilItIsClosed() {
		LockHandle handle = new UnlockedLockTemplate().acquire(LockRequest.of("order"));
		assertThat(handle.isHeld()).isTrue();
		handle.ensureHeld();
		handle.close();
		assertThat(handle.isHeld()).isFalse();
		assertThat(handle.remaining()).isEqualTo(Duration.ZERO);
		assertThatIllegalStateException().isThrownBy(handle::ensureHeld);
	}

	@Test
	void everyRequestIsGrantedWithATokenGreaterThanTheOneBefore() {
		UnlockedLockTemplate template = new UnlockedLockTemplate();
		LockHandle first = template.acquire(LockRequest.of("order"));
		LockHandle second = template.tryAcquire(LockRequest.of("order")).orElseThrow();
		LockHandle third = template.acquireAsync(LockRequest.of("order").permits(2)).toCompletableFuture().join();
		assertThat(second.fencingToken()).isGreaterThan(first.fencingToken());
		assertThat(third.fencingToken("order")).isGreaterThan(second.fencingToken());
		assertThat(third.permit()).isOne();
		assertThat(template.requestRelease("order", Duration.ofSeconds(1))).isFalse();
	}

	@Test
	void viewsLockNothingAndRefuseNobody() throws InterruptedException {
		UnlockedLockTemplate template = new UnlockedLockTemplate();
		ReadWriteLock both = template.asReadWriteLock("order");
		for (Lock lock : List.of(template.asLock("order"), both.readLock(), both.writeLock())) {
			lock.lock();
			assertThat(lock.tryLock()).isTrue();
			assertThat(lock.tryLock(1, TimeUnit.SECONDS)).isTrue();
			lock.lockInterruptibly();
			lock.unlock();
		}
	}

	@Test
	void handleOfSeveralNamesHasATokenForEach() {
		LockHandle both = new UnlockedLockTemplate().acquire(LockRequest.ofAll("a", "b"));
		assertThat(both.name()).isEqualTo("a,b");
		assertThat(both.fencingToken("a")).isEqualTo(both.fencingToken("b"));
		assertThatIllegalStateException().isThrownBy(both::fencingToken);
		assertThatIllegalArgumentException().isThrownBy(() -> both.fencingToken("c"));
		both.downgrade();
		assertThat(both.mode()).isEqualTo(LockMode.SHARED);
	}

	@Test
	void closedHandleDoesNothingMore() {
		LockHandle handle = new UnlockedLockTemplate().acquire(LockRequest.of("order"));
		handle.extend(Duration.ofSeconds(1));
		handle.holdAtLeast(Duration.ofSeconds(1));
		assertThat(handle.remaining()).isGreaterThan(Duration.ofDays(36_500));
		handle.close();
		for (ThrowingCallable call : List.<ThrowingCallable>of(() -> handle.extend(Duration.ofSeconds(1)),
				() -> handle.holdAtLeast(Duration.ofSeconds(1)), handle::downgrade, handle::ensureHeld)) {
			assertThatIllegalStateException().isThrownBy(call).withMessage("Lock 'order' was closed");
		}
		assertThat(handle.mode()).isEqualTo(LockMode.EXCLUSIVE);
	}

	/** Tokens go on where those before a restart ended. */
	@Test
	void tokensBeginWithTheTime() {
		long before = TimeUnit.MILLISECONDS.toMicros(System.currentTimeMillis());
		long token = new UnlockedLockTemplate().acquire(LockRequest.of("order")).fencingToken();
		assertThat(token).isBetween(before + 1, TimeUnit.MILLISECONDS.toMicros(System.currentTimeMillis()) + 1);
	}

	@Test
	void handleIsOfTheKindThatWasAskedFor() {
		UnlockedLockTemplate template = new UnlockedLockTemplate();
		assertThat(template.acquire(LockRequest.of("order")).permit()).isZero();
		assertThat(template.acquire(LockRequest.of("order")).mode()).isEqualTo(LockMode.EXCLUSIVE);
		assertThat(template.acquire(LockRequest.of("order").shared()).mode()).isEqualTo(LockMode.SHARED);
		assertThat(template.acquire(LockRequest.of("order").permits(5)).permit()).isOne();
	}

	@Test
	void handleThatIsReenteredIsOneOfItsOwn() {
		LockHandle one = new UnlockedLockHandle(LockRequest.of("a").permits(2), 7).reenter(List.of("a"));
		assertThat(one.permit()).isOne();
		UnlockedLockHandle both = new UnlockedLockHandle(LockRequest.ofAll("a", "b", "c").shared(), 7);
		LockHandle inner = both.reenter(List.of("c", "a"));
		assertThat(inner.names()).containsExactly("a", "c");
		assertThat(inner.fencingToken("c")).isEqualTo(7);
		assertThat(inner.mode()).isEqualTo(LockMode.SHARED);
		inner.close();
		assertThat(both.isHeld()).isTrue();
		assertThat(both.isGrantedBy(new Object())).isFalse();
	}

	@Test
	void refusalsSayWhatToAskFor() {
		LockHandle both = new UnlockedLockTemplate().acquire(LockRequest.ofAll("a", "b"));
		assertThatIllegalStateException().isThrownBy(both::fencingToken)
			.withMessage("Lock 'a,b' has a fencing token per name: ask for one with fencingToken(name)");
		assertThatIllegalArgumentException().isThrownBy(() -> both.fencingToken("c"))
			.withMessage("Lock 'a,b' does not hold 'c'");
		assertThatExceptionOfType(UnsupportedOperationException.class)
			.isThrownBy(() -> new UnlockedLockTemplate().asLock("order").newCondition())
			.withMessage("A distributed lock has no conditions");
	}

	@Test
	void operationsRefuseWhatIsNoName() {
		UnlockedLockOperations operations = new UnlockedLockOperations();
		for (ThrowingCallable call : List.<ThrowingCallable>of(() -> operations.inspect(""),
				() -> operations.requestRelease("", Duration.ZERO), () -> operations.forceRelease(""),
				() -> operations.forceRelease("", 1))) {
			assertThatExceptionOfType(LockKeyException.class).isThrownBy(call);
		}
		assertThat(operations.forceRelease("order", 1)).isCompletedWithValue(List.of());
	}

	@Test
	void startSaysThatLocksAreOffAndWhichMethodsRunWithoutThem(CapturedOutput output) {
		LocksDisabledConfiguration.distributedLockUnlockedMethodsReporter(new DefaultListableBeanFactory())
			.afterSingletonsInstantiated();
		assertThat(output).contains(
				"Locks are disabled (distributed-lock.enabled=false). " + "Annotated methods that run unlocked: none");
	}

}
