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

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link PendingReplies}.
 */
class PendingRepliesTests {

	private static final long MILLI = 1_000_000;

	private final PendingReplies pending = new PendingReplies(3);

	@Test
	void nodeThatOwesAReplyForMoreThanTenMillisecondsHangs() {
		this.pending.sent(1, 0);
		this.pending.sent(2, 8 * MILLI);
		assertThat(this.pending.hanging(10 * MILLI)).isZero();
		assertThat(this.pending.hanging(10 * MILLI + 2)).isEqualTo(0b010);
		assertThat(this.pending.hanging(20 * MILLI)).isEqualTo(0b110);
	}

	/** What is sent to it meanwhile is owed for as long as that at most. */
	@Test
	void nodeHangsSinceItOwesTheFirstReply() {
		this.pending.sent(0, 0);
		this.pending.sent(0, 9 * MILLI);
		assertThat(this.pending.hanging(11 * MILLI)).isEqualTo(0b001);
		this.pending.replied(0);
		assertThat(this.pending.hanging(100 * MILLI)).isZero();
		this.pending.sent(0, 100 * MILLI);
		assertThat(this.pending.hanging(105 * MILLI)).isZero();
	}

}
