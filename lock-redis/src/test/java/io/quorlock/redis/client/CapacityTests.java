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

package io.quorlock.redis.client;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link Capacity}.
 */
class CapacityTests {

	private static final int MEGABYTE = 1024 * 1024;

	private final Capacity capacity = new Capacity();

	@Test
	void releasesFindRoomWhereOthersDoNot() {
		assertThat(this.capacity.isExceeded(Capacity.MAX_COMMANDS - 1, 100, false)).isFalse();
		assertThat(this.capacity.isExceeded(Capacity.MAX_COMMANDS, 100, false)).isTrue();
		assertThat(this.capacity.isExceeded(2 * Capacity.MAX_COMMANDS, 100, true)).isFalse();
		assertThat(this.capacity.isExceeded(3 * Capacity.MAX_COMMANDS, 100, true)).isTrue();
	}

	@Test
	void releasesFindRoomBehindLargeCommands() {
		this.capacity.add(16 * MEGABYTE);
		assertThat(this.capacity.isExceeded(1, 1, false)).isTrue();
		assertThat(this.capacity.isExceeded(1, 16 * MEGABYTE, true)).isFalse();
		assertThat(this.capacity.isExceeded(1, 16 * MEGABYTE + 1, true)).isTrue();
	}

}
