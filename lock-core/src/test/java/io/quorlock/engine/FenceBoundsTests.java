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
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import io.quorlock.LockHandle;
import io.quorlock.LockRequest;
import io.quorlock.quorum.node.InMemoryLockNode;
import io.quorlock.time.LockClock;
import io.quorlock.time.ManualTime;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What R9 relies on where the nodes have forgotten a fence: that clocks disagree by less
 * than the retention.
 */
class FenceBoundsTests {

	private final ManualTime time = new ManualTime();

	private final List<InMemoryLockNode> nodes = Stream.of("a", "b", "c")
		.map((name) -> new InMemoryLockNode(name, this.time))
		.toList();

	private final TestSettings settings = TestSettings.defaults("app");

	@Test
	void withinItsBoundATokenIsGreaterAlsoWhenTheFenceHasExpired() {
		long first = token(this.settings.fencingRetention().minusMinutes(1));
		letTheFenceExpire();
		assertThat(token(Duration.ZERO)).isGreaterThan(first);
	}

	@Test
	void asLongAsTheFenceIsStoredNoClockMatters() {
		long first = token(Duration.ofDays(1));
		this.time.advance(this.settings.fencingRetention().minusSeconds(1));
		assertThat(token(Duration.ZERO)).isGreaterThan(first);
	}

	/** Named in docs/safety.md: a condition of use, which no lock can enforce. */
	@Test
	void outsideItsBoundATokenGoesBackwards() {
		long first = token(this.settings.fencingRetention().plusMinutes(1));
		letTheFenceExpire();
		assertThat(token(Duration.ZERO)).isLessThan(first);
	}

	@Test
	void pauseBehindTheLookAtTheClockMakesTheAttemptTooLate() {
		LockEngine other = engine(this.time);
		List<Long> meanwhile = new ArrayList<>();
		LockEngine paused = engine(new PausingClock(this.time, () -> {
			this.time.advance(Duration.ofSeconds(1));
			LockHandle lock = acquire(other).join();
			meanwhile.add(lock.fencingToken());
			lock.close();
			letTheFenceExpire();
		}));
		assertThat(acquire(paused)).isCompletedExceptionally();
		assertThat(meanwhile).hasSize(1);
		// The next attempt looks at the clock again.
		assertThat(acquire(paused).join().fencingToken()).isGreaterThan(meanwhile.get(0));
	}

	private void letTheFenceExpire() {
		this.time.advance(this.settings.fencingRetention().plus(this.settings.leaseTime()).plusSeconds(1));
	}

	/** A token of an instance that was just started, whose clock is ahead. */
	private long token(Duration ahead) {
		LockEngine engine = engine(new ClockAhead(this.time, ahead));
		LockHandle lock = acquire(engine).join();
		long token = lock.fencingToken();
		engine.stop();
		return token;
	}

	private LockEngine engine(LockClock clock) {
		LockEngine engine = TestEngines.create(this.settings, this.nodes, clock, this.time, Runnable::run, List.of(),
				List.of(), () -> 42);
		engine.start();
		return engine;
	}

	private static CompletableFuture<LockHandle> acquire(LockEngine engine) {
		return engine.acquireAsync(LockRequest.of("order"), Duration.ZERO);
	}

	/** The process stands still once, right after it has read the wall clock. */
	private static final class PausingClock implements LockClock {

		private final LockClock clock;

		private @Nullable Runnable pause;

		private PausingClock(LockClock clock, Runnable pause) {
			this.clock = clock;
			this.pause = pause;
		}

		@Override
		public long nanoTime() {
			return this.clock.nanoTime();
		}

		@Override
		public long wallMicros() {
			long now = this.clock.wallMicros();
			Runnable pause = this.pause;
			if (pause != null) { // the first look is for the token
				this.pause = null;
				pause.run();
			}
			return now;
		}

	}

	private record ClockAhead(LockClock clock, Duration ahead) implements LockClock {

		@Override
		public long nanoTime() {
			return this.clock.nanoTime();
		}

		@Override
		public long wallMicros() {
			return this.clock.wallMicros() + this.ahead.toNanos() / 1_000;
		}

	}

}
