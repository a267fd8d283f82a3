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

import java.util.ArrayList;
import java.util.List;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link UnconfirmedReleases} (R8).
 */
class UnconfirmedReleasesTests {

	private final UnconfirmedReleases releases = new UnconfirmedReleases((delay, work) -> () -> {
	}, 2, (slot) -> false);

	/** In an outage of hours they would fill the memory. */
	@Test
	void ofTooManyReleasesForANodeTheOldestAreDropped() {
		List<Integer> repeated = new ArrayList<>();
		for (int i = 0; i < 100_003; i++) {
			int number = i;
			this.releases.add(1, (slot) -> repeated.add(number));
		}
		this.releases.repeat(1);
		assertThat(repeated).hasSize(100_000).startsWith(3).endsWith(100_002);
	}

	/** Its nodes are stopped, too, until it is started again. */
	@Test
	void storeThatIsStoppedTriesNoMore() {
		List<Runnable> scheduled = new ArrayList<>();
		UnconfirmedReleases retried = new UnconfirmedReleases((delay, work) -> {
			scheduled.add(work);
			return () -> {
			};
		}, 1, (slot) -> false);
		retried.add(0, (slot) -> {
		});
		assertThat(scheduled).hasSize(1);
		retried.stop();
		scheduled.get(0).run();
		retried.add(0, (slot) -> {
		});
		assertThat(scheduled).hasSize(1);
		retried.start();
		retried.add(0, (slot) -> {
		});
		assertThat(scheduled).hasSize(2);
	}

}
