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

package io.quorlock.engine;

import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReadWriteLock;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.mockito.ArgumentMatchers;
import org.mockito.Mockito;

import io.quorlock.LockContext;
import io.quorlock.LockHandle;
import io.quorlock.LockInterruptedException;
import io.quorlock.LockKeyException;
import io.quorlock.LockLostException;
import io.quorlock.LockReentryException;
import io.quorlock.LockRequest;
import io.quorlock.LockTemplate;
import io.quorlock.LockUnavailableException;
import io.quorlock.store.Claim;
import io.quorlock.store.ClaimFailure;
import io.quorlock.store.FakeContender;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Tests for {@link DefaultLockTemplate} and its views: how long they wait, what they
 * re-enter, and what they leave behind.
 */
@Timeout(60)
class DefaultLockTemplateTests {

	private static final LockRequest ORDER = LockRequest.of("order");

	private final FakeStoreEngine fake = new FakeStoreEngine(
			(settings) -> settings.set(EngineSettings::maxAttempts, 7).set(EngineSettings::unavailableFailFast, true));

	private final DefaultLockTemplate template = new DefaultLockTemplate(this.fake.engine);

	@AfterEach
	void leavesNothingOnTheThread() {
		assertThat(LockContext.capture()).isNull();
		assertThat(Thread.interrupted()).isFalse();
	}

	private static LockRequest within(LockRequest request, LockHandle outer) {
		return request.within(LockContext.with(outer, null));
	}

	/** Every claim is granted as soon as it is made. */
	private void grantAll() {
		this.fake.store.afterEachStart(FakeContender::grant);
	}

	private static void onceThisThreadWaits(Runnable event) {
		Thread caller = Thread.currentThread();
		new Thread(() -> {
			awaitWaiting(caller);
			event.run();
		}).start();
	}

	private static void awaitWaiting(Thread thread) {
		Awaitility.await().until(() -> thread.getState() == Thread.State.WAITING && !thread.isInterrupted());
	}

	private Claim claim() {
		return this.fake.store.contender().claim();
	}

	@Test
	void readerThatMayNotBecomeAWriterLeavesItsLeaseToTheOuterCall() {
		LockHandle reader = this.fake.held(ORDER.shared());
		assertThatExceptionOfType(LockReentryException.class)
			.isThrownBy(() -> this.template.acquire(within(ORDER, reader)));
		assertThat(this.template.acquireAsync(within(ORDER, reader))).isCompletedExceptionally();
		assertThat(reader.isHeld()).isTrue();
		reader.closeAsync();
		assertThat(this.fake.store.releases()).hasSize(1);
	}

	@Test
	void missingNameThatIsRefusedLeavesTheOthersToTheOuterCall() {
		LockHandle outer = this.fake.held(LockRequest.of("a"));
		LockRequest both = within(LockRequest.ofAll("a", "b").leaseTime(Duration.ofDays(1)), outer);
		assertThatIllegalArgumentException().isThrownBy(() -> this.template.acquire(both));
		outer.closeAsync();
		assertThat(this.fake.store.releases()).hasSize(1);
	}

	@Test
	void missingNameThatTheStoreCannotLockLeavesTheOthersToTheOuterCall() {
		LockHandle outer = this.fake.held(LockRequest.of("a"));
		this.fake.store.onCheck((claim) -> {
			throw new LockKeyException("the name is too long");
		});
		LockRequest both = within(LockRequest.ofAll("a", "b"), outer);
		assertThatExceptionOfType(LockKeyException.class).isThrownBy(() -> this.template.acquire(both));
		assertThat(this.template.acquireAsync(both)).failsWithin(Duration.ZERO)
			.withThrowableThat()
			.withCauseInstanceOf(LockKeyException.class);
		outer.closeAsync();
		assertThat(this.fake.store.releases()).hasSize(1);
	}

	@Test
	void missingNameThatIsGrantedAsTheStageIsCancelledIsReleased() {
		LockHandle outer = this.fake.held(LockRequest.of("a"));
		CompletableFuture<LockHandle> both = this.template.acquireAsync(within(LockRequest.ofAll("a", "b"), outer))
			.toCompletableFuture();
		FakeContender asked = this.fake.store.contender();
		// What was registered last runs first, before the question is taken back.
		both.whenComplete((handle, ex) -> asked.grant());
		both.cancel(true);
		assertThat(this.fake.store.releases()).hasSize(1);
		assertThat(outer.isHeld()).isTrue();
		outer.closeAsync();
		assertThat(this.fake.store.releases()).hasSize(2);
	}

