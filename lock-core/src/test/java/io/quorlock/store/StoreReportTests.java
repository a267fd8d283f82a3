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

package io.quorlock.store;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import io.quorlock.LockMode;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for what a store says of itself: {@link StoreStatus} and {@link NodeReport}.
 */
class StoreReportTests {

	private static NodeState node(String name, String reason) {
		return new NodeState(name, reason.isEmpty(), reason.isEmpty() ? "voting" : "down", reason, Duration.ZERO, null,
				null, null);
	}

	@Test
	void statusSaysWhichNodesDoNotVoteAndWhy() {
		StoreStatus status = new StoreStatus(true, 2,
				List.of(node("a", ""), node("b", "connection refused"), node("c", "")));
		assertThat(status.voting()).isEqualTo(2);
		assertThat(status.description()).isEqualTo("2 of 3 nodes vote, 2 are needed; node b: connection refused");
		assertThat(new StoreStatus(true, 1, List.of(node("a", ""))).description())
			.isEqualTo("1 of 1 nodes vote, 1 is needed");
	}

	@Test
	void statusOfSeveralGroupsSaysThatOfEach() {
		Map<String, StoreStatus> groups = new TreeMap<>();
		groups.put("east", new StoreStatus(true, 1, List.of(node("a", ""))));
		groups.put("west", new StoreStatus(false, 1, List.of(node("b", "connection refused"))));
		assertThat(
				new StoreStatus(true, 2, List.of(node("a", ""), node("b", "connection refused")), groups).description())
			.isEqualTo("group east: 1 of 1 nodes vote, 1 is needed; "
					+ "group west: 0 of 1 nodes vote, 1 is needed; node b: connection refused");
	}

	private static NodeReport.Holder holder(@Nullable String owner, int seconds) {
		return new NodeReport.Holder(owner, LockMode.SHARED, 0, Duration.ofSeconds(seconds));
	}

	@Test
	void reportNamesItsFirstHolder() {
		NodeReport report = new NodeReport("a", true, List.of(holder("app@host:1:a:1", 3), holder("app@host:2:a:1", 5)),
				List.of(), 7, null);
		assertThat(report.owner()).isEqualTo("app@host:1:a:1");
		assertThat(report.remaining()).isEqualTo(Duration.ofSeconds(3));
		NodeReport free = new NodeReport("a", true, List.of(), List.of(), 7, null);
		assertThat(free.owner()).isNull();
		assertThat(free.remaining()).isZero();
	}

	@Test
	void nodeThatCouldNotBeAskedDoesNotVote() {
		NodeReport report = NodeReport.failed("a", "connection refused");
		assertThat(report.voting()).isFalse();
		assertThat(report.node()).isEqualTo("a");
		assertThat(report.error()).isEqualTo("connection refused");
		assertThat(report.owner()).isNull();
	}

}
