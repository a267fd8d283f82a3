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
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import io.quorlock.LockHandle;
import io.quorlock.LockLostEvent;
import io.quorlock.LockRequest;
import io.quorlock.engine.event.LockListener;
import io.quorlock.logging.CapturedLog;
import io.quorlock.logging.LogCaptureExtension;
import io.quorlock.store.ClaimFailure;
import io.quorlock.store.FakeContender;
import io.quorlock.store.FakeGrant;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What listeners and the log are told of locks: the times, the counts and the outcomes
 * that metrics are made of.
 */
@ExtendWith(LogCaptureExtension.class)
class LockReportTests {

	private static final LockRequest ORDER = LockRequest.of("order");

	private final List<String> events = new ArrayList<>();

	private final List<LockLostEvent> losses = new ArrayList<>();

	private final FakeStoreEngine fake = new FakeStoreEngine(new Notes());

	private void advance(int seconds) {
		this.fake.time.advance(Duration.ofSeconds(seconds));
	}

	@Test
	void waitGrantAndReleaseAreToldWithTheirTimes() {
		CompletableFuture<LockHandle> lock = this.fake.acquire(ORDER);
		FakeContender contender = this.fake.store.contender();
		contender.waits();
		contender.waits();
		advance(2);
		contender.grant();
		advance(3);
		lock.join().closeAsync();
		assertThat(this.events).containsExactly("order waits", "order acquired after PT2S and 1 attempts",
				"order released after PT3S");
	}

	@Test
	void holdThatFollowsAnotherIsToldWithItsOwnTimes() {
		LockHandle first = this.fake.held(ORDER);
		CompletableFuture<LockHandle> second = this.fake.acquire(ORDER);
		this.fake.time.advance(Duration.ofMillis(40));
		this.events.clear();
		first.closeAsync();
		advance(1);
		second.join().closeAsync();
		assertThat(this.events).containsExactlyInAnyOrder("order released after PT0.04S",
				"order acquired after PT0.04S and 0 attempts", "order released after PT1S");
	}

	@Test
	void waitBehindAnotherRequestOfThisInstanceIsToldOnce() {
		this.fake.held(ORDER);
		this.events.clear();
		this.fake.acquire(ORDER);
		assertThat(this.events).containsExactly("order waits");
		advance(1);
		assertThat(this.events).containsExactly("order waits");
	}

	@Test
	void requestThatHasEndedIsNotToldToWait() {
		CompletableFuture<LockHandle> lock = this.fake.acquire(ORDER);
		FakeContender contender = this.fake.store.contender();
		lock.cancel(true);
		contender.waits();
		assertThat(this.events).containsExactly("order refused after PT0S and 1 attempts");
	}

	/** What begins without a grant must not end with a release. */
	@Test
	void lockThatIsGrantedToARequestThatHasEndedIsNoHold() {
		CompletableFuture<LockHandle> lock = this.fake.acquire(ORDER);
		lock.cancel(true);
		this.fake.grant();
		assertThat(this.fake.store.releases()).hasSize(1);
		assertThat(this.events).containsExactly("order refused after PT0S and 1 attempts");
	}

	@Test
	void refusalIsToldApartFromAnOutage() {
		this.fake.acquire(ORDER);
		advance(1);
		this.fake.store.contender().fail(new ClaimFailure.Held("other@host:2", "other@host:2 holds it"));
		this.fake.acquire(ORDER);
		advance(2);
		this.fake.store.contender().fail(new ClaimFailure.Unavailable("no node replied"));
		assertThat(this.events).containsExactly("order refused after PT1S and 1 attempts",
				"order unavailable after PT2S and 1 attempts");
	}

	@Test
	void renewalsAreToldWithTheirOutcome() {
		this.fake.acquire(ORDER);
		FakeGrant grant = this.fake.grant();
		this.events.clear();
		grant.renewed(true);
		grant.renewed(false);
		assertThat(this.events).containsExactly("order renewed true", "order renewed false");
	}

	@Test
	void lossIsToldAndLoggedOnceWithTheTimeOfTheHold(CapturedLog output) {
		CompletableFuture<LockHandle> lock = this.fake.acquire(ORDER);
		FakeGrant grant = this.fake.grant();
		advance(4);
		grant.lose("another has it");
		grant.lose("another has it");
		lock.join().closeAsync();
		LockLostEvent expected = new LockLostEvent(List.of("order"), grant.owner(), Duration.ofSeconds(4),
				"another has it");
		assertThat(this.losses).containsExactly(expected);
		assertThat(this.events).doesNotContain("order released after PT4S");
		assertThat(output).containsOnlyOnce("Lock 'order' was lost after 4000 ms: another has it");
	}

