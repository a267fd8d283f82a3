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
import org.junit.jupiter.api.extension.ExtendWith;

import io.quorlock.logging.CapturedLog;
import io.quorlock.logging.LogCaptureExtension;
import io.quorlock.quorum.membership.Membership;
import io.quorlock.redis.MembershipRecord.OtherList;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link OtherLists}: which of several lists is named.
 */
@ExtendWith(LogCaptureExtension.class)
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
		assertThatExceptionOfType(NodeUnavailableException.class).isThrownBy(() -> compared.compare(List.of(OLD)))
			.withMessageContaining(OLD.identity());
		compared.compare(List.of());
		assertThat(compared.isDifferent()).isFalse();
		assertThat(compared.mismatch()).isEmpty();
	}

	@Test
	void eachStateIsLoggedOnce(CapturedLog output) throws NodeUnavailableException {
		OtherLists compared = compare(List.of());
		assertThat(output).doesNotContain("node:6379");
		for (int i = 0; i < 3; i++) {
			compared.compare(List.of(NEW));
		}
		assertThat(lines(output)).singleElement().asString().contains("; this instance uses a:1,b:1,c:1");
		for (int i = 0; i < 3; i++) {
			compared.compare(List.of());
		}
		assertThat(lines(output)).hasSize(2);
		assertThat(lines(output)[1]).contains("all instances use the same node list again");
		compared.compare(List.of(NEW));
		OtherList another = new OtherList("u:1,v:1,w:1", NEW.ageSeconds(), NEW.by());
		compared.compare(List.of(another));
		assertThat(lines(output)).hasSize(4);
		assertThat(lines(output)[3]).contains(another.identity());
	}

	/** Whoever may write to the node could forge what is logged. */
	@Test
	void whatOthersWroteBreaksNoLine() throws NodeUnavailableException {
		OtherList forged = new OtherList("x:1,y:1\nnode", 5, "a\nb:1#1");
		assertThat(compare(List.of(forged)).mismatch()).contains("x:1,y:1\\u000anode").contains("a\\u000ab:1, seen");
	}

	private static String[] lines(CapturedLog output) {
		return output.toString()
			.lines()
			.filter((line) -> line.contains("Lock node node:6379: "))
			.toArray(String[]::new);
	}

	@Test
	void formerRunOfThisInstanceIsSuspectedByItsHostAlone() throws NodeUnavailableException {
		this.options.instanceId("new:2");
		assertThat(compare(List.of(new OtherList("x:1,y:1,w:1", 5, "new:1#1"))).mismatch())
			.contains("(perhaps a former run of this one, new:1, seen 5 s ago");
		assertThat(compare(List.of(new OtherList("x:1,y:1,w:1", 5, "old:2#1"))).mismatch())
			.contains("(old:2, seen 5 s ago");
		assertThat(compare(List.of(new OtherList("x:1,y:1,w:1", 5, "?"))).mismatch()).contains("(seen 5 s ago");
	}

	/** They may have the same name in another group. */
	@Test
	void otherLayoutContradictsOursEvenWithTheSameNodes() throws NodeUnavailableException {
		OtherList other = new OtherList("a:1,b:1,c:1;group a of a by name", 5, "other:1:1#1");
		assertThat(compare(List.of(other)).isDifferent()).isTrue();
	}

	/** A node that is down from the start is not one whose list differs. */
	@Test
	void nothingDiffersBeforeTheListsOfOthersAreRead() {
		assertThat(create().isDifferent()).isFalse();
		assertThat(create().mismatch()).isEmpty();
	}

	private OtherLists compare(List<OtherList> lists) throws NodeUnavailableException {
		OtherLists compared = create();
		compared.compare(lists);
		return compared;
	}

	private OtherLists create() {
		return new OtherLists("node:6379", new Membership(List.of("a:1", "b:1", "c:1")), this.options.build(), 60);
	}

}