	@Test
	void lockThatIsNotReentrantIsRefusedWithItsMethodAndNotOnceItIsClosed() throws Exception {
		grantAll();
		LockHandle outer = this.template.acquire(ORDER);
		LockContext.enter(outer, DefaultLockTemplateTests.class.getDeclaredMethod("grantAll"));
		LockRequest again = ORDER.notReentrant().within(LockContext.ofThread());
		assertThatExceptionOfType(LockReentryException.class).isThrownBy(() -> this.template.acquire(again))
			.withMessage("Lock 'order' is not re-entrant, and this call holds it already in %s.grantAll",
					DefaultLockTemplateTests.class.getName());
		outer.close();
		assertThat(this.template.acquire(again).isHeld()).isTrue();
		LockContext.leave(outer);
	}

	@Test
	void lockWhoseInnerHandleWasClosedIsReenteredThroughTheOuterOne() {
		LockHandle outer = this.fake.held(ORDER);
		LockContext context = LockContext.with(outer, null);
		LockHandle inner = this.template.acquire(ORDER.within(context));
		inner.closeAsync();
		LockRequest again = LockRequest.ofAll("order", "stock").within(LockContext.with(inner, context));
		CompletableFuture<LockHandle> both = this.template.acquireAsync(again).toCompletableFuture();
		assertThat(claim().names()).containsExactly("stock");
		this.fake.grant();
		assertThat(both.join().names()).containsExactly("order", "stock");
		outer.closeAsync();
		assertThat(both.join().isHeld()).isTrue();
	}

	@Test
	void stoppedEngineFailsTheStageAndThrowsFromTheCall() {
		this.fake.engine.stop();
		assertThat(this.template.acquireAsync(ORDER).toCompletableFuture()).failsWithin(Duration.ZERO)
			.withThrowableThat()
			.withCauseInstanceOf(LockUnavailableException.class);
		assertThatExceptionOfType(LockUnavailableException.class).isThrownBy(() -> this.template.acquire(ORDER));
	}

	@Test
	void tryAcquireAsksOnceUnlessTheRequestWaits() {
		this.fake.store.afterEachStart(
				(contender) -> contender.fail(new ClaimFailure.Held("other@host:2", "other@host:2 holds it")));
		assertThat(this.template.tryAcquire(ORDER)).isEmpty();
		assertThat(claim().isImmediate()).isTrue();
		assertThat(this.template.tryAcquire(ORDER.waitTime(Duration.ofSeconds(3)))).isEmpty();
		assertThat(claim().waitNanos()).isEqualTo(Duration.ofSeconds(3).toNanos());
		this.fake.store.afterEachStart((contender) -> contender.fail(new ClaimFailure.Unavailable("no node replied")));
		assertThatExceptionOfType(LockUnavailableException.class).isThrownBy(() -> this.template.tryAcquire(ORDER));
	}

	/** It may be interrupted, where a call that does not wait may not. */
	@Test
	void interruptEndsTryAcquireIfItWaits() {
		Thread.currentThread().interrupt();
		assertThatExceptionOfType(LockInterruptedException.class)
			.isThrownBy(() -> this.template.tryAcquire(ORDER.waitTime(Duration.ofSeconds(3))));
		assertThat(Thread.interrupted()).isTrue();
		this.fake.store.contender().fail(new ClaimFailure.Cancelled());
		this.fake.store.afterEachStart((contender) -> onceThisThreadWaits(contender::grant));
		for (LockRequest request : List.of(ORDER, LockRequest.of("stock").waitTime(Duration.ZERO))) {
			Thread.currentThread().interrupt();
			assertThat(this.template.tryAcquire(request)).isPresent();
			assertThat(Thread.interrupted()).isTrue();
		}
	}

	@Test
	void limitOfAttemptsIsThatOfLimitedWaits() {
		grantAll();
		this.template.acquire(ORDER).close();
		assertThat(claim().maxAttempts()).isEqualTo(7);
		assertThat(claim().failFast()).isTrue();
		assertThat(claim().waitNanos()).isEqualTo(Duration.ofSeconds(5).toNanos());
		this.template.acquire(ORDER.waitTime(LockRequest.UNLIMITED_WAIT)).close();
		assertThat(claim().maxAttempts()).isEqualTo(Integer.MAX_VALUE);
		assertThat(claim().failFast()).isFalse();
		Lock view = this.template.asLock("order");
		view.lock();
		view.unlock();
		assertThat(claim().maxAttempts()).isEqualTo(Integer.MAX_VALUE);
		assertThat(claim().failFast()).isFalse();
	}

