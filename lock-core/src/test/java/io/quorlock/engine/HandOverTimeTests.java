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
 * Tests for {@link HandOverTime}.
 */
class HandOverTimeTests {

	private final ManualTime time = new ManualTime();

	private final HandOverTime handOver = new HandOverTime(this.time, this.time,
			EngineSettings.builder("app@host:1").handover(16, Duration.ofMillis(50)).build(), this.time.nanoTime());

	private final AtomicInteger over = new AtomicInteger();

	/** It keeps others out from its beginning on, whenever somebody asks. */
	@Test
	void taskRunsAtTheEndOfTheTimeThatHasBegun() {
		this.time.advance(Duration.ofMillis(20));
		this.handOver.whenOver(this.over::incrementAndGet);
		this.time.advance(Duration.ofMillis(29));
		assertThat(this.handOver.isLeft()).isTrue();
		assertThat(this.over).hasValue(0);
		this.time.advance(Duration.ofMillis(1));
		assertThat(this.handOver.isLeft()).isFalse();
		assertThat(this.over).hasValue(1);
	}

	@Test
	void timeThatIsCancelledLeavesNoTimer() {
		this.time.advance(Duration.ofMillis(60));
		this.handOver.whenOver(this.over::incrementAndGet);
		this.handOver.whenOver(this.over::incrementAndGet);
		this.handOver.cancel();
		assertThat(this.time.pending()).isZero();
	}

}
