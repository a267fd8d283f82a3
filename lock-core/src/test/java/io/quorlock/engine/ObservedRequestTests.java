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

import io.quorlock.LockException;
import io.quorlock.LockHandle;
import io.quorlock.LockRequest;
import io.quorlock.engine.event.RequestObservation;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link ObservedRequest}: the end of a hold is told behind its beginning,
 * whichever comes first.
 */
class ObservedRequestTests {

	private final List<String> told = new ArrayList<>();

	private final LockHandle lock = new FakeStoreEngine().held(LockRequest.of("order"));

	private final ObservedRequest observed = ObservedRequest.start(List.of((request) -> new Notes(), (request) -> {
		this.told.add("asked for " + request.baseName());
		return null;
	}), LockRequest.of("order"));

	@Test
	void endIsToldAfterTheGrant() {
		this.observed.granted(this.lock, 3);
		assertThat(this.told).containsExactly("asked for order", "granted after 3");
		this.observed.ended(RequestObservation::onReleased);
		assertThat(this.told).containsExactly("asked for order", "granted after 3", "released");
	}

	/** The lease is lost before the thread of the caller has come so far. */
	@Test
	void endThatComesFirstIsToldBehindTheGrant() {
		this.observed.ended(RequestObservation::onReleased);
		assertThat(this.told).containsExactly("asked for order");
		this.observed.granted(this.lock, 1);
		assertThat(this.told).containsExactly("asked for order", "granted after 1", "released");
	}

	@Test
	void observerThatFailsKeepsNothingFromTheOthers() {
		ObservedRequest.start(List.of((request) -> {
			throw new AssertionError("not my day");
		}, (request) -> new Notes()), LockRequest.of("order")).granted(this.lock, 2);
		assertThat(this.told).contains("granted after 2");
	}

	@Test
	void observationThatFailsKeepsNothingFromTheOthersNorFromTheCaller() {
		RequestObservation failing = new RequestObservation() {

			@Override
			public void onGranted(LockHandle handle, int attempts) {
				throw new AssertionError("not my day");
			}

			@Override
			public void onReleased() {
				throw new AssertionError("nor is it now");
			}

		};
		ObservedRequest observed = ObservedRequest.start(List.of((request) -> failing, (request) -> new Notes()),
				LockRequest.of("order"));
		observed.granted(this.lock, 2);
		observed.ended(RequestObservation::onReleased);
		assertThat(this.told).contains("granted after 2", "released");
	}

	private final class Notes implements RequestObservation {

		@Override
		public void onGranted(LockHandle handle, int attempts) {
			ObservedRequestTests.this.told.add("granted after " + attempts);
		}

		@Override
		public void onFailed(LockException failure, int attempts) {
			ObservedRequestTests.this.told.add("failed after " + attempts);
		}

		@Override
		public void onReleased() {
			ObservedRequestTests.this.told.add("released");
		}

	}

}
