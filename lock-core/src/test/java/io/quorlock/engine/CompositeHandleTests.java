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

import java.lang.Thread.State;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.mockito.Mockito;

import io.quorlock.LockAtRiskEvent;
import io.quorlock.LockContext;
import io.quorlock.LockHandle;
import io.quorlock.LockLostEvent;
import io.quorlock.LockLostException;
import io.quorlock.LockMode;
import io.quorlock.LockNotAcquiredException;
import io.quorlock.LockRequest;
import io.quorlock.ReleaseRequest;
import io.quorlock.spi.ReentrantLockHandle;
import io.quorlock.store.ClaimFailure;
import io.quorlock.store.FakeGrant;
import io.quorlock.store.FakeLeaseStore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.mockito.BDDMockito.given;

/**
 * Tests for {@link CompositeHandle}: two leases as one handle, which a call gets that
 * asks for a name that it holds and for one that it does not.
 */
class CompositeHandleTests {

	private static final LockRequest BOTH = LockRequest.ofAll("a", "b");

	private final FakeStoreEngine fake = new FakeStoreEngine();

	private final DefaultLockTemplate template = new DefaultLockTemplate(this.fake.engine);

	private final CompletableFuture<LockHandle> outer = this.fake.acquire(LockRequest.of("a"));

	private final FakeGrant first = this.fake.grant();

	/** Asks for both names, of which the outer call holds the first. */
	private CompletableFuture<LockHandle> ask() {
		LockContext context = LockContext.with(this.outer.join(), null);
		return this.template.acquireAsync(BOTH.within(context)).toCompletableFuture();
	}

	private List<String> released() {
		return this.fake.store.releases().stream().map((release) -> release.grant().toString()).toList();
	}

	@Test
	void tokensAreThoseOfTheNames() {
		CompletableFuture<LockHandle> asked = ask();
		this.fake.grant();
		LockHandle both = asked.join();
		assertThat(both.fencingToken("a")).isEqualTo(1_000);
		assertThat(both.fencingToken("b")).isEqualTo(2_000);
		assertThatIllegalArgumentException().isThrownBy(() -> both.fencingToken("c"));
		assertThatIllegalStateException().isThrownBy(both::fencingToken).withMessageContaining("'a,b'");
	}

	@Test
	void lossOfEitherLeaseIsALossOfBothAndIsToldOnce() {
		CompletableFuture<LockHandle> asked = ask();
		FakeGrant second = this.fake.grant();
		LockHandle both = asked.join();
		List<LockLostEvent> losses = new ArrayList<>();
		both.onLost(losses::add);
		both.ensureHeld();
		second.lose("another has it");
		assertThat(both.isHeld()).isFalse();
		assertThatExceptionOfType(LockLostException.class).isThrownBy(both::ensureHeld).withMessageContaining("'b'");
		assertThat(both.loss()).isPresent();
		this.first.lose("another has it");
		assertThat(losses).extracting(LockLostEvent::name).containsExactly("b");
	}

	@Test
	void handleIsExclusiveUnlessAPartIsShared() {
		CompletableFuture<LockHandle> asked = ask();
		this.fake.grant();
		LockHandle both = asked.join();
		assertThat(both.mode()).isEqualTo(LockMode.EXCLUSIVE);
		this.outer.join().downgrade();
		assertThat(both.mode()).isEqualTo(LockMode.SHARED);
	}

	@Test
	void downgradeChangesOnlyWhatIsStillExclusive() {
		CompletableFuture<LockHandle> asked = ask();
		FakeGrant second = this.fake.grant();
		LockHandle both = asked.join();
		this.outer.join().downgrade();
		both.downgrade();
		assertThat(List.of(this.first, second)).extracting(FakeGrant::mode).containsOnly(LockMode.SHARED);
		assertThatIllegalStateException().isThrownBy(both::downgrade).withMessageContaining("'a,b'");
	}

