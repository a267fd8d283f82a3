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

package io.quorlock.sample.console;

import java.time.Duration;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import io.quorlock.LockMode;
import io.quorlock.engine.inspect.LockHold;
import io.quorlock.engine.inspect.LockWait;
import io.quorlock.sample.console.LockQueue.Request;
import io.quorlock.sample.console.LockReports.Reports;
import io.quorlock.sample.console.LockView.Holder;
import io.quorlock.sample.console.LockView.Waiter;
import io.quorlock.sample.console.LockViews.Place;
import io.quorlock.sample.console.LockViews.Snapshot;
import io.quorlock.store.NodeReport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

class LockViewsTests {

	private static final Place PLACE = new Place("b", true, 2);

	private static final List<NodeReport.Waiter> NO_TICKETS = List.of();

	@Test
	void readersOfAllInstancesHoldAndTheWriterWaits() {
		LockView lock = LockViews.of("list", PLACE,
				List.of(new Snapshot("shop-1", List.of(hold("list", LockMode.SHARED, 0, 0, 7, 100)), List.of()),
						new Snapshot("shop-2", List.of(hold("list", LockMode.SHARED, 0, 0, 7, 300)),
								List.of(wait("list", LockMode.EXCLUSIVE, 0, false)))),
				Reports.NONE);
		assertThat(lock.kind()).isEqualTo("shared");
		assertThat(lock.group()).isEqualTo("b");
		assertThat(lock.holders()).extracting(Holder::instance, Holder::mode, Holder::token)
			.containsExactly(tuple("shop-2", "shared", "7"), tuple("shop-1", "shared", "7"));
		assertThat(lock.waiters()).extracting(Waiter::position, Waiter::instance, Waiter::mode)
			.containsExactly(tuple(1, "shop-2", "exclusive"));
	}

	@Test
	void permitsAreListedByTheirNumbers() {
		LockView lock = LockViews.of("table", PLACE,
				List.of(new Snapshot("shop-1", List.of(hold("table", LockMode.EXCLUSIVE, 3, 3, 30, 900)), List.of()),
						new Snapshot("shop-2", List.of(hold("table", LockMode.EXCLUSIVE, 1, 3, 10, 100)),
								List.of(wait("table", LockMode.EXCLUSIVE, 3, false)))),
				Reports.NONE);
		assertThat(lock.kind()).isEqualTo("permits");
		assertThat(lock.permits()).isEqualTo(3);
		assertThat(lock.holders()).extracting(Holder::permit, Holder::instance, Holder::token)
			.containsExactly(tuple(1, "shop-2", "10"), tuple(3, "shop-1", "30"));
		assertThat(lock.waiters()).extracting(Waiter::position).containsExactly(0);
	}

	@Test
	void onlyTheNameItselfIsLookedAt() {
		Snapshot snapshot = new Snapshot("shop-1", List.of(hold("other", LockMode.SHARED, 0, 0, 1, 1)),
				List.of(wait("another", LockMode.EXCLUSIVE, 0, true)));
		LockView lock = LockViews.of("order", PLACE, List.of(snapshot), Reports.NONE);
		assertThat(lock.kind()).isEqualTo("exclusive");
		assertThat(lock.fair()).isFalse();
		assertThat(lock.holders()).isEmpty();
		assertThat(lock.waiters()).isEmpty();
	}

	@Test
	void ticketsOfTheNodesPromiseAnOrder() {
		Snapshot snapshot = new Snapshot("shop-1", List.of(), List.of(wait("order", LockMode.EXCLUSIVE, 0, false)));
		Reports reports = reports(null, new NodeReport.Waiter("shop-1:5f0c:1", LockMode.EXCLUSIVE, Duration.ZERO));
		assertThat(LockViews.of("order", PLACE, List.of(snapshot), reports).waiters())
			.extracting(Waiter::position, Waiter::ticket)
			.containsExactly(tuple(1, true));
	}

	@Test
	void aHolderOutsideTheFleetIsNamedOnceAMajorityReportsIt() {
		Snapshot snapshot = new Snapshot("shop-1", List.of(), List.of(wait("order", LockMode.EXCLUSIVE, 0, false)));
		assertThat(elsewhere(PLACE, snapshot, "shop-9:5f0c:1")).isEqualTo("shop-9:5f0c:1");
		assertThat(elsewhere(new Place("b", true, 3), snapshot, "shop-9:5f0c:1")).isNull();
		assertThat(elsewhere(PLACE, snapshot, "shop-1:5f0c:1")).isNull();
		assertThat(elsewhere(PLACE, snapshot, null)).isNull();
	}

	private static @Nullable String elsewhere(Place place, Snapshot snapshot, @Nullable String owner) {
		return LockViews.of("order", place, List.of(snapshot), reports(owner)).elsewhere();
	}

