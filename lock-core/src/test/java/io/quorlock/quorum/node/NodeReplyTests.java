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

package io.quorlock.quorum.node;

import java.util.Arrays;
import java.util.List;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link NodeReply}.
 */
class NodeReplyTests {

	@Test
	void nodeThatDidNothingHasNoVote() {
		assertThat(new NodeReply.Failed(NodeReply.Failed.Cause.ERROR, "no memory").voting()).isFalse();
	}

	@Test
	void refusalWithoutAnyOwnerIsACooldown() {
		assertThat(Refusals.of(true, Arrays.asList(null, null), 100, null).coolingDown()).isTrue();
		assertThat(Refusals.of(true, Arrays.asList(null, "app@host:1:ab:7"), 100, null).coolingDown()).isFalse();
		NodeReply.Refused mixed = new NodeReply.Refused(true, Arrays.asList(null, new NodeReply.Blocker.Cooldown()),
				100, null, 0);
		assertThat(mixed.coolingDown()).isTrue();
		assertThat(Refusals.of(true, List.of("app@host:1:ab:7"), 100, null).blockers())
			.containsExactly(new NodeReply.Blocker.Owner("app@host:1:ab:7"));
	}

}
