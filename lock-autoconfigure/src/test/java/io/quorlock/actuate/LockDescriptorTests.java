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

package io.quorlock.actuate;

import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import io.quorlock.LockMode;
import io.quorlock.store.NodeReport;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link LockDescriptor}, of three nodes of which two decide.
 */
class LockDescriptorTests {

	private static final NodeReport FREE = report();

	private static final NodeReport COOLING = report(holder(null));

	private static final NodeReport GONE = NodeReport.failed("node", "connection refused");

	private static NodeReport report(NodeReport.Holder... holders) {
		return new NodeReport("node", true, List.of(holders), List.of(), 0, null);
	}

	private static NodeReport.Holder holder(@Nullable String owner) {
		return new NodeReport.Holder(owner, LockMode.EXCLUSIVE, 0, Duration.ofSeconds(1));
	}

	private static NodeReport heldBy(String... owners) {
		return report(Stream.of(owners).map(LockDescriptorTests::holder).toArray(NodeReport.Holder[]::new));
	}

	private static Verdict of(NodeReport... reports) {
		LockDescriptor descriptor = LockDescriptor.of("order", List.of(reports), 2);
		return new Verdict(descriptor.state(), descriptor.owner());
	}

	@Test
	void bareMajorityDecides() {
		assertThat(of(heldBy("a"), heldBy("a"), GONE)).isEqualTo(new Verdict("held", "a"));
		assertThat(of(heldBy("a"), FREE, FREE)).isEqualTo(new Verdict("free", null));
		assertThat(of(COOLING, COOLING, heldBy("a"))).isEqualTo(new Verdict("held", null));
	}

	@Test
	void readerThatAMajorityNamesIsOneOfTheHolders() {
		assertThat(of(heldBy("a", "b"), heldBy("b"), FREE)).isEqualTo(new Verdict("held", "b"));
	}

	@Test
	void withoutAMajorityItIsDividedOrUnavailable() {
		assertThat(of(heldBy("a"), heldBy("b"), GONE)).isEqualTo(new Verdict("divided", null));
		assertThat(of(heldBy("a"), FREE, COOLING)).isEqualTo(new Verdict("divided", null));
		assertThat(of(report(holder(null), holder("a")), report(holder(null), holder("b")), GONE))
			.isEqualTo(new Verdict("divided", null));
		assertThat(of(heldBy("a"), GONE, GONE)).isEqualTo(new Verdict("unavailable", null));
		assertThat(of(FREE, GONE, GONE)).isEqualTo(new Verdict("unavailable", null));
	}

	@Test
	void nodesThatDoNotVoteDecideNothing() {
		NodeReport inQuarantine = new NodeReport("node", false, List.of(), List.of(), 0, null);
		assertThat(of(FREE, inQuarantine, inQuarantine)).isEqualTo(new Verdict("unavailable", null));
		assertThat(of(FREE, FREE, inQuarantine)).isEqualTo(new Verdict("free", null));
	}

	@Test
	void majorityHasToReport() {
		assertThat(LockDescriptor.isReported(List.of(FREE, FREE, GONE), 2)).isTrue();
		assertThat(LockDescriptor.isReported(List.of(FREE, GONE, GONE), 2)).isFalse();
	}

	private record Verdict(String state, @Nullable String owner) {
	}

}
