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
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.boot.actuate.endpoint.Show;

import io.quorlock.LockMode;
import io.quorlock.actuate.LockDescriptor.HolderDescriptor;
import io.quorlock.actuate.LockDescriptor.ReportDescriptor;
import io.quorlock.actuate.LockDescriptor.WaiterDescriptor;
import io.quorlock.actuate.LocksDescriptor.CountsDescriptor;
import io.quorlock.actuate.LocksDescriptor.FencedName;
import io.quorlock.actuate.LocksDescriptor.HeldLockDescriptor;
import io.quorlock.actuate.LocksDescriptor.NodeDescriptor;
import io.quorlock.actuate.LocksDescriptor.RetainedLeaseDescriptor;
import io.quorlock.actuate.LocksDescriptor.WaitingDescriptor;
import io.quorlock.engine.LockInspector;
import io.quorlock.engine.inspect.LockHold;
import io.quorlock.engine.inspect.LockListing;
import io.quorlock.engine.inspect.LockWait;
import io.quorlock.engine.inspect.RetainedLease;
import io.quorlock.store.NodeReport;
import io.quorlock.store.NodeState;
import io.quorlock.store.ReplyOutcome;
import io.quorlock.store.StoreStatus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.anyInt;
import static org.mockito.BDDMockito.given;
import static org.mockito.Mockito.mock;

/**
 * Tests for {@link LockDescriptors}: that nothing is left out; and for
 * {@link LockDescriptor}, of three nodes of which two decide.
 */
class LockDescriptorsTests {

	private final LockInspector inspector = mock(LockInspector.class);

	private static final NodeReport FREE = reported();

	private static final NodeReport COOLING = reported(holderOf(null));

	private static final NodeReport GONE = NodeReport.failed("node", "connection refused");

	private LocksDescriptor describe(List<LockHold> held, List<LockWait> waiting) {
		given(this.inspector.instanceId()).willReturn("shop@host:1");
		given(this.inspector.held(anyInt(), any())).willReturn(page(held));
		given(this.inspector.retained(anyInt(), any())).willReturn(page(List.of()));
		given(this.inspector.waiting(anyInt(), any())).willReturn(page(waiting));
		given(this.inspector.status()).willReturn(new StoreStatus(false, 1, List.of(new NodeState("node", false,
				"quarantined", "started 1 s ago", Duration.ofMillis(57_001), "7.0.15", "run", 42L))));
		return new LockDescriptors(new NodeStatistics(), List.of(), Show.ALWAYS, List.of()).describe(this.inspector,
				SecurityContext.NONE, null);
	}

	private static <T> LockListing<T> page(List<T> entries) {
		return new LockListing<>(entries, entries.size());
	}

	private static LockHold hold(LockMode mode, int permit, int permits, boolean fair, boolean atRisk) {
		return new LockHold(List.of("order:42"), "order", "shop@host:1:ab:7", Map.of("order:42", 5L),
				Duration.ofNanos(1_999_999), List.of("node"), "main", Duration.ofNanos(2_999_999), mode, permit,
				permits, fair, atRisk);
	}

	private static HeldLockDescriptor held(String mode, @Nullable Integer permit, @Nullable Integer permits,
			@Nullable Boolean fair, @Nullable Boolean atRisk) {
		return new HeldLockDescriptor(List.of(new FencedName("order:42", 5L)), "order", "shop@host:1:ab:7",
				Duration.ofMillis(1), List.of("node"), "main", Duration.ofMillis(2), mode, permit, permits, fair,
				atRisk);
	}

	@Test
	void everythingAboutAHoldIsTold() {
		assertThat(
				describe(List.of(hold(LockMode.EXCLUSIVE, 2, 3, true, true), hold(LockMode.SHARED, 0, 0, false, false)),
						List.of())
					.held())
			.containsExactly(held("permit", 2, 3, true, true), held("shared", null, null, null, null));
	}

	@Test
	void everythingAboutAWaitIsTold() {
		LockWait permit = new LockWait(List.of("a", "b"), "a,b", "main", Duration.ofNanos(1_999_999), 3,
				LockMode.EXCLUSIVE, 4, true);
		LockWait reader = new LockWait(List.of("a"), "a", "other", Duration.ofMillis(2), 1, LockMode.SHARED, 0, false);
		assertThat(describe(List.of(), List.of(permit, reader)).waiting()).containsExactly(
				new WaitingDescriptor(List.of("a", "b"), "a,b", "main", Duration.ofMillis(1), 3, "permit", 4, true),
				new WaitingDescriptor(List.of("a"), "a", "other", Duration.ofMillis(2), 1, "shared", null, null));
	}

	@Test
	void everythingAboutANodeIsTold() {
		assertThat(describe(List.of(), List.of()).nodes()).containsExactly(
				new NodeDescriptor("node", "quarantined", "started 1 s ago", 58L, "7.0.15", "run", 42L, null, null));
	}

	@Test
	void whatANodeDoesNotReportIsLeftOut() {
		describe(List.of(), List.of());
		StoreStatus all = status(new NodeState("node", true, "voting", "", Duration.ZERO, null, null, null));
		assertThat(describe(all).nodes())
			.containsExactly(new NodeDescriptor("node", "voting", null, null, null, null, null, null, null));
		assertThat(describe(all).groups()).isNull();
	}

