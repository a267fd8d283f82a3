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
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.mockito.Mockito;

import io.quorlock.LockHandle;
import io.quorlock.LockKeyException;
import io.quorlock.LockMode;
import io.quorlock.LockRequest;
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

	private static LockPageRequest page(@Nullable Long after, int limit) {
		return new LockPageRequest(after, limit, (baseName, names) -> !baseName.equals("hidden"));
	}

	@Test
	void holdsAndWaitsAreListedWithTheOldestFirst() {
		this.fake.held(LockRequest.of("b"));
		this.fake.time.advance(SECOND);
		this.fake.held(LockRequest.of("a"));
		this.fake.time.advance(SECOND);
		this.fake.held(LockRequest.of("c"));
		this.fake.acquire(LockRequest.of("b"));
		this.fake.time.advance(SECOND);
		this.fake.acquire(LockRequest.of("a"));
		assertThat(this.inspector.held()).extracting(LockHold::baseName).containsExactly("b", "a", "c");
		assertThat(this.inspector.held()).extracting(LockHold::heldFor)
			.containsExactly(SECOND.multipliedBy(3), SECOND.multipliedBy(2), SECOND);
		assertThat(this.inspector.waiting()).extracting(LockWait::baseName).containsExactly("b", "a");
		assertThat(this.inspector.waiting()).extracting(LockWait::waitedFor).containsExactly(SECOND, Duration.ZERO);
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
		assertThat(this.inspector.held(page(null, 10)).total()).isZero();
	}

	@Test
	void retainedLeaseIsListedAsSuchAndNotAsHeld() {
		LockRequest retained = ORDER.key(42).retainTime(Duration.ofSeconds(20));
		CompletableFuture<LockHandle> lock = this.fake.acquire(retained);
		FakeGrant grant = this.fake.grant();
		assertThat(this.inspector.retained()).isEmpty();
		assertThat(this.inspector.retained(page(null, 10)).total()).isZero();
		lock.join().closeAsync();
		grant.validUntil(this.fake.time.nanoTime() + SECOND.toNanos());
		RetainedLease expected = new RetainedLease("order:42", "order", grant.owner(), SECOND, List.of("fake"));
		assertThat(this.inspector.retained()).containsExactly(expected);
		assertThat(this.inspector.retained(page(null, 10)).entries()).containsExactly(expected);
		assertThat(this.inspector.held()).isEmpty();
		assertThat(this.inspector.held(page(null, 10)).total()).isZero();
		assertThat(this.inspector.heldByBaseName()).isEmpty();
		grant.end();
		assertThat(this.inspector.retained()).isEmpty();
		assertThat(this.inspector.retained(page(null, 10)).total()).isZero();
	}

	@Test
	void pagesOfHoldsFollowEachOtherAndLeaveOutWhatTheFilterRefuses() {
		this.fake.held(LockRequest.of("hidden").key(1));
		this.fake.held(ORDER.key(1));
		this.fake.time.advance(SECOND);
		this.fake.held(ORDER.key(2));
		LockPage<LockHold> first = this.inspector.held(page(null, 1));
		assertThat(first.entries()).extracting(LockHold::names).containsExactly(List.of("order:1"));
		assertThat(first.total()).isEqualTo(2);
		assertThat(first.more()).isTrue();
		LockPage<LockHold> second = this.inspector.held(page(first.position(), 1));
		assertThat(second.entries()).extracting(LockHold::names).containsExactly(List.of("order:2"));
		assertThat(second.more()).isFalse();
	}

	@Test
	void pagesOfWaitsAndOfRetainedLeasesFollowEachOtherAndLeaveOutWhatTheFilterRefuses() {
		for (String name : List.of("hidden", "order", "stock")) {
			this.fake.held(LockRequest.of(name).retainTime(Duration.ofSeconds(20))).closeAsync();
			this.fake.acquire(LockRequest.of(name).key(1));
			this.fake.time.advance(SECOND);
		}
		LockPage<RetainedLease> retained = this.inspector.retained(page(null, 1));
		assertThat(retained.entries()).extracting(RetainedLease::name).containsExactly("order");
		assertThat(retained.total()).isEqualTo(2);
		assertThat(this.inspector.retained(page(retained.position(), 1)).entries()).extracting(RetainedLease::name)
			.containsExactly("stock");
		LockPage<LockWait> waiting = this.inspector.waiting(page(null, 1));
		assertThat(waiting.entries()).extracting(LockWait::baseName).containsExactly("order");
		assertThat(waiting.total()).isEqualTo(2);
		assertThat(this.inspector.waiting(page(waiting.position(), 1)).entries()).extracting(LockWait::baseName)
			.containsExactly("stock");
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
		LockEngine engine = LockEngine
			.builder(TestSettings.defaults("app").engineBuilder().build(), this.fake.store, this.fake.time,
					this.fake.time)
			.callbacks(userCode::add)
			.build();
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
		LockEngine engine = LockEngine
			.builder(TestSettings.defaults("app").engineBuilder().build(), store, this.fake.time, this.fake.time)
			.callbacks(Runnable::run)
			.build();
		assertThat(new LockInspector(engine).status("order")).isSameAs(ofName);
	}

	@Test
	void whatIsNoNameHasNoStatusAndIsNotAskedFor() {
		assertThatExceptionOfType(LockKeyException.class).isThrownBy(() -> this.inspector.status(""));
		assertThatExceptionOfType(LockKeyException.class)
			.isThrownBy(() -> this.inspector.requestRelease("", Duration.ZERO));
	}

}
