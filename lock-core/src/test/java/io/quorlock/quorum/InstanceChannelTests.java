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
import java.util.List;

import org.junit.jupiter.api.Test;
import org.mockito.Mockito;

import io.quorlock.quorum.node.InMemoryLockNode;
import io.quorlock.time.SystemClock;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link InstanceChannel}.
 */
class InstanceChannelTests {

	private static final long LATER = Duration.ofSeconds(1).toNanos();

	private final InstanceChannel channel = channel();

	private static InstanceChannel channel() {
		SystemClock clock = new SystemClock();
		Voters voters = new Voters(List.of(new InMemoryLockNode("node", clock)));
		Messenger messenger = new Messenger(voters, new PendingReplies(1), clock, List.of());
		return new InstanceChannel(voters, messenger, () -> "app:1:", Mockito.mock(Grants.class),
				(slot, ticket, name) -> {
				});
	}

	@Test
	void nameIsContendedForASecond() {
		this.channel.contended("order", 5);
		assertThat(this.channel.isContended("order", 5 + LATER - 1)).isTrue();
		assertThat(this.channel.isContended("stock", 5)).isFalse();
		assertThat(this.channel.isContended("order", 5 + LATER)).isFalse();
	}

	/** Most names are never asked for again, and would fill the memory. */
	@Test
	void ofTooManyContendedNamesTheEarlierOnesAreForgotten() {
		for (int i = 0; i <= 1_024; i++) {
			this.channel.contended("order:" + i, 0);
		}
		assertThat(this.channel.isContended("order:0", 0)).isFalse();
		assertThat(this.channel.isContended("order:1024", 0)).isTrue();
	}

}
