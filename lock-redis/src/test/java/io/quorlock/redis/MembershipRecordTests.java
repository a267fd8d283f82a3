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

package io.quorlock.redis;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests for {@link MembershipRecord}.
 */
class MembershipRecordTests {

	private static List<@Nullable Object> reply(@Nullable Object... others) {
		List<@Nullable Object> reply = new ArrayList<>(Arrays.asList(7L, 9L, 5L, 0L, text("")));
		reply.addAll(Arrays.asList(others));
		return reply;
	}

	private static byte[] text(String text) {
		return text.getBytes(StandardCharsets.UTF_8);
	}

	@Test
	void listsOfOthersAreReadWithTheirAge() {
		assertThat(MembershipRecord.of(reply(text("list"), 3L, text("app"))).uses()).hasSize(1);
		assertThat(MembershipRecord.of(reply()).uses()).isEmpty();
	}

	@Test
	void reasonOfADoubtIsReadBesideTheListsOfOthers() {
		List<@Nullable Object> reply = reply(text("list"), 3L, text("app"));
		reply.set(4, text(MembershipRecord.EVICTION));
		assertThat(MembershipRecord.of(reply).doubt()).isEqualTo(MembershipRecord.EVICTION);
	}

	/** It may have been written by anybody. */
	@Test
	void replyThatIsNoRecordIsRefused() {
		assertThatIllegalArgumentException().isThrownBy(() -> MembershipRecord.of(null));
		assertThatIllegalArgumentException().isThrownBy(() -> MembershipRecord.of(List.of(7L, 9L, 5L)));
		assertThatIllegalArgumentException()
			.isThrownBy(() -> MembershipRecord.of(reply(text("list"), text("3"), text("app"))));
		assertThatIllegalArgumentException()
			.isThrownBy(() -> MembershipRecord.of(reply(text("list"), null, text("app"))));
		assertThatIllegalArgumentException().isThrownBy(() -> MembershipRecord.of(reply(text("list"), 3L, 4L)));
	}

}