	@Test
	void nothingIsDowngradedOnceALeaseIsLost() {
		CompletableFuture<LockHandle> asked = ask();
		FakeGrant second = this.fake.grant();
		second.lose("another has it");
		assertThatExceptionOfType(LockLostException.class).isThrownBy(asked.join()::downgrade);
		assertThat(this.first.mode()).isEqualTo(LockMode.EXCLUSIVE);
	}

	/** The next process may be asked to go on as soon as it returns. */
	@Test
	void closeWaitsForTheReleasesOfAllLeases() {
		ReentrantLockHandle one = Mockito.mock();
		ReentrantLockHandle other = Mockito.mock();
		CompletableFuture<@Nullable Void> released = new CompletableFuture<>();
		given(one.closeAsync()).willReturn(CompletableFuture.completedFuture(null));
		given(other.closeAsync()).willReturn(released);
		CompositeHandle both = new CompositeHandle(List.of(one, other));
		Thread caller = new Thread(both::close);
		caller.start();
		Awaitility.await().until(caller::getState, (state) -> state == State.WAITING || state == State.TERMINATED);
		assertThat(caller.getState()).isEqualTo(State.WAITING);
		released.complete(null);
		Awaitility.await().until(() -> !caller.isAlive());
	}

	/** Another engine must not take its names for locked. */
	@Test
	void handleIsOfTheEngineThatGrantedIt() {
		CompletableFuture<LockHandle> asked = ask();
		this.fake.grant();
		ReentrantLockHandle both = (ReentrantLockHandle) asked.join();
		assertThat(both.isGrantedBy(this.fake.engine)).isTrue();
		assertThat(both.isGrantedBy(new FakeStoreEngine().engine)).isFalse();
	}

	/** R26. */
	@Test
	void riskLastsAsLongAsThatOfAnyLease() {
		CompletableFuture<LockHandle> asked = ask();
		FakeGrant second = this.fake.grant();
		List<Boolean> risks = new ArrayList<>();
		asked.join().onAtRisk((event) -> risks.add(event.atRisk()));
		this.first.risk("no reply");
		second.risk("no reply");
		this.first.safe();
		assertThat(risks).containsExactly(true);
		second.safe();
		assertThat(risks).containsExactly(true, false);
		second.risk("no reply");
		assertThat(risks).containsExactly(true, false, true);
	}

	@Test
	void callbacksOfAClosedHandleAreForgotten() {
		CompletableFuture<LockHandle> asked = ask();
		this.fake.grant();
		List<LockAtRiskEvent> risks = new ArrayList<>();
		List<ReleaseRequest> requests = new ArrayList<>();
		List<LockLostEvent> losses = new ArrayList<>();
		LockHandle both = asked.join();
		both.onAtRisk(risks::add);
		both.onReleaseRequested(requests::add);
		both.onLost(losses::add);
		both.closeAsync();
		this.first.risk("no reply");
		this.first.requestRelease(Duration.ofSeconds(1));
		this.first.lose("another has it");
		assertThat(risks).isEmpty();
		assertThat(requests).isEmpty();
		assertThat(losses).isEmpty();
	}

	@Test
	void extensionExtendsBothLeases() {
		CompletableFuture<LockHandle> asked = ask();
		this.fake.grant();
		asked.join().extend(Duration.ofSeconds(40));
		assertThat(this.fake.store.calls()).contains("extend a by PT40S", "extend b by PT40S");
	}

	@Test
	void coolDownIsThatOfBothLeases() {
		CompletableFuture<LockHandle> asked = ask();
		this.fake.grant();
		LockHandle both = asked.join();
		both.holdAtLeast(Duration.ofSeconds(10));
		both.closeAsync();
		this.outer.join().closeAsync();
		assertThat(this.fake.store.releases()).hasSize(2)
			.extracting(FakeLeaseStore.Released::cooldown)
			.containsOnly(Duration.ofSeconds(10));
	}

	@Test
	void requestToReleaseEitherLeaseReachesTheCallback() {
		CompletableFuture<LockHandle> asked = ask();
		FakeGrant second = this.fake.grant();
		List<ReleaseRequest> requests = new ArrayList<>();
		asked.join().onReleaseRequested(requests::add);
		this.first.requestRelease(Duration.ofSeconds(1));
		second.requestRelease(Duration.ofSeconds(2));
		assertThat(requests).extracting(ReleaseRequest::names).containsExactly(List.of("a"), List.of("b"));
	}