	@Test
	void onlyALeaseThatNoRequestFixesIsRenewed() {
		grantAll();
		this.template.acquire(ORDER).close();
		assertThat(claim().renewed()).isTrue();
		assertThat(claim().leaseNanos()).isEqualTo(Duration.ofSeconds(30).toNanos());
		this.template.acquire(ORDER.leaseTime(Duration.ofSeconds(10))).close();
		assertThat(claim().renewed()).isFalse();
		assertThat(claim().leaseNanos()).isEqualTo(Duration.ofSeconds(10).toNanos());
	}

	@Test
	void viewWaitsForAsLongAsItIsTold() throws Exception {
		grantAll();
		Lock view = this.template.asLock("order");
		assertThat(view.tryLock(3, TimeUnit.SECONDS)).isTrue();
		assertThat(claim().waitNanos()).isEqualTo(Duration.ofSeconds(3).toNanos());
		view.unlock();
		assertThat(view.tryLock(-3, TimeUnit.SECONDS)).isTrue();
		assertThat(claim().isImmediate()).isTrue();
		view.unlock();
		view.lockInterruptibly();
		assertThat(claim().waitNanos()).isGreaterThan(Duration.ofDays(10_000).toNanos());
		view.unlock();
		assertThat(this.fake.store.releases()).hasSize(3);
	}

	@Test
	void viewWhoseLockAnotherHoldsSaysThatItIsNotLocked() throws Exception {
		this.fake.store.afterEachStart(
				(contender) -> contender.fail(new ClaimFailure.Held("other@host:2", "other@host:2 holds it")));
		Lock view = this.template.asLock("order");
		assertThat(view.tryLock(3, TimeUnit.SECONDS)).isFalse();
		assertThat(view.tryLock()).isFalse();
		assertThatExceptionOfType(IllegalMonitorStateException.class).isThrownBy(view::unlock);
		assertThat(LockContext.current()).isEmpty();
	}

	@Test
	void viewThatIsInterruptedDoesNotAsk() {
		Lock view = this.template.asLock("order");
		Thread.currentThread().interrupt();
		assertThatExceptionOfType(InterruptedException.class).isThrownBy(view::lockInterruptibly);
		assertThat(Thread.interrupted()).isFalse();
		Thread.currentThread().interrupt();
		assertThatExceptionOfType(InterruptedException.class).isThrownBy(() -> view.tryLock(1, TimeUnit.SECONDS));
		assertThat(Thread.interrupted()).isFalse();
		assertThat(this.fake.store.contenders()).isEmpty();
	}

	@Test
	void interruptEndsTheWaitOfAViewThatMayBeInterrupted() {
		Lock view = this.template.asLock("order");
		this.fake.store.afterEachStart((contender) -> onceThisThreadWaits(Thread.currentThread()::interrupt));
		assertThatExceptionOfType(InterruptedException.class).isThrownBy(view::lockInterruptibly)
			.withCauseInstanceOf(LockInterruptedException.class);
		assertThat(Thread.interrupted()).as("the exception replaces the flag").isFalse();
		assertThat(this.fake.store.contender().isCancelled()).isTrue();
		this.fake.store.contender().fail(new ClaimFailure.Cancelled());
		assertThatExceptionOfType(InterruptedException.class).isThrownBy(() -> view.tryLock(3, TimeUnit.SECONDS));
		assertThat(Thread.interrupted()).isFalse();
	}

	@Test
	void interruptDoesNotEndTheWaitOfAnotherView() {
		Lock view = this.template.asLock("order");
		Thread caller = Thread.currentThread();
		this.fake.store.afterEachStart((contender) -> onceThisThreadWaits(() -> {
			caller.interrupt();
			awaitWaiting(caller);
			contender.grant();
		}));
		view.lock();
		assertThat(Thread.interrupted()).as("the caller learns of it afterwards").isTrue();
		view.unlock();
	}

	/** Whoever unlocks must learn that others may have been in. */
	@Test
	void unlockOfALostLockSaysSoAndForgetsIt() {
		grantAll();
		Lock view = this.template.asLock("order");
		view.lock();
		LockHandle handle = LockContext.current().orElseThrow();
		this.fake.time.advance(Duration.ofSeconds(1));
		this.fake.store.grants().get(0).lose("another has it");
		assertThatExceptionOfType(LockLostException.class).isThrownBy(view::unlock);
		assertThat(handle.loss()).as("closed").isEmpty();
		assertThatExceptionOfType(IllegalMonitorStateException.class).isThrownBy(view::unlock);
	}

	@Test
	void readAndWriteViewOfANameAreLocksOfTheirOwn() {
		grantAll();
		ReadWriteLock view = this.template.asReadWriteLock("order");
		view.readLock().lock();
		assertThatExceptionOfType(IllegalMonitorStateException.class).isThrownBy(view.writeLock()::unlock);
		view.readLock().unlock();
		view.writeLock().lock();
		view.readLock().lock();
		assertThat(this.fake.store.contenders()).as("the writer reads with its own lease").hasSize(2);
		view.writeLock().unlock();
		assertThat(this.fake.store.releases()).hasSize(1);
		view.readLock().unlock();
		assertThat(this.fake.store.releases()).hasSize(2);
	}

