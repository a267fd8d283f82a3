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

package io.quorlock.zookeeper;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link Cooldown}.
 */
class CooldownTests {

	private static final long SECOND = 1_000_000_000;

	private final AtomicLong nanos = new AtomicLong(-5 * SECOND);

	private final Cooldown.Sightings sightings = new Cooldown.Sightings(this.nanos::get);

	@Test
	void endsByTheServersClockOrOnceItWasKnownForItsWholeTime() {
		Cooldown cooldown = new Cooldown(1_000, "a:0:1");
		assertThat(cooldown.remainingMillis(400, 0)).isEqualTo(600);
		assertThat(cooldown.remainingMillis(400, 700)).isEqualTo(300);
		// The clock was set back.
		assertThat(cooldown.remainingMillis(-3_600_000, 1_000)).isZero();
	}

	@Test
	void lastsForItsTimeAndForAMillisecondAtLeast() {
		assertThat(read(Duration.ofMillis(1_500))).isEqualTo(new Cooldown(1_500, "a b:0:1"));
		assertThat(read(Duration.ofNanos(1)).millis()).isOne();
	}

	private static Cooldown read(Duration duration) {
		return Cooldown.parse(new String(Cooldown.data(duration, "a b:0:1"), StandardCharsets.UTF_8));
	}

	@Test
	void nodeThatSaysNothingKeepsNobodyOut() {
		for (String text : new String[] { "", "x", "x 1000", " 1000" }) {
			assertThat(Cooldown.parse(text).remainingMillis(0, 0)).isZero();
		}
	}

	@Test
	void nodeIsAsOldAsTheTimeSinceItWasFirstSeen() {
		assertThat(this.sightings.ageMillis("/a", 1, 60_000)).isZero();
		this.nanos.addAndGet(10 * SECOND);
		assertThat(this.sightings.ageMillis("/a", 1, 60_000)).isEqualTo(10_000);
	}

	@Test
	void nodeThatWasCreatedAgainIsAnotherOne() {
		this.sightings.ageMillis("/a", 1, 60_000);
		this.nanos.addAndGet(10 * SECOND);
		assertThat(this.sightings.ageMillis("/a", 2, 60_000)).isZero();
	}

	@Test
	void nodesThatHaveEndedAreForgottenWhenManyOthersFollow() {
		this.sightings.ageMillis("/ended", 1, 1_000);
		this.sightings.ageMillis("/lasting", 1, 60_000);
		this.nanos.addAndGet(10 * SECOND);
		for (int i = 0; i < 1_000; i++) {
			this.sightings.ageMillis("/other" + i, 1, 1_000);
		}
		assertThat(this.sightings.ageMillis("/lasting", 1, 60_000)).isEqualTo(10_000);
		assertThat(this.sightings.ageMillis("/ended", 1, 1_000)).isZero();
	}

}
