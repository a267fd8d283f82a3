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

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.mockito.Mockito;

import io.quorlock.LockException;
import io.quorlock.LockHandle;
import io.quorlock.LockLostEvent;
import io.quorlock.LockRequest;
import io.quorlock.LockUnavailableException;
import io.quorlock.Settings;
import io.quorlock.engine.event.RequestObservation;
import io.quorlock.store.ClaimFailure;
import io.quorlock.store.FakeContender;
import io.quorlock.store.FakeGrant;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * R1: what becomes of a lock that was granted, and that ends, or is not wanted any more,
 * before its caller gets it.
 */
@Timeout(60)
class HandOutTests {

	private static final LockRequest ORDER = LockRequest.of("order");

	private final FakeStoreEngine fake = new FakeStoreEngine();

	private static void failsAsLost(CompletableFuture<LockHandle> lock) {
		assertThat(lock).failsWithin(Duration.ZERO)
			.withThrowableThat()
			.withCauseInstanceOf(LockUnavailableException.class)
			.withMessageContaining("it was granted, but lost before the caller got it");
	}

	private static void failsAsStopped(CompletableFuture<LockHandle> lock) {
		assertThat(lock).failsWithin(Duration.ZERO)
			.withThrowableThat()
			.withCauseInstanceOf(LockUnavailableException.class)
			.withMessageContaining("the lock engine of this instance is stopped");
	}

	@Test
	void leaseThatEndsBeforeItsCallerGetsItIsAskedForAgain() {
		CompletableFuture<LockHandle> lock = this.fake.acquire(ORDER);
		this.fake.store.contender().grant(FakeGrant::end);
		assertThat(lock).isNotDone();
		assertThat(this.fake.store.contenders()).hasSize(2);
		this.fake.grant();
		assertThat(lock.join().fencingToken()).isEqualTo(2_000);
	}

	@Test
	void leaseThatEndsIsNotAskedForAgainAfterTheWait() {
		CompletableFuture<LockHandle> lock = this.fake.acquire(ORDER);
		this.fake.time.advance(Duration.ofSeconds(5));
		this.fake.store.contender().grant(FakeGrant::end);
		failsAsLost(lock);
		assertThat(this.fake.store.contenders()).hasSize(1);
	}

	@Test
	void callThatBlocksIsNotGivenALeaseThatHasEnded() {
		DefaultLockTemplate template = new DefaultLockTemplate(this.fake.engine);
		List<FakeContender> asked = new ArrayList<>();
		this.fake.store.afterEachStart((contender) -> {
			asked.add(contender);
			contender.grant((grant) -> {
				if (asked.size() == 1) {
					grant.end();
				}
			});
		});
		assertThat(template.acquire(ORDER).fencingToken()).isEqualTo(2_000);
		asked.clear();
		assertThatExceptionOfType(LockUnavailableException.class)
			.isThrownBy(() -> template.acquire(LockRequest.of("stock").waitTime(Duration.ZERO)))
			.withMessageContaining("lost before the caller got it");
		assertThat(asked).hasSize(1);
	}

	@Test
	void leaseThatTheEngineReleasesAsItStopsIsNotAskedForAgain() {
		CompletableFuture<LockHandle> lock = this.fake.acquire(ORDER);
		this.fake.store.contender().grant((grant) -> grant.beforeNextLook(this.fake.engine::stop));
		failsAsStopped(lock);
		assertThat(this.fake.store.contenders()).hasSize(1);
	}

	@Test
	void callThatBlocksAsksNoMoreOnceTheEngineHasReleasedItsLeaseAsItStopped() {
		DefaultLockTemplate template = new DefaultLockTemplate(this.fake.engine);
		List<FakeContender> asked = new ArrayList<>();
		this.fake.store.afterEachStart((contender) -> {
			asked.add(contender);
			if (asked.size() == 1) {
				contender.grant((grant) -> grant.beforeNextLook(this.fake.engine::stop));
			}
			else {
				contender.fail(new ClaimFailure.Unavailable("the store was stopped"));
			}
		});
		assertThatExceptionOfType(LockUnavailableException.class).isThrownBy(() -> template.acquire(ORDER))
			.withMessageContaining("the lock engine of this instance is stopped");
		assertThat(asked).hasSize(1);
	}

	/** It is not the lease that is too short. */
	@Test
	void requestWithoutAWaitIsToldThatTheEngineHasStopped() {
		LockRequest atOnce = ORDER.waitTime(Duration.ZERO);
		CompletableFuture<LockHandle> lock = this.fake.acquire(atOnce);
		this.fake.store.contender().grant((grant) -> grant.beforeNextLook(this.fake.engine::stop));
		failsAsStopped(lock);
		this.fake.engine.start();
		this.fake.store
			.afterEachStart((contender) -> contender.grant((grant) -> grant.beforeNextLook(this.fake.engine::stop)));
		assertThatExceptionOfType(LockUnavailableException.class)
			.isThrownBy(() -> new DefaultLockTemplate(this.fake.engine).acquire(atOnce))
			.withMessageContaining("the lock engine of this instance is stopped");
	}

