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

import io.quorlock.Settings;
import io.quorlock.logging.CapturedLog;
import io.quorlock.logging.LogCaptureExtension;
import io.quorlock.quorum.membership.Membership;
import io.quorlock.quorum.membership.NodeAdmission;
import io.quorlock.quorum.membership.OtherLists.Use;
import io.quorlock.time.TestClock;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link RecordUpdater}: which of several lists is named.
 */
@ExtendWith(LogCaptureExtension.class)
class ListMismatchTests {

	private static final Use OLD = new Use("x:1,y:1,z:1", 50, "old:1:1#1");

	private static final Use NEW = new Use("x:1,y:1,w:1", 5, "new:1:1#1");

	private final Settings<RedisNodeOptions> options = TestOptions.with(new TestClock());

	@Test
	void latestOfTheListsThatContradictIsNamed() {
		for (List<Use> lists : List.of(List.of(OLD, NEW), List.of(NEW, OLD))) {
			RecordUpdater compared = compare(lists);
			assertThat(compared.mismatch()).contains("another instance uses a different node list")
				.contains(NEW.text())
				.contains("new:1:1, seen 5 s ago; ignored in 68 s");
		}
	}

	@Test
	void eachStateIsLoggedOnce(CapturedLog output) {
		RecordUpdater compared = compare(List.of());
		assertThat(output).doesNotContain("node:6379");
		for (int i = 0; i < 3; i++) {
			compared.onUses(List.of(NEW));
		}
		assertThat(lines(output)).singleElement().asString().contains("; this instance uses a:1,b:1,c:1");
		for (int i = 0; i < 3; i++) {
			compared.onUses(List.of());
		}
		assertThat(lines(output)).hasSize(2);
		assertThat(lines(output)[1]).contains("all instances use the same node list again");
		compared.onUses(List.of(NEW));
		Use another = new Use("u:1,v:1,w:1", NEW.ageSeconds(), NEW.user());
		compared.onUses(List.of(another));
		assertThat(lines(output)).hasSize(4);
		assertThat(lines(output)[3]).contains(another.text());
	}

	/** Whoever may write to the node could forge what is logged. */
	@Test
	void whatOthersWroteBreaksNoLine() {
		Use forged = new Use("x:1,y:1\nnode", 5, "a\nb:1#1");
		assertThat(compare(List.of(forged)).mismatch()).contains("x:1,y:1\\u000anode").contains("a\\u000ab:1, seen");
	}

	private static String[] lines(CapturedLog output) {
		return output.toString()
			.lines()
			.filter((line) -> line.contains("Lock node node:6379: "))
			.toArray(String[]::new);
	}

	@Test
	void formerRunOfThisInstanceIsSuspectedByItsHostAlone() {
		this.options.set(RedisNodeOptions::instanceId, "new:2");
		assertThat(compare(List.of(new Use("x:1,y:1,w:1", 5, "new:1#1"))).mismatch())
			.contains("(perhaps a former run of this one, new:1, seen 5 s ago");
		assertThat(compare(List.of(new Use("x:1,y:1,w:1", 5, "old:2#1"))).mismatch()).contains("(old:2, seen 5 s ago");
		assertThat(compare(List.of(new Use("x:1,y:1,w:1", 5, "?"))).mismatch()).contains("(seen 5 s ago");
	}

	/** A node that is down from the start is not one whose list differs. */
	@Test
	void nothingDiffersBeforeTheListsOfOthersAreRead() {
		assertThat(create().mismatch()).isEmpty();
	}

	private RecordUpdater compare(List<Use> lists) {
		RecordUpdater compared = create();
		compared.onUses(lists);
		return compared;
	}

	private RecordUpdater create() {
		RedisNodeOptions options = this.options.build();
		NodeAdmission admission = new NodeAdmission(options.quarantine(), options.driftFactor(), false);
		return new RecordUpdater("node:6379", 0, options, new Membership(List.of("a:1", "b:1", "c:1")), admission,
				new NodeHealth(options, admission), (lists) -> {
				});
	}

}