	@Test
	void listenerHearsOfNothingButTheEventsThatItNames() {
		List<String> heard = new ArrayList<>();
		LockListener listener = new LockListener() {

			@Override
			public Set<Event> events() {
				return EnumSet.of(Event.RELEASED);
			}

			@Override
			public void onAcquired(LockRequest request, LockHandle handle, Duration waited, int attempts) {
				heard.add("acquired");
			}

			@Override
			public void onReleased(LockRequest request, Duration held) {
				heard.add("released");
			}

		};
		new FakeStoreEngine(listener).held(ORDER).closeAsync();
		assertThat(heard).containsExactly("released");
	}

	private static String held(String name, int seconds) {
		return "Lock '%s' has been held for %d s by a request of thread '%s'".formatted(name, seconds,
				Thread.currentThread().getName());
	}

	/** Twenty leases of 30 s. */
	@Test
	void holdIsReportedOnceAsSoonAsItLastsLong(CapturedLog output) {
		CompletableFuture<LockHandle> lock = this.fake.acquire(ORDER);
		FakeGrant grant = this.fake.grant();
		// As any holder may, who hears of no requests.
		lock.join().onLost(this.losses::add);
		advance(600);
		grant.renewed(true);
		assertThat(output).doesNotContain("has been held for");
		advance(1);
		grant.renewed(true);
		grant.renewed(true);
		assertThat(output).containsOnlyOnce("has been held for")
			.contains(held("order", 601))
			.contains("Set distributed-lock.leak-detection to record where it was taken");
	}

	@Test
	void nextHolderOfTheLeaseIsReportedToo(CapturedLog output) {
		FakeStoreEngine patient = new FakeStoreEngine((settings) -> settings.set(EngineSettings::handoverMax, 16)
			.set(EngineSettings::handoverMaxDuration, Duration.ofHours(1)));
		CompletableFuture<LockHandle> first = patient.acquire(ORDER);
		FakeGrant grant = patient.grant();
		patient.time.advance(Duration.ofSeconds(601));
		grant.renewed(true);
		CompletableFuture<LockHandle> second = patient.acquire(ORDER);
		first.join().closeAsync();
		assertThat(second).isCompletedWithValueMatching(LockHandle::isHeld);
		grant.renewed(true);
		assertThat(output).containsOnlyOnce("has been held for");
		patient.time.advance(Duration.ofSeconds(700));
		grant.renewed(true);
		assertThat(output).contains(held("order", 601)).contains(held("order", 700));
	}

	@Test
	void reportOfALongHoldSaysWhereItWasTakenIfThatIsRecorded(CapturedLog output) {
		FakeStoreEngine recording = new FakeStoreEngine(
				(settings) -> settings.set(EngineSettings::recordingCallers, true));
		recording.acquire(ORDER);
		FakeGrant grant = recording.grant();
		recording.time.advance(Duration.ofSeconds(601));
		grant.renewed(true);
		assertThat(output).contains("It was acquired here:")
			.contains("LockReportTests.reportOfALongHoldSaysWhereItWasTakenIfThatIsRecorded");
	}

	private final class Notes implements LockListener {

		private void note(LockRequest request, String event, Object... values) {
			LockReportTests.this.events.add(request.baseName() + " " + event.formatted(values));
		}

		@Override
		public void onWaiting(LockRequest request) {
			note(request, "waits");
		}

		@Override
		public void onAcquired(LockRequest request, LockHandle handle, Duration waited, int attempts) {
			note(request, "acquired after %s and %d attempts", waited, attempts);
		}

		@Override
		public void onNotAcquired(LockRequest request, boolean unavailable, Duration waited, int attempts) {
			note(request, "%s after %s and %d attempts", unavailable ? "unavailable" : "refused", waited, attempts);
		}

		@Override
		public void onRenewed(LockRequest request, boolean success) {
			note(request, "renewed %s", success);
		}

		@Override
		public void onReleased(LockRequest request, Duration held) {
			note(request, "released after %s", held);
		}

		@Override
		public void onLost(LockRequest request, LockLostEvent event) {
			LockReportTests.this.losses.add(event);
		}

	}

}
