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
import java.util.concurrent.atomic.AtomicBoolean;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link Messenger.UnconfirmedReleases} (R8).
 */
class UnconfirmedReleasesTests {

	private final Messenger.UnconfirmedReleases releases = new Messenger.UnconfirmedReleases((delay, work) -> () -> {
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

	@Test
	void releasesAreRepeatedOnceASecondUntilNoneIsLeft() {
		List<Long> delays = new ArrayList<>();
		List<Runnable> scheduled = new ArrayList<>();
		AtomicBoolean connected = new AtomicBoolean();
		Messenger.UnconfirmedReleases retried = new Messenger.UnconfirmedReleases((delay, work) -> {
			delays.add(delay);
			scheduled.add(work);
			return () -> {
			};
		}, 3, (slot) -> slot == 1 && connected.get());
		List<Integer> repeated = new ArrayList<>();
		retried.add(1, repeated::add);
		retried.add(1, repeated::add);
		retried.add(2, repeated::add);
		assertThat(scheduled).hasSize(1);
		scheduled.get(0).run();
		assertThat(repeated).as("no node is connected").isEmpty();
		assertThat(scheduled).hasSize(2);
		connected.set(true);
		scheduled.get(1).run();
		assertThat(repeated).containsExactly(1, 1);
		assertThat(scheduled).hasSize(3);
		retried.repeat(2);
		retried.repeat(2);
		assertThat(repeated).containsExactly(1, 1, 2);
		scheduled.get(2).run();
		assertThat(scheduled).hasSize(3);
		assertThat(delays).containsOnly(1_000_000_000L);
	}

	/** What fails again is added again: not twice in one go. */
	@Test
	void releaseThatFailsAgainIsRepeatedTheNextTime() {
		List<Integer> repeated = new ArrayList<>();
		this.releases.add(0, new Messenger.UnconfirmedReleases.Repeatable() {

			@Override
			public void repeat(int slot) {
				repeated.add(slot);
				UnconfirmedReleasesTests.this.releases.add(slot, this);
			}

		});
		this.releases.repeat(0);
		assertThat(repeated).hasSize(1);
		this.releases.repeat(0);
		assertThat(repeated).hasSize(2);
	}

	/** Its nodes are stopped, too, until it is started again. */
	@Test
	void storeThatIsStoppedTriesNoMore() {
		List<Runnable> scheduled = new ArrayList<>();
		Messenger.UnconfirmedReleases retried = new Messenger.UnconfirmedReleases((delay, work) -> {
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