	@Test
	void closeReleasesWhatTheOuterCallDoesNotHold() {
		CompletableFuture<LockHandle> asked = ask();
		this.fake.grant();
		LockHandle both = asked.join();
		assertThat(both.isHeld()).isTrue();
		both.closeAsync();
		assertThat(both.isHeld()).isFalse();
		assertThat(released()).containsExactly("b");
		this.outer.join().closeAsync();
		assertThat(released()).containsExactly("b", "a");
	}

	/** Otherwise the first lease would never be released. */
	@Test
	void reentryThatFailsForTheSecondLeaseLeavesTheFirst() {
		CompletableFuture<LockHandle> asked = ask();
		FakeGrant second = this.fake.grant();
		LockHandle both = asked.join();
		second.end();
		assertThatExceptionOfType(LockLostException.class)
			.isThrownBy(() -> ((ReentrantLockHandle) both).reenter(List.of("a", "b")));
		both.closeAsync();
		this.outer.join().closeAsync();
		assertThat(released()).contains("a");
	}

	@Test
	void reentryIsForTheNamesThatAreAskedFor() {
		LockContext context = LockContext.with(this.outer.join(), null);
		CompletableFuture<LockHandle> asked = this.template
			.acquireAsync(LockRequest.ofAll("a", "b", "c").within(context))
			.toCompletableFuture();
		this.fake.grant();
		ReentrantLockHandle all = (ReentrantLockHandle) asked.join();
		assertThat(all.reenter(List.of("a", "b")).names()).containsExactly("a", "b");
		assertThat(all.reenter(List.of("c")).names()).containsExactly("c");
	}

	@Test
	void nameThatIsNotGrantedLeavesTheOneThatIsHeldToTheOuterCall() {
		CompletableFuture<LockHandle> asked = ask();
		this.fake.store.contender().fail(new ClaimFailure.Held("other@host:2", "other@host:2 holds it"));
		assertThat(asked).isCompletedExceptionally()
			.failsWithin(Duration.ZERO)
			.withThrowableThat()
			.withCauseInstanceOf(LockNotAcquiredException.class);
		assertThat(this.outer.join().isHeld()).isTrue();
		this.outer.join().closeAsync();
		assertThat(released()).containsExactly("a");
	}

	@Test
	void cancelledRequestAsksForTheMissingNameNoMore() {
		CompletableFuture<LockHandle> asked = ask();
		asked.cancel(true);
		assertThat(this.fake.store.contender().isCancelled()).isTrue();
		this.outer.join().closeAsync();
		assertThat(released()).containsExactly("a");
	}

	@Test
	void requestThatIsRefusedLeavesTheNameThatIsHeldToTheOuterCall() {
		LockContext context = LockContext.with(this.outer.join(), null);
		LockRequest tooLong = BOTH.leaseTime(Duration.ofDays(1)).within(context);
		assertThatIllegalArgumentException().isThrownBy(() -> this.template.acquireAsync(tooLong));
		assertThatIllegalArgumentException().isThrownBy(() -> this.template.acquire(tooLong));
		this.outer.join().closeAsync();
		assertThat(released()).containsExactly("a");
	}

	/** By another thread, perhaps. */
	@Test
	void nameWhoseHandleWasClosedIsAskedForAgain() {
		LockHandle closed = this.fake.held(LockRequest.of("b"));
		LockContext context = LockContext.with(closed, LockContext.with(this.outer.join(), null));
		closed.closeAsync();
		CompletableFuture<LockHandle> both = this.template.acquireAsync(BOTH.within(context)).toCompletableFuture();
		assertThat(both).isNotDone();
		this.fake.grant();
		assertThat(both.join().names()).containsExactly("a", "b");
		assertThat(both.join().fencingToken("b")).isEqualTo(3_000);
	}

}