	@Test
	void everythingAboutALeaseThatIsKeptIsTold() {
		describe(List.of(), List.of());
		given(this.inspector.retained(anyInt(), any())).willReturn(page(List.of(new RetainedLease("account:alice",
				"account", "shop@host:1:ab:7", Duration.ofNanos(1_999_999), List.of("node")))));
		LocksDescriptor locks = describe(status());
		assertThat(locks.counts()).isEqualTo(new CountsDescriptor(0, 1, 0));
		assertThat(locks.retained()).containsExactly(new RetainedLeaseDescriptor("account:alice", "account",
				"shop@host:1:ab:7", Duration.ofMillis(1), List.of("node")));
	}

	@Test
	void latenciesAndTheLastErrorAreThoseOfTheNode() {
		describe(List.of(), List.of());
		NodeStatistics statistics = new NodeStatistics();
		statistics.onReply("node", "acquire", ReplyOutcome.OK, null, 5_000_000);
		statistics.onReply("other", "release", ReplyOutcome.LOST, "no reply", 7_000_000);
		Instant before = Instant.now();
		statistics.onReply("node", "renew", ReplyOutcome.LOST, "connection closed", 9_000_000);
		LocksDescriptor locks = new LockDescriptors(statistics, List.of(), Show.ALWAYS, List.of())
			.describe(this.inspector, SecurityContext.NONE, null);
		NodeDescriptor node = locks.nodes().get(0);
		assertThat(node.latencyMicros()).isEqualTo(new NodeStatistics.Latency(1, 5_000, 5_000, 5_000, 5_000));
		NodeStatistics.LastError error = Objects.requireNonNull(node.lastError());
		assertThat(error.operation()).isEqualTo("renew");
		assertThat(error.error()).isEqualTo("connection closed");
		assertThat(error.at()).isBetween(before, Instant.now());
	}

	@Test
	void namesAreShownToThoseWhoHaveTheRole() {
		describe(List.of(hold(LockMode.EXCLUSIVE, 0, 0, false, false)), List.of());
		SecurityContext operator = mock(SecurityContext.class);
		given(operator.getPrincipal()).willReturn(() -> "ann");
		given(operator.isUserInRole("OPERATOR")).willReturn(true);
		assertThat(nameShownTo(operator, "OPERATOR")).isEqualTo("order:42");
		assertThat(nameShownTo(operator, "ADMIN")).isEqualTo("******");
	}

	private String nameShownTo(SecurityContext context, String role) {
		return new LockDescriptors(new NodeStatistics(), List.of(), Show.WHEN_AUTHORIZED, List.of(role))
			.describe(this.inspector, context, null)
			.held()
			.get(0)
			.locks()
			.get(0)
			.name();
	}

	@Test
	void everythingThatANodeReportsIsTold() {
		Duration lease = Duration.ofNanos(1_999_999);
		NodeReport exclusive = new NodeReport("a", true,
				List.of(new NodeReport.Holder("app:1", LockMode.EXCLUSIVE, 0, lease)),
				List.of(new NodeReport.Waiter("app:2", LockMode.EXCLUSIVE, lease),
						new NodeReport.Waiter("app:3", LockMode.SHARED, Duration.ofMillis(2))),
				64, null);
		assertThat(ReportDescriptor.of(exclusive)).isEqualTo(new ReportDescriptor("a", true, "app:1", lease, null, 64L,
				List.of(new WaiterDescriptor(1, "app:2", "exclusive", Duration.ofMillis(1)),
						new WaiterDescriptor(2, "app:3", "shared", Duration.ofMillis(2))),
				null));
		NodeReport shared = new NodeReport("b", false,
				List.of(new NodeReport.Holder("app:1", LockMode.SHARED, 0, lease),
						new NodeReport.Holder("app:2", LockMode.EXCLUSIVE, 3, Duration.ofMillis(2))),
				List.of(), 0, null);
		assertThat(ReportDescriptor.of(shared))
			.isEqualTo(
					new ReportDescriptor("b", false, "app:1", lease,
							List.of(new HolderDescriptor("app:1", "shared", null, Duration.ofMillis(1)),
									new HolderDescriptor("app:2", "permit", 3, Duration.ofMillis(2))),
							null, null, null));
		assertThat(ReportDescriptor.of(NodeReport.failed("c", "connection refused")))
			.isEqualTo(new ReportDescriptor("c", false, null, null, null, null, null, "connection refused"));
	}

	private LocksDescriptor describe(StoreStatus status) {
		given(this.inspector.status()).willReturn(status);
		return new LockDescriptors(new NodeStatistics(), List.of(), Show.ALWAYS, List.of()).describe(this.inspector,
				SecurityContext.NONE, null);
	}

	private static StoreStatus status(NodeState... nodes) {
		return new StoreStatus(true, 1, List.of(nodes));
	}

	private static NodeReport reported(NodeReport.Holder... holders) {
		return new NodeReport("node", true, List.of(holders), List.of(), 0, null);
	}

	private static NodeReport.Holder holderOf(@Nullable String owner) {
		return new NodeReport.Holder(owner, LockMode.EXCLUSIVE, 0, Duration.ofSeconds(1));
	}

	private static NodeReport heldBy(String... owners) {
		return reported(Stream.of(owners).map(LockDescriptorsTests::holderOf).toArray(NodeReport.Holder[]::new));
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
		assertThat(of(reported(holderOf(null), holderOf("a")), reported(holderOf(null), holderOf("b")), GONE))
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
