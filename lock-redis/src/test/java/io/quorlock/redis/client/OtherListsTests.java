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

import java.util.List;

import org.junit.jupiter.api.Test;

import io.quorlock.quorum.membership.Membership;
import io.quorlock.redis.MembershipRecord.OtherList;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link OtherLists}: which of several lists is named.
 */
class OtherListsTests {

	private static final OtherList REPLACED = new OtherList("a:1,b:1,x:1", 1, "replaced:1:1#1");

	private static final OtherList OLD = new OtherList("x:1,y:1,z:1", 50, "old:1:1#1");

	private static final OtherList NEW = new OtherList("x:1,y:1,w:1", 5, "new:1:1#1");

	private final RedisNodeOptions.Builder options = RedisNodeOptions.builder(new TestClock());

	@Test
	void latestOfTheListsThatContradictIsNamed() throws NodeUnavailableException {
		for (List<OtherList> lists : List.of(List.of(OLD, NEW), List.of(NEW, OLD))) {
			OtherLists compared = compare(lists);
			assertThat(compared.isDifferent()).isTrue();
			assertThat(compared.mismatch()).contains("another instance uses a different node list")
				.contains(NEW.identity())
				.contains("new:1:1, seen 5 s ago; ignored in 56 s");
		}
	}

	@Test
	void listThatContradictsIsNamedBeforeOneThatMayFollow() throws NodeUnavailableException {
		for (List<OtherList> lists : List.of(List.of(OLD, REPLACED), List.of(REPLACED, OLD))) {
			OtherLists compared = compare(lists);
			assertThat(compared.isDifferent()).isTrue();
			assertThat(compared.mismatch()).contains(OLD.identity());
		}
	}

	@Test
	void onlyAListThatContradictsExcludesTheNode() throws NodeUnavailableException {
		this.options.failOnMismatch(true);
		OtherLists compared = compare(List.of(REPLACED));
		assertThat(compared.isDifferent()).isFalse();
		assertThat(compared.mismatch()).startsWith("a node is being replaced: another instance uses ");
		assertThatExceptionOfType(NodeUnavailableException.class).isThrownBy(() -> compared.compare(List.of(OLD), 0))
			.withMessageContaining(OLD.identity());
		compared.compare(List.of(), 0);
		assertThat(compared.isDifferent()).isFalse();
		assertThat(compared.mismatch()).isEmpty();
	}

	private OtherLists compare(List<OtherList> lists) throws NodeUnavailableException {
		OtherLists compared = new OtherLists("node:6379", new Membership(List.of("a:1", "b:1", "c:1")),
				this.options.build(), 60);
		compared.compare(lists, 0);
		return compared;
	}

}
