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

import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;

import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import io.quorlock.LockMode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

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
	void waitersForEachOfTheNamesThatBecomeFreeAreAdmitted() {
		Call occupant = enter(LockMode.EXCLUSIVE, "order", "stock");
		Call ofOrder = enter(LockMode.EXCLUSIVE, "order");
		Call ofStock = enter(LockMode.EXCLUSIVE, "stock");
		assertThat(this.queues.leave(occupant)).containsExactlyInAnyOrder(ofOrder, ofStock);
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

	/** A call that holds no other lock. */
	private Call enterFirst(LockMode mode, String... names) {
		Call call = new Call(mode, names);
		call.nested = false;
		this.queues.enter(call, true, (occupant) -> false);
		return call;
	}

	@Test
	void turnComesToTheFirstOfAllQueuesAlone() {
		Call account = enterFirst(LockMode.EXCLUSIVE, "account");
		Call order = enterFirst(LockMode.EXCLUSIVE, "order");
		Call first = enterFirst(LockMode.EXCLUSIVE, "order", "stock");
		Call second = enterFirst(LockMode.EXCLUSIVE, "account", "stock");
		assertThat(this.queues.leave(account)).isEmpty();
		assertThat(this.queues.inFrontOf(second)).isSameAs(first);
		assertThat(this.queues.leave(order)).singleElement().isSameAs(first);
		assertThat(this.queues.leave(first)).singleElement().isSameAs(second);
	}

	/** It would wait for what its own call may hold. */
	@Test
	void nestedWaiterIsAdmittedInFrontOfOneThatWaitsForFurtherNames() {
		Call stock = enterFirst(LockMode.EXCLUSIVE, "stock");
		enterFirst(LockMode.EXCLUSIVE, "order");
		enterFirst(LockMode.EXCLUSIVE, "order", "stock");
		Call nested = enter(LockMode.EXCLUSIVE, "stock");
		assertThat(this.queues.leave(stock)).singleElement().isSameAs(nested);
	}

	@Test
	void nestedReaderPassesAWriterThatWaits() {
		enterFirst(LockMode.SHARED, "stock");
		Call writer = enterFirst(LockMode.EXCLUSIVE, "stock");
		Call reader = new Call(LockMode.SHARED, "stock");
		reader.nested = false;
		assertThat(this.queues.enter(reader, false, (occupant) -> false)).isSameAs(writer);
		assertThat(this.queues.enter(new Call(LockMode.SHARED, "stock"), true, (occupant) -> false)).isNull();
	}

	@Test
	void readerBehindOneOfSeveralNamesIsAdmittedToo() {
		Call writer = enterFirst(LockMode.EXCLUSIVE, "order");
		Call both = enterFirst(LockMode.SHARED, "order", "stock");
		Call reader = enterFirst(LockMode.SHARED, "order");
		assertThat(this.queues.leave(writer)).containsExactlyInAnyOrder(both, reader);
	}

	@Test
	void requestForAPermitIsAdmittedBesideThoseThatHaveOthers() {
		List<Call> holders = new ArrayList<>();
		for (int i = 0; i < 3; i++) {
			Call call = new Call(LockMode.EXCLUSIVE, "stock");
			call.permits = 2;
			call.nested = false;
			this.queues.enter(call, true, (occupant) -> false);
			holders.add(call);
		}
		assertThat(this.queues.leave(holders.get(0))).singleElement().isSameAs(holders.get(2));
	}

	/** Whichever of its names that is. */
	@Test
	void requestForSeveralNamesOneOfWhichHasPermitsIsRefused() {
		Call permit = new Call(LockMode.EXCLUSIVE, "stock");
		permit.permits = 2;
		this.queues.enter(permit, true, (occupant) -> false);
		assertThatIllegalArgumentException().isThrownBy(() -> enter(LockMode.EXCLUSIVE, "order", "stock"))
			.withMessageContaining("'stock'");
		Call next = new Call(LockMode.EXCLUSIVE, "order");
		assertThat(elsewhere(() -> this.queues.enter(next, true, (occupant) -> false)))
			.as("the other name is free still")
			.succeedsWithin(Duration.ofSeconds(20))
			.isNull();
	}

	@Test
	void leaseThatHasLeftTheQueueOrHasFurtherNamesIsHandedToNobody() {
		Call left = enterFirst(LockMode.EXCLUSIVE, "order");
		this.queues.leave(left);
		Call both = enterFirst(LockMode.EXCLUSIVE, "order", "stock");
		Call next = enterFirst(LockMode.EXCLUSIVE, "order");
		assertThat(this.queues.takeNext(left, (waiter) -> true)).isEmpty();
		assertThat(this.queues.takeNext(both, (waiter) -> true)).isEmpty();
		assertThat(this.queues.leave(both)).singleElement().isSameAs(next);
		enterFirst(LockMode.EXCLUSIVE, "order");
		assertThat(this.queues.takeNext(next, (waiter) -> true)).hasSize(1);
	}

	@Test
	void noQueueStaysLocked() {
		Call occupant = enterFirst(LockMode.EXCLUSIVE, "stock");
		Call next = enterFirst(LockMode.EXCLUSIVE, "stock");
		this.queues.inFrontOf(next);
		this.queues.occupants(next);
		this.queues.takeNext(occupant, (waiter) -> false);
		this.queues.admitBeside(occupant);
		assertThat(this.queues.leave(occupant)).hasSize(1);
		assertThat(elsewhere(() -> this.queues.leave(next))).succeedsWithin(Duration.ofSeconds(20));
	}

	/** Otherwise two calls would occupy the name, each in a queue of its own. */
	@Test
	void callThatFoundAQueueWhichIsRemovedMeanwhileEntersTheNewOne() {
		Call occupant = enterFirst(LockMode.EXCLUSIVE, "stock");
		Call late = new Call(LockMode.EXCLUSIVE, "stock");
		AtomicReference<@Nullable Thread> waiting = new AtomicReference<>();
		List<CompletableFuture<?>> entered = new ArrayList<>();
		this.queues.enter(new Call(LockMode.EXCLUSIVE, "stock"), false, (inTheWay) -> {
			entered.add(elsewhere(() -> {
				waiting.set(Thread.currentThread());
				return this.queues.enter(late, true, (other) -> false);
			}));
			Awaitility.await().until(() -> {
				Thread thread = waiting.get();
				return thread != null && thread.getState() == Thread.State.WAITING;
			});
			this.queues.leave(occupant);
			return true;
		});
		assertThat(entered.get(0)).succeedsWithin(Duration.ofSeconds(20)).isNull();
		assertThat(this.queues.enter(new Call(LockMode.EXCLUSIVE, "stock"), false, (other) -> false)).isSameAs(late);
	}

	private static <T extends @Nullable Object> CompletableFuture<T> elsewhere(Supplier<T> call) {
		return CompletableFuture.supplyAsync(call, (task) -> new Thread(task, "other-call").start());
	}

	@Test
	void nameThatNobodyUsesIsForgotten() {
		List<WeakReference<String>> names = new ArrayList<>();
		for (int i = 0; i < 100; i++) {
			String name = "stock" + i;
			names.add(new WeakReference<>(name));
			this.queues.leave(enter(LockMode.EXCLUSIVE, name));
		}
		Awaitility.await().untilAsserted(() -> {
			System.gc();
			assertThat(names.stream().filter((name) -> name.get() != null)).hasSizeLessThan(10);
		});
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

		private int permits;

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
			return this.permits;
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
