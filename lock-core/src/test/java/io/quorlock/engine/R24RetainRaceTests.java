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
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import io.quorlock.LockHandle;
import io.quorlock.LockMode;
import io.quorlock.LockRequest;
import io.quorlock.quorum.QuorumStore;
import io.quorlock.time.LockClock;
import io.quorlock.time.LockTimer;
import io.quorlock.time.ManualTime;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * R24: what happens at the very moment at which a lease begins to be kept. It is brought
 * about where the clock is read or a timeout is scheduled.
 */
@Timeout(60)
class R24RetainRaceTests {

	private static final LockRequest ORDER = LockRequest.of("order").retainTime(Duration.ofSeconds(10));

	private static final Runnable NOTHING = () -> {
	};

	private final ManualTime time = new ManualTime();

	/** Runs once, behind the next timeout that is scheduled. */
	private final AtomicReference<Runnable> scheduled = new AtomicReference<>(NOTHING);

	/** Runs once, as a lease is about to be passed on. */
	private final AtomicReference<Runnable> passing = new AtomicReference<>(NOTHING);

	private final List<ScriptedNode> nodes = Stream.of("node0", "node1", "node2")
		.map((name) -> new ScriptedNode(name).granting())
		.toList();

	private final LockEngine engine = start();

	private LockEngine start() {
		LockClock clock = this.time.beforeLook(() -> {
			if (isPassedOn()) {
				this.passing.getAndSet(NOTHING).run();
			}
		});
		LockTimer timer = (delayNanos, work) -> {
			LockTimer.Timeout timeout = this.time.schedule(delayNanos, work);
			this.scheduled.getAndSet(NOTHING).run();
			return timeout;
		};
		TestSettings settings = TestSettings.defaults("app@host:1");
		QuorumStore store = new QuorumStore(settings.quorumBuilder(() -> 42).build(), this.nodes, clock, this.time,
				List.of());
		LockEngine started = new LockEngine(settings.engineBuilder().build(), store, clock, timer, Runnable::run);
		started.start();
		return started;
	}

	private static boolean isPassedOn() {
		return StackWalker.getInstance()
			.walk((frames) -> frames.limit(5).anyMatch((frame) -> frame.getMethodName().equals("passOn")));
	}

	private List<String> operations() {
		return this.nodes.get(0).operations();
	}

	private LockHandle acquire(LockRequest request) {
		return this.engine.acquireAsync(request, Duration.ZERO).join();
	}

	@Test
	void leaseWhoseTimeEndsBeforeItIsKeptIsReleased() {
		LockHandle lock = acquire(ORDER.retainTime(Duration.ofMillis(1)));
		this.scheduled.set(() -> this.time.advance(Duration.ofMillis(1)));
		lock.close();
		assertThat(operations()).containsExactly("acquire", "release");
	}

	@Test
	void leaseThatWasNotPassedOnAfterAllBelongsToWhoeverTakesIt() {
		LockHandle first = acquire(ORDER);
		CompletableFuture<LockHandle> waiting = this.engine.acquireAsync(ORDER, Duration.ofSeconds(5));
		this.passing.set(() -> waiting.cancel(false));
		first.close();
		assertThat(operations()).containsExactly("acquire");
		LockHandle second = acquire(ORDER);
		assertThat(second.fencingToken()).isGreaterThan(first.fencingToken());
		second.extend(Duration.ofSeconds(40));
		assertThat(second.remaining()).isGreaterThan(Duration.ofSeconds(35));
		second.downgrade();
		assertThat(second.mode()).isEqualTo(LockMode.SHARED);
	}

}
