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
import java.util.concurrent.atomic.AtomicInteger;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link Progress}.
 */
class ProgressTests {

	private final ManualTime time = new ManualTime();

	private final Progress progress = new Progress();

	@Test
	void requestThatFollowsOnceMoreKeepsItsFirstLimit() {
		AtomicInteger ended = new AtomicInteger();
		this.progress.limitFollowing(this.time, 10, ended::incrementAndGet);
		this.time.advance(Duration.ofNanos(9));
		this.progress.limitFollowing(this.time, 10, ended::incrementAndGet);
		this.time.advance(Duration.ofNanos(1));
		assertThat(ended).hasValue(1);
		assertThat(this.time.pending()).isZero();
	}

	@Test
	void requestThatEntersTheQueueOnceMoreHasOneTimerAndNoneOutsideOfIt() {
		AtomicInteger ended = new AtomicInteger();
		this.progress.limitWait(this.time, 10, ended::incrementAndGet);
		this.progress.limitWait(this.time, 10, ended::incrementAndGet);
		assertThat(this.time.pending()).isOne();
		this.progress.move(Progress.State.QUEUED, Progress.State.CONTENDING);
		assertThat(this.time.pending()).isZero();
	}

	@Test
	void requestThatIsDoneLeavesNoTimer() {
		this.progress.limitWait(this.time, 10, () -> {
		});
		this.progress.limitFollowing(this.time, 10, () -> {
		});
		this.progress.move(Progress.State.QUEUED, Progress.State.DONE);
		assertThat(this.time.pending()).isZero();
	}

}