	@Test
	void lockThatWasTakenThroughAViewIsReentered() {
		grantAll();
		Lock view = this.template.asLock("order");
		view.lock();
		this.template.executeWithoutResult("order", () -> assertThat(this.fake.store.contenders()).hasSize(1));
		assertThat(this.fake.store.releases()).isEmpty();
		view.unlock();
		assertThat(this.fake.store.releases()).hasSize(1);
	}

	@Test
	void unlockOfAViewLeavesNothingOnItsThread() {
		LockHandle handle = Mockito.mock(Mockito.withSettings().stubOnly());
		LockTemplate granting = Mockito
			.mock(Mockito.withSettings().stubOnly().defaultAnswer(Mockito.CALLS_REAL_METHODS));
		Mockito.doReturn(handle).when(granting).acquire(ArgumentMatchers.any());
		List<WeakReference<String>> names = new ArrayList<>();
		for (int i = 0; i < 100; i++) {
			String name = "order" + i;
			names.add(new WeakReference<>(name));
			Lock view = granting.asLock(name);
			view.lock();
			view.unlock();
		}
		Awaitility.await().untilAsserted(() -> {
			System.gc();
			assertThat(names.stream().filter((name) -> name.get() != null)).hasSizeLessThan(10);
		});
	}

	@Test
	void actionRunsOnlyIfTheLockIsGranted() {
		List<String> run = new ArrayList<>();
		this.fake.store.afterEachStart(
				(contender) -> contender.fail(new ClaimFailure.Held("other@host:2", "other@host:2 holds it")));
		assertThat(this.template.tryExecute("order", () -> run.add("refused"))).isFalse();
		grantAll();
		assertThat(this.template.tryExecute("order", () -> {
			run.add("granted");
			assertThat(this.template.tryExecute("order", () -> run.add("again"))).isTrue();
		})).isTrue();
		assertThat(run).containsExactly("granted", "again");
		assertThat(this.fake.store.releases()).hasSize(1);
	}

	/** Its effects may be those of two at once. */
	@Test
	void actionThatEndsAfterALossFails() {
		grantAll();
		assertThatExceptionOfType(LockLostException.class).isThrownBy(() -> this.template.execute("order", () -> {
			this.fake.store.grants().get(0).lose("another has it");
			return "done";
		})).withMessageContaining("another has it");
	}

	@Test
	void failureOfAnActionIsThrownWhateverBecameOfItsLock() {
		grantAll();
		assertThatIllegalStateException().isThrownBy(() -> this.template.executeWithoutResult("order", () -> {
			this.fake.store.grants().get(0).lose("another has it");
			throw new IllegalStateException("on purpose");
		})).withMessage("on purpose");
		assertThatIllegalStateException().isThrownBy(() -> this.template.executeWithoutResult("stock", () -> {
			throw new IllegalStateException("on purpose");
		}));
		assertThat(this.fake.store.releases()).hasSize(1);
	}

	@Test
	void failureIsThrownWithTheStackOfTheCaller() {
		this.fake.store.afterEachStart((contender) -> {
			Thread other = new Thread(() -> contender.fail(new ClaimFailure.Unavailable("no node replied")));
			other.start();
		});
		assertThatExceptionOfType(LockUnavailableException.class).isThrownBy(() -> this.template.acquire(ORDER))
			.satisfies((failure) -> assertThat(failure.getStackTrace())
				.anyMatch((frame) -> frame.getMethodName().equals("failureIsThrownWithTheStackOfTheCaller")));
	}

	/** Those in front may wait for what the call holds. */
	@Test
	void callThatHoldsALockPassesThoseThatWait() {
		LockHandle outer = this.fake.held(LockRequest.of("outer"));
		LockHandle foreign = new FakeStoreEngine().held(ORDER);
		this.fake.held(ORDER.shared());
		CompletableFuture<LockHandle> writer = this.fake.acquire(ORDER);
		assertThat(this.template.acquireAsync(within(ORDER.shared(), foreign)).toCompletableFuture())
			.as("it holds a lock of another engine")
			.isNotDone();
		LockContext both = LockContext.with(foreign, LockContext.with(outer, null));
		assertThat(this.template.acquireAsync(ORDER.shared().within(both)).toCompletableFuture())
			.isCompletedWithValueMatching(LockHandle::isHeld);
		outer.closeAsync();
		assertThat(writer).isNotDone();
	}

}