	/** Each hold is an observation of its own, of which the user sees the second. */
	@Test
	void observersHearNothingOfALeaseThatEndsBeforeItsCallerGetsIt() {
		List<String> told = new ArrayList<>();
		LockEngine engine = new LockEngine(Settings.engine("app@host:1").build(), this.fake.store, this.fake.time,
				this.fake.time, Runnable::run, List.of(), List.of((request) -> new Told(told)));
		engine.start();
		CompletableFuture<LockHandle> lock = engine.acquireAsync(ORDER, Duration.ofSeconds(5));
		this.fake.store.contender().grant((grant) -> grant.beforeNextLook(() -> grant.lose("gone")));
		this.fake.grant();
		assertThat(lock.join().isHeld()).isTrue();
		assertThat(told).containsExactly("granted");
		lock.join().close();
		assertThat(told).containsExactly("granted", "released");
	}

	@Test
	void requestThatIsCancelledAsItsLeaseEndsIsNotMadeAgain() {
		CompletableFuture<LockHandle> lock = this.fake.acquire(ORDER);
		this.fake.store.contender().grant((grant) -> grant.beforeNextLook(() -> {
			grant.end();
			lock.cancel(true);
		}));
		assertThat(this.fake.store.contenders().stream().filter(FakeContender::isStarted)).hasSize(1);
		assertThat(this.fake.held(ORDER).isHeld()).as("nothing is left in the queue").isTrue();
		assertThat(this.fake.engine.acquisitions).as("nothing waits any more").isEmpty();
	}

	/** As {@code completeOnTimeout} does. */
	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void requestWhoseUserCompletesItsFutureWaitsNoLonger(boolean withAHandle) {
		CompletableFuture<LockHandle> lock = this.fake.acquire(ORDER.waitTime(LockRequest.UNLIMITED_WAIT));
		lock.complete(withAHandle ? Mockito.mock() : null);
		assertThat(this.fake.store.contender().isCancelled()).isTrue();
		assertThat(this.fake.engine.acquisitions).as("nothing waits any more").isEmpty();
	}

	/** An observer cancelled it, or another thread did at this instant. */
	@Test
	void lockThatIsCancelledAsItIsHandedOutIsReleased() {
		List<CompletableFuture<LockHandle>> locks = new ArrayList<>();
		LockEngine engine = new LockEngine(Settings.engine("app@host:1").build(), this.fake.store, this.fake.time,
				this.fake.time, Runnable::run, List.of(), List.of((request) -> new RequestObservation() {

					@Override
					public void onGranted(LockHandle handle, int attempts) {
						locks.forEach((lock) -> lock.cancel(true));
					}

				}));
		engine.start();
		locks.add(engine.acquireAsync(ORDER, Duration.ZERO));
		this.fake.grant();
		assertThat(locks.get(0)).isCancelled();
		assertThat(this.fake.store.releases()).hasSize(1);
	}

	/** Nobody held it, so that there is nothing to cool down from (R18). */
	@Test
	void lockThatIsCancelledWhileTheThreadForItIsAwaitedIsNoLockThatWasHeld() {
		Queue<Runnable> tasks = new ArrayDeque<>();
		List<String> told = new ArrayList<>();
		LockEngine engine = new LockEngine(Settings.engine("app@host:1").build(), this.fake.store, this.fake.time,
				this.fake.time, tasks::add, List.of(), List.of((request) -> new Told(told)));
		engine.start();
		CompletableFuture<LockHandle> lock = engine.acquireAsync(ORDER.holdAtLeast(Duration.ofMinutes(1)),
				Duration.ZERO);
		this.fake.grant();
		lock.cancel(true);
		for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
			task.run();
		}
		assertThat(this.fake.store.releases()).singleElement()
			.satisfies((released) -> assertThat(released.cooldown()).isZero());
		assertThat(told).containsExactly("failed");
	}

	/** What an observer of a request is told. */
	private record Told(List<String> told) implements RequestObservation {

		@Override
		public void onGranted(LockHandle handle, int attempts) {
			this.told.add("granted");
		}

		@Override
		public void onFailed(LockException failure, int attempts) {
			this.told.add("failed");
		}

		@Override
		public void onReleased() {
			this.told.add("released");
		}

		@Override
		public void onLost(LockLostEvent event) {
			this.told.add("lost");
		}

	}

}
