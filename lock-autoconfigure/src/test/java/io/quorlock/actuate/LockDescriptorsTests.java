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
import java.util.Map;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.boot.actuate.endpoint.Show;

import io.quorlock.LockMode;
import io.quorlock.actuate.LocksDescriptor.FencedName;
import io.quorlock.actuate.LocksDescriptor.HeldLockDescriptor;
import io.quorlock.actuate.LocksDescriptor.NodeDescriptor;
import io.quorlock.actuate.LocksDescriptor.WaitingDescriptor;
import io.quorlock.engine.LockHold;
import io.quorlock.engine.LockInspector;
import io.quorlock.engine.LockPage;
import io.quorlock.engine.LockPageRequest;
import io.quorlock.engine.LockWait;
import io.quorlock.store.NodeState;
import io.quorlock.store.StoreStatus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.BDDMockito.given;
import static org.mockito.Mockito.mock;

/**
 * Tests for {@link LockDescriptors}: that nothing is left out.
 */
class LockDescriptorsTests {

	private final LockInspector inspector = mock(LockInspector.class);

	private LocksDescriptor describe(List<LockHold> held, List<LockWait> waiting) {
		given(this.inspector.instanceId()).willReturn("shop@host:1");
		given(this.inspector.held(any(LockPageRequest.class))).willReturn(page(held));
		given(this.inspector.retained(any(LockPageRequest.class))).willReturn(page(List.of()));
		given(this.inspector.waiting(any(LockPageRequest.class))).willReturn(page(waiting));
		given(this.inspector.status()).willReturn(new StoreStatus(false, 1, List.of(new NodeState("node", false,
				"quarantined", "started 1 s ago", Duration.ofMillis(57_001), "7.0.15", "run", 42L))));
		return new LockDescriptors(new NodeStatistics(), List.of(), Show.ALWAYS, List.of()).describe(this.inspector,
				SecurityContext.NONE, null, 10, LocksCursor.of(null));
	}

	private static <T> LockPage<T> page(List<T> entries) {
		return new LockPage<>(entries, entries.size(), null, false);
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

	private LocksDescriptor describe(StoreStatus status) {
		given(this.inspector.status()).willReturn(status);
		return new LockDescriptors(new NodeStatistics(), List.of(), Show.ALWAYS, List.of()).describe(this.inspector,
				SecurityContext.NONE, null, 10, LocksCursor.of(null));
	}

	private static StoreStatus status(NodeState... nodes) {
		return new StoreStatus(true, 1, List.of(nodes));
	}

}
