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
import java.util.List;
import java.util.concurrent.CompletableFuture;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import io.quorlock.LockAtRiskEvent;
import io.quorlock.LockHandle;
import io.quorlock.LockRequest;
import io.quorlock.Settings;
import io.quorlock.engine.event.LockListener;
import io.quorlock.logging.CapturedLog;
import io.quorlock.logging.LogCaptureExtension;
import io.quorlock.store.FakeGrant;
import io.quorlock.store.Grant;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link RiskReports} (R26): who is told of a risk, and what.
 */
@ExtendWith(LogCaptureExtension.class)
class RiskReportsTests {

	private static final LockRequest ORDER = LockRequest.of("order");

	private final List<LockAtRiskEvent> heard = new ArrayList<>();

	private final List<LockRequest> requests = new ArrayList<>();

	private final List<Runnable> tasks = new ArrayList<>();

	private final FakeStoreEngine fake = new FakeStoreEngine(new LockListener() {

		@Override
		public void onAtRisk(LockRequest request, LockAtRiskEvent event) {
			RiskReportsTests.this.requests.add(request);
			RiskReportsTests.this.heard.add(event);
		}

	});

	@Test
	void riskIsLoggedWithTheTimeThatIsLeftAndItsEndToo(CapturedLog output) {
		this.fake.acquire(ORDER);
		FakeGrant grant = this.fake.grant();
		grant.validUntil(this.fake.time.nanoTime() + Duration.ofSeconds(30).toNanos());
		this.fake.time.advance(Duration.ofSeconds(22));
		grant.risk("no reply");
		assertThat(output).contains("Lock 'order' is at risk: it is lost in 8000 ms unless a renewal is confirmed, and "
				+ "none was for 23000 ms: no reply");
		grant.safe();
		assertThat(output).contains("Lock 'order' is safe again: its renewal was confirmed, 8000 ms are left");
		assertThat(this.heard).extracting(LockAtRiskEvent::remaining).containsOnly(Duration.ofSeconds(8));
	}

	@Test
	void riskThatTheStoreHasLoggedForAllItsLeasesIsToldWithoutALine(CapturedLog output) {
		this.fake.acquire(ORDER);
		FakeGrant grant = this.fake.grant();
		grant.risk("no reply", Grant.Episode.OF_STORE);
		grant.safe();
		assertThat(this.heard).extracting(LockAtRiskEvent::atRisk).containsExactly(true, false);
		assertThat(output).doesNotContain("is at risk", "is safe again");
	}

	@Test
	void riskThatIsOlderThanTheLeaseIsKnownToThoseWhoAskOnly(CapturedLog output) {
		CompletableFuture<LockHandle> lock = acquireWithCallbacksThatWait();
		FakeGrant grant = this.fake.grant();
		runCallbacks();
		grant.risk("no reply", Grant.Episode.BEFORE_GRANT);
		List<Boolean> told = new ArrayList<>();
		lock.join().onAtRisk((event) -> told.add(event.atRisk()));
		runCallbacks();
		grant.safe();
		runCallbacks();
		assertThat(told).containsExactly(true, false);
		assertThat(this.heard).isEmpty();
		assertThat(output).doesNotContain("is at risk", "is safe again");
	}

	@Test
	void eachReaderOfTheLeaseIsTold() {
		LockRequest one = ORDER.shared();
		LockRequest other = ORDER.shared().waitTime(Duration.ofSeconds(1));
		this.fake.acquire(one);
		FakeGrant grant = this.fake.grant();
		assertThat(this.fake.acquire(other)).isCompletedWithValueMatching(LockHandle::isHeld);
		grant.risk("no reply");
		assertThat(this.requests).containsExactly(one, other);
	}

	/** The code of the callback runs on a thread of its own, perhaps much later. */
	@Test
	void callbackOfAHandleThatWasClosedMeanwhileDoesNotRun() {
		CompletableFuture<LockHandle> lock = acquireWithCallbacksThatWait();
		FakeGrant grant = this.fake.grant();
		runCallbacks();
		List<LockAtRiskEvent> told = new ArrayList<>();
		lock.join().onAtRisk(told::add);
		grant.risk("no reply");
		lock.join().closeAsync();
		assertThat(this.tasks).isNotEmpty();
		runCallbacks();
		assertThat(told).isEmpty();
	}

	/** Whichever thread runs first, the code must not take a lock for safe. */
	@Test
	void callbackIsToldOfOneChangeAfterTheOther() {
		CompletableFuture<LockHandle> lock = acquireWithCallbacksThatWait();
		FakeGrant grant = this.fake.grant();
		runCallbacks();
		List<Boolean> told = new ArrayList<>();
		lock.join().onAtRisk((event) -> told.add(event.atRisk()));
		grant.risk("no reply");
		grant.safe();
		assertThat(this.tasks).as("the second waits for the first").hasSize(1);
		runCallbacks();
		assertThat(told).containsExactly(true);
		runCallbacks();
		assertThat(told).containsExactly(true, false);
	}

	private CompletableFuture<LockHandle> acquireWithCallbacksThatWait() {
		LockEngine engine = new LockEngine(Settings.engine("app@host:1").build(), this.fake.store, this.fake.time,
				this.fake.time, (task) -> this.tasks.add(task));
		engine.start();
		return engine.acquireAsync(ORDER, Duration.ZERO);
	}

	private void runCallbacks() {
		List<Runnable> waiting = List.copyOf(this.tasks);
		this.tasks.clear();
		waiting.forEach(Runnable::run);
	}

}
