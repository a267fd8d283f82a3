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

import org.junit.jupiter.api.Test;

import io.quorlock.LockMode;
import io.quorlock.engine.inspect.LockWait;
import io.quorlock.sample.console.LockQueue.Request;
import io.quorlock.sample.console.LockView.Waiter;
import io.quorlock.store.NodeReport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

class LockQueueTests {

	private static final List<NodeReport.Waiter> NO_TICKETS = List.of();

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
