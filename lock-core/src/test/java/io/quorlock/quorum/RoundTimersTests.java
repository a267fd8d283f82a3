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

package io.quorlock.quorum;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

import org.junit.jupiter.api.Test;

import io.quorlock.time.LockTimer;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link RoundTimers}.
 */
class RoundTimersTests {

	private static final long TIMEOUT = Duration.ofMillis(100).toNanos();

	/** How long each timer takes, as long as it is not cancelled. */
	private final List<Long> scheduled = new ArrayList<>();

	private final LockTimer timer = (delayNanos, task) -> {
		Long delay = delayNanos;
		this.scheduled.add(delay);
		return () -> this.scheduled.remove(delay);
	};

	private RoundTimers timers(Settlement settlement) {
		return new RoundTimers(this.timer, TIMEOUT, settlement);
	}

	/** The time of the first one ends while the second is under way. */
	@Test
	void questionHasItsWholeTimeAlsoBehindAnother() {
		RoundTimers timers = timers(new Settlement(TIMEOUT + 30, TIMEOUT));
		timers.asked(0, () -> {
		});
		assertThat(this.scheduled).containsExactly(TIMEOUT);
		timers.asked(50, () -> {
		});
		assertThat(this.scheduled).as("that of the settlement").containsExactly(TIMEOUT - 20);
	}

	@Test
	void nothingIsLeftOnceItIsDecided() {
		RoundTimers timers = timers(new Settlement(10 * TIMEOUT, TIMEOUT));
		timers.asked(0, () -> {
		});
		timers.lookMeanwhile(() -> true, () -> {
		});
		assertThat(this.scheduled).containsExactly(TIMEOUT, TIMEOUT / 2);
		timers.askAgain(5, 0, () -> {
		});
		assertThat(this.scheduled).hasSize(2).doesNotContain(TIMEOUT / 2);
		timers.cancel();
		assertThat(this.scheduled).isEmpty();
	}

	/** The nodes that do not reply are not all given up at the first look. */
	@Test
	void votesAreLookedAtEachHalfOfATimeoutWhileTheQuestionIsOpen() {
		List<Runnable> tasks = new ArrayList<>();
		AtomicInteger looks = new AtomicInteger();
		new RoundTimers((delayNanos, task) -> {
			tasks.add(task);
			return () -> {
			};
		}, TIMEOUT, new Settlement(10 * TIMEOUT, TIMEOUT)).lookMeanwhile(() -> looks.get() < 2, looks::incrementAndGet);
		for (int i = 0; i < tasks.size(); i++) {
			tasks.get(i).run();
		}
		assertThat(looks).hasValue(2);
		assertThat(tasks).hasSize(3);
	}

}
