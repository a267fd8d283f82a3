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

import java.util.List;
import java.util.stream.IntStream;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import io.quorlock.engine.SystemClock;
import io.quorlock.memory.InMemoryLockNode;
import io.quorlock.quorum.node.LockTarget;
import io.quorlock.quorum.node.NodeReply;
import io.quorlock.quorum.node.NodeReply.Blocker;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link Standings} (R4).
 */
class StandingsTests {

	private static final NodeReply COOLING = refusal(new Blocker.Cooldown());

	private static final NodeReply HELD = refusal(new Blocker.Owner("other@host:1:ab:7"));

	private static NodeReply refusal(Blocker blocker) {
		return new NodeReply.Refused(true, List.of(blocker), 20_000, null, 0);
	}

	/** Two of five nodes granted; the others reply so. */
	private static Standings standings(@Nullable NodeReply... others) {
		Voters voters = new Voters(
				IntStream.range(0, 5).mapToObj((i) -> new InMemoryLockNode("node" + i, new SystemClock())).toList());
		return new Standings(voters, LockTarget.exclusive(List.of("order")), "app@host:1:cd:1", 2, others);
	}

	/** It shows no majority, so that its instance has perhaps died. */
	@Test
	void ownerThatIsPassedOverDoesNotComeFirst() {
		assertThat(standings(HELD, HELD, HELD).isFirst((owner) -> false)).isFalse();
		assertThat(standings(HELD, HELD, HELD).isFirst((owner) -> true)).isTrue();
	}

	/** It gives its nodes back instead of asking again. */
	@Test
	void attemptCannotWinTheNodesThatCoolDown() {
		assertThat(standings(HELD, COOLING).canWin((owner) -> true)).isTrue();
		assertThat(standings(HELD, COOLING, COOLING).canWin((owner) -> false)).isTrue();
		assertThat(standings(HELD, COOLING, COOLING).canWin((owner) -> true)).isFalse();
	}

}