	private static Reports reports(@Nullable String owner, NodeReport.Waiter... waiters) {
		NodeReport.Holder holder = new NodeReport.Holder(owner, LockMode.EXCLUSIVE, 0, Duration.ofSeconds(1));
		List<NodeReport> nodes = List.of(new NodeReport("a", true, List.of(holder), List.of(waiters), 0, null),
				new NodeReport("b", true, List.of(holder), List.of(), 0, null), NodeReport.failed("c", "down"));
		return new Reports(nodes, System.nanoTime());
	}

	private static LockHold hold(String name, LockMode mode, int permit, int permits, long token, long heldMillis) {
		return new LockHold(List.of(name), name, "owner", Map.of(name, token), Duration.ofSeconds(1), List.of("a", "b"),
				"thread", Duration.ofMillis(heldMillis), mode, permit, permits, false, false);
	}

	private static LockWait wait(String name, LockMode mode, int permits, boolean fair) {
		return new LockWait(List.of(name), name, "thread", Duration.ofMillis(1), 1, mode, permits, fair);
	}

	@Test
	void longestWaiterIsNextWhereAnOrderIsPromised() {
		List<Waiter> queue = LockQueue.of(List.of(request("shop-1", "young", 100), request("shop-2", "old", 900),
				request("shop-1", "middle", 500)), NO_TICKETS, Duration.ZERO, true);
		assertThat(queue).extracting(Waiter::position, Waiter::thread)
			.containsExactly(tuple(1, "old"), tuple(2, "middle"), tuple(3, "young"));
	}

	@Test
	void waitersHaveNoPositionWhereNoOrderIsPromised() {
		assertThat(LockQueue.of(List.of(request("shop-1", "a", 100), request("shop-2", "b", 200)), NO_TICKETS,
				Duration.ZERO, false))
			.extracting(Waiter::position)
			.containsOnly(0);
	}

	@Test
	void nodesDecideTheOrderOfTickets() {
		List<Waiter> queue = LockQueue.of(
				List.of(request("shop-1", "a", 500), request("shop-2", "b", 450), request("shop-1", "c", 480)),
				List.of(ticket("shop-2", LockMode.EXCLUSIVE, 450), ticket("shop-1", LockMode.EXCLUSIVE, 500)),
				Duration.ZERO, true);
		assertThat(queue).extracting(Waiter::thread, Waiter::ticket)
			.containsExactly(tuple("b", true), tuple("c", false), tuple("a", true));
	}

	@Test
	void timeSinceTheNodesWereAskedIsAdded() {
		List<Waiter> queue = LockQueue.of(List.of(request("shop-1", "a", 1_200), request("shop-1", "b", 700)),
				List.of(ticket("shop-1", LockMode.EXCLUSIVE, 700)), Duration.ofMillis(500), true);
		assertThat(queue).extracting(Waiter::thread, Waiter::ticket)
			.containsExactly(tuple("a", true), tuple("b", false));
	}

	@Test
	void aTicketOfAWaiterServedMeanwhileBelongsToNoOther() {
		List<Waiter> queue = LockQueue.of(List.of(request("shop-1", "next", 300), request("shop-2", "other", 600)),
				List.of(ticket("shop-1", LockMode.EXCLUSIVE, 900), ticket("shop-2", LockMode.EXCLUSIVE, 600)),
				Duration.ZERO, true);
		assertThat(queue).extracting(Waiter::thread, Waiter::ticket)
			.containsExactly(tuple("other", true), tuple("next", false));
	}

	@Test
	void aReaderHasNoTicketOfAWriterNorOfAnotherInstance() {
		List<Waiter> queue = LockQueue.of(List.of(request("shop-1", "a", 500)),
				List.of(ticket("shop-1", LockMode.SHARED, 500), ticket("shop-11", LockMode.EXCLUSIVE, 500)),
				Duration.ZERO, true);
		assertThat(queue).extracting(Waiter::ticket).containsExactly(false);
	}

	@Test
	void waiterBehindAThreadOfItsInstanceDoesNotAskTheNodes() {
		List<Waiter> queue = LockQueue.of(
				List.of(new Request("shop-1", wait("asks", 200, 1)), new Request("shop-1", wait("behind", 100, 0))),
				NO_TICKETS, Duration.ZERO, true);
		assertThat(queue).extracting(Waiter::thread, Waiter::local)
			.containsExactly(tuple("asks", false), tuple("behind", true));
	}

	private static Request request(String instance, String thread, long waitedMillis) {
		return new Request(instance, wait(thread, waitedMillis, 1));
	}

	private static LockWait wait(String thread, long waitedMillis, int attempts) {
		return new LockWait(List.of("order"), "order", thread, Duration.ofMillis(waitedMillis), attempts,
				LockMode.EXCLUSIVE, 0, true);
	}

	private static NodeReport.Waiter ticket(String instance, LockMode mode, long waitedMillis) {
		return new NodeReport.Waiter(instance + ":5f0c:1", mode, Duration.ofMillis(waitedMillis));
	}

}
