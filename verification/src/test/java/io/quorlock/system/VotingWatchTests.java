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

package io.quorlock.system;

import java.time.Duration;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link VotingWatch}.
 */
class VotingWatchTests {

	private final VotingWatch watch = new VotingWatch();

	@Test
	void allNodesVote() {
		assertThat(seen("UP", "state=voting, version=7.0.15", 0)).isTrue();
		assertThat(seen("DOWN", "state=voting, version=7.0.15", 0)).isFalse();
	}

	@Test
	void saysWhatHappenedToANodeAndForHowLong() {
		assertThat(seen("UP", "state=quarantine, reason=started 0 s ago and votes in 4 s, votesInSeconds=4", 0))
			.isFalse();
		assertThat(seen("UP", "state=quarantine, reason=started 3 s ago and votes in 1 s, votesInSeconds=1", 3))
			.isFalse();
		assertThat(seen("UP", "state=voting", 4)).isTrue();
		assertThat(seen("UP", "state=down, reason=connection refused", 5)).isFalse();
		assertThat(this.watch.toString()).contains("127.0.0.1:7001\n",
				"from 0.0 s to 3.0 s: state=quarantine, reason=started 3 s ago and votes in 1 s, votesInSeconds=1\n",
				"from 4.0 s to 4.0 s: state=voting\n", "from 5.0 s to 5.0 s: state=down, reason=connection refused\n")
			.doesNotContain("127.0.0.1:7002\n");
	}

	private boolean seen(String status, String node, long seconds) {
		return this.watch.seen(status
				+ " {groups={a={status=UP, voting=1, quorum=2, nodes={127.0.0.1:7001={%s}, 127.0.0.1:7002={state=voting}}}}}"
					.formatted(node),
				Duration.ofSeconds(seconds));
	}

}
