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

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.mockito.Mockito;

import io.quorlock.LockHandle;
import io.quorlock.LockKeyException;
import io.quorlock.LockMode;
import io.quorlock.LockRequest;
import io.quorlock.engine.inspect.LockHold;
import io.quorlock.engine.inspect.LockListing;
import io.quorlock.engine.inspect.LockWait;
import io.quorlock.engine.inspect.RetainedLease;
import io.quorlock.store.FakeGrant;
import io.quorlock.store.LeaseStore;
import io.quorlock.store.StoreStatus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.entry;
import static org.mockito.BDDMockito.given;

/**
 * What {@link LockInspector} says of the locks and requests of an engine, while time
 * stands still.
 */
class LockInspectorReportTests {

	private static final LockRequest ORDER = LockRequest.of("order");

	private static final Duration SECOND = Duration.ofSeconds(1);

	private final FakeStoreEngine fake = new FakeStoreEngine();

	private final LockInspector inspector = new LockInspector(this.fake.engine);

	private static @Nullable String label(String baseName, List<String> names) {
		return baseName.equals("hidden") ? null : names.get(0);
	}

	@Test
	void holdsAndWaitsAreListedByName() {
		this.fake.held(LockRequest.of("b"));
		this.fake.time.advance(SECOND);
		this.fake.held(LockRequest.of("a"));
		this.fake.time.advance(SECOND);
		this.fake.held(LockRequest.of("c"));
		this.fake.acquire(LockRequest.of("b"));
		this.fake.time.advance(SECOND);
		this.fake.acquire(LockRequest.of("a"));
		assertThat(this.inspector.held()).extracting(LockHold::baseName).containsExactly("a", "b", "c");
		assertThat(this.inspector.held()).extracting(LockHold::heldFor)
			.containsExactly(SECOND.multipliedBy(2), SECOND.multipliedBy(3), SECOND);
		assertThat(this.inspector.waiting()).extracting(LockWait::baseName).containsExactly("a", "b");
		assertThat(this.inspector.waiting()).extracting(LockWait::waitedFor).containsExactly(Duration.ZERO, SECOND);
	}

	@Test
	void holdersAndWaitsAreCountedByTheNameWithoutItsKey() {
		this.fake.held(ORDER.key(1));
		this.fake.held(ORDER.key(2));
		this.fake.held(LockRequest.of("export").permits(2));
		this.fake.acquire(ORDER.key(1));
		this.fake.acquire(ORDER.key(2));
		assertThat(this.inspector.heldByBaseName()).containsOnly(entry("order", 2), entry("export", 1));
		assertThat(this.inspector.permitsByBaseName()).containsExactly(entry("export", 1));
		assertThat(this.inspector.waitingByBaseName()).containsExactly(entry("order", 2));
	}

	@Test
	void holdAfterAHandOverHasTheTokenAndTheTimeOfItsOwn() {
		LockHandle first = this.fake.held(ORDER);
		this.fake.time.advance(SECOND.dividedBy(100));
		CompletableFuture<LockHandle> second = this.fake.acquire(ORDER);
		first.closeAsync();
		assertThat(second.join().fencingToken()).isEqualTo(first.fencingToken() + 1);
		assertThat(this.inspector.held()).singleElement().satisfies((hold) -> {
			assertThat(hold.fencingTokens()).containsExactly(entry("order", second.join().fencingToken()));
			assertThat(hold.heldFor()).isZero();
		});
	}

	@Test
	void readerAndWriterAreToldApart() {
		this.fake.held(ORDER.shared());
		this.fake.acquire(ORDER);
		assertThat(this.inspector.held()).extracting(LockHold::mode).containsExactly(LockMode.SHARED);
		assertThat(this.inspector.waiting()).extracting(LockWait::mode).containsExactly(LockMode.EXCLUSIVE);
	}

	@Test
	void waitSaysHowOftenTheStoreWasAsked() {
		this.fake.acquire(ORDER);
		assertThat(this.inspector.waiting()).extracting(LockWait::attempts).containsExactly(1);
	}

	/** Nobody holds it, although nobody has noticed its end yet. */
	@Test
	void leaseWhoseTimeIsOverIsNotListed() {
		this.fake.acquire(ORDER);
		FakeGrant grant = this.fake.grant();
		grant.end();
		assertThat(this.inspector.held()).isEmpty();
	}

