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

package io.quorlock.engine;

import java.util.ArrayList;
import java.util.List;

import org.junit.jupiter.api.Test;

import io.quorlock.LockMode;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link LocalQueues}.
 */
class LocalQueuesTests {

	private static final int CROWD = 5_000;

	private final LocalQueues<Call> queues = new LocalQueues<>();

	/** How often a waiter was looked at. */
	private int looks;

	private Call enter(LockMode mode, String... names) {
		Call call = new Call(mode, names);
		this.queues.enter(call, true, (occupant) -> false);
		return call;
	}

	private List<Call> crowd() {
		List<Call> crowd = new ArrayList<>();
		for (int i = 0; i < CROWD; i++) {
			crowd.add(enter(LockMode.EXCLUSIVE, "stock"));
		}
		this.looks = 0;
		return crowd;
	}

	@Test
	void waitersThatLeaveDoNotLookAtEachOther() {
		enter(LockMode.EXCLUSIVE, "stock");
		for (Call waiter : crowd()) {
			assertThat(this.queues.leave(waiter)).isEmpty();
		}
		assertThat(this.looks).isLessThan(20 * CROWD);
	}

	@Test
	void occupantThatLeavesDoesNotLookAtAllThatWait() {
		Call occupant = enter(LockMode.EXCLUSIVE, "stock");
		for (Call waiter : crowd()) {
			List<Call> admitted = this.queues.leave(occupant);
			assertThat(admitted).singleElement().isSameAs(waiter);
			occupant = waiter;
		}
		assertThat(this.looks).isLessThan(50 * CROWD);
	}

	@Test
	void waiterBehindOneThatLeavesAsItIsAdmittedIsAdmitted() {
		Call occupant = enter(LockMode.EXCLUSIVE, "stock");
		enter(LockMode.EXCLUSIVE, "order");
		enter(LockMode.EXCLUSIVE, "order", "stock");
		Call leaving = enter(LockMode.EXCLUSIVE, "stock");
		Call next = enter(LockMode.EXCLUSIVE, "stock");
		List<Call> admittedBeside = new ArrayList<>();
		// Its names are read once to decide, and once more to lock the queues.
		leaving.whenLooked = () -> admittedBeside.addAll(this.queues.leave(leaving));
		leaving.looksLeft = 2;
		List<Call> admitted = this.queues.leave(occupant);
		assertThat(leaving.looksLeft).isZero();
		admittedBeside.addAll(admitted);
		assertThat(admittedBeside).singleElement().isSameAs(next);
	}

	@Test
	void readersOfEachNameAreAdmittedBesideAWriterThatBecameAReader() {
		Call occupant = enter(LockMode.EXCLUSIVE, "order", "stock");
		Call ofOrder = enter(LockMode.SHARED, "order");
		Call ofStock = enter(LockMode.SHARED, "stock");
		assertThat(this.queues.admitBeside(occupant)).isEmpty();
		occupant.mode = LockMode.SHARED;
		assertThat(this.queues.admitBeside(occupant)).containsExactlyInAnyOrder(ofOrder, ofStock);
	}

	@Test
	void nestedWaiterPassesOneThatWaitsForFurtherNames() {
		Call stock = enter(LockMode.EXCLUSIVE, "stock");
		enter(LockMode.EXCLUSIVE, "order");
		enter(LockMode.EXCLUSIVE, "order", "stock");
		Call nested = enter(LockMode.EXCLUSIVE, "stock");
		assertThat(this.queues.leave(stock)).singleElement().isSameAs(nested);
	}

	@Test
	void waiterBehindOneThatLeavesBeforeItsTurnIsAdmitted() {
		enter(LockMode.EXCLUSIVE, "order");
		Call first = enter(LockMode.EXCLUSIVE, "order", "stock");
		Call next = new Call(LockMode.EXCLUSIVE, "stock");
		next.nested = false;
		this.queues.enter(next, true, (occupant) -> false);
		assertThat(this.queues.leave(first)).singleElement().isSameAs(next);
	}

	@Test
	void allReadersAreAdmittedBesideEachOther() {
		Call writer = enter(LockMode.EXCLUSIVE, "stock");
		List<Call> readers = List.of(enter(LockMode.SHARED, "stock"), enter(LockMode.SHARED, "stock"),
				enter(LockMode.SHARED, "stock"));
		enter(LockMode.EXCLUSIVE, "stock");
		Call last = enter(LockMode.SHARED, "stock");
		assertThat(this.queues.leave(writer)).hasSize(4).containsAll(readers).contains(last);
	}

	/**
	 * A call that holds another lock already, as a rule.
	 */
	private final class Call implements LocalQueue.Waiter {

		private LockMode mode;

		private final List<String> names;

		private Runnable whenLooked = () -> {
		};

		private int looksLeft;

		private boolean nested = true;

		Call(LockMode mode, String... names) {
			this.mode = mode;
			this.names = List.of(names);
		}

		@Override
		public List<String> names() {
			LocalQueuesTests.this.looks++;
			if (this.looksLeft > 0 && --this.looksLeft == 0) {
				this.whenLooked.run();
			}
			return this.names;
		}

		@Override
		public LockMode mode() {
			LocalQueuesTests.this.looks++;
			return this.mode;
		}

		@Override
		public int permits() {
			return 0;
		}

		@Override
		public boolean isNested() {
			LocalQueuesTests.this.looks++;
			return this.nested;
		}

		@Override
		public boolean isSharable() {
			return false;
		}

		@Override
		public void onTurn() {
		}

	}

}