	@Test
	void retainedLeaseIsListedAsSuchAndNotAsHeld() {
		LockRequest retained = ORDER.key(42).retainTime(Duration.ofSeconds(20));
		CompletableFuture<LockHandle> lock = this.fake.acquire(retained);
		FakeGrant grant = this.fake.grant();
		assertThat(this.inspector.retained()).isEmpty();
		lock.join().closeAsync();
		grant.validUntil(this.fake.time.nanoTime() + SECOND.toNanos());
		RetainedLease expected = new RetainedLease("order:42", "order", grant.owner(), SECOND, List.of("fake"));
		assertThat(this.inspector.retained()).containsExactly(expected);
		assertThat(this.inspector.held()).isEmpty();
		assertThat(this.inspector.heldByBaseName()).isEmpty();
		grant.end();
		assertThat(this.inspector.retained()).isEmpty();
	}

	@Test
	void firstAreListedAndAllAreCountedButThoseThatAreLeftOut() {
		for (int key = 9; key > 0; key--) {
			this.fake.held(LockRequest.of("hidden").key(key));
			this.fake.held(LockRequest.of("kept").key(key).retainTime(Duration.ofSeconds(20))).closeAsync();
			this.fake.held(ORDER.key(key));
			this.fake.acquire(ORDER.key(key));
		}
		LockListing<LockHold> held = this.inspector.held(2, LockInspectorReportTests::label);
		assertThat(held.entries()).extracting(LockHold::names).containsExactly(List.of("order:1"), List.of("order:2"));
		assertThat(held.total()).isEqualTo(9);
		LockListing<RetainedLease> retained = this.inspector.retained(1, LockInspectorReportTests::label);
		assertThat(retained.entries()).extracting(RetainedLease::name).containsExactly("kept:1");
		assertThat(retained.total()).isEqualTo(9);
		LockListing<LockWait> waiting = this.inspector.waiting(1, LockInspectorReportTests::label);
		assertThat(waiting.entries()).extracting(LockWait::names).containsExactly(List.of("order:1"));
		assertThat(waiting.total()).isEqualTo(9);
	}

	/** Whoever reads a list of a hundred thousand locks does not copy it. */
	@Test
	void onlyWhatIsListedIsDescribed() {
		List<Integer> described = new ArrayList<>();
		LockListing<Integer> listing = LockInspector.list(IntStream.range(0, 1_000).mapToObj((i) -> (i * 7) % 1_000), 3,
				Comparator.<Integer>naturalOrder(), (each) -> {
					described.add(each);
					return each;
				});
		assertThat(listing).isEqualTo(new LockListing<>(List.of(0, 1, 2), 1_000));
		assertThat(described).containsExactly(0, 1, 2);
	}

	@Test
	void lockWithoutPermitsIsReleasedByForceAsAWhole() {
		this.fake.store.calls().clear();
		this.inspector.forceRelease("order").join();
		assertThat(this.fake.store.calls()).containsExactly("force order");
	}

	/** What is done with a reply may block, which a thread of the store must not. */
	@Test
	void repliesOfTheStoreArriveOnThreadsForUserCode() {
		Queue<Runnable> userCode = new ArrayDeque<>();
		LockEngine engine = new LockEngine(TestSettings.defaults("app").engineBuilder().build(), this.fake.store,
				this.fake.time, this.fake.time, userCode::add);
		LockInspector asked = new LockInspector(engine);
		List<CompletableFuture<?>> replies = List.of(asked.inspect("order"), asked.forceRelease("order"),
				asked.requestRelease("order", SECOND));
		assertThat(replies).noneMatch(CompletableFuture::isDone);
		userCode.forEach(Runnable::run);
		assertThat(replies).allMatch(CompletableFuture::isDone);
		assertThat(this.fake.store.calls()).endsWith("inspect order", "force order", "request order within PT1S");
	}

	@Test
	void statusOfANameIsThatOfItsNodes() {
		LeaseStore store = Mockito.mock();
		StoreStatus ofName = new StoreStatus(true, 2, List.of());
		given(store.status(List.of("order"))).willReturn(ofName);
		LockEngine engine = new LockEngine(TestSettings.defaults("app").engineBuilder().build(), store, this.fake.time,
				this.fake.time, Runnable::run);
		assertThat(new LockInspector(engine).status("order")).isSameAs(ofName);
	}

	@Test
	void whatIsNoNameHasNoStatusAndIsNotAskedFor() {
		assertThatExceptionOfType(LockKeyException.class).isThrownBy(() -> this.inspector.status(""));
		assertThatExceptionOfType(LockKeyException.class)
			.isThrownBy(() -> this.inspector.requestRelease("", Duration.ZERO));
	}

}
