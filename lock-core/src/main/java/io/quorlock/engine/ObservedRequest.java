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
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;

import io.quorlock.LockException;
import io.quorlock.LockHandle;
import io.quorlock.LockRequest;
import io.quorlock.engine.event.RequestObservation;
import io.quorlock.engine.event.RequestObserver;

/**
 * Reports to the observers of one request what becomes of it, in order: a lock may be
 * lost, or released as the engine stops, before its user was given it.
 */
final class ObservedRequest {

	static final ObservedRequest NONE = new ObservedRequest(List.of());

	private enum Phase {

		ASKED, GRANTED, ENDED

	}

	private final List<RequestObservation> observations;

	private final AtomicReference<Phase> phase = new AtomicReference<>(Phase.ASKED);

	/** How the hold ended, for the case that it did so before the grant was reported. */
	private volatile @Nullable Consumer<RequestObservation> end;

	private ObservedRequest(List<RequestObservation> observations) {
		this.observations = observations;
	}

	static ObservedRequest start(List<RequestObserver> observers, LockRequest request) {
		if (observers.isEmpty()) {
			return NONE;
		}
		List<RequestObservation> observations = new ArrayList<>(observers.size());
		for (RequestObserver observer : observers) {
			LockEvents.runHere("Lock request observer " + observer, () -> {
				RequestObservation observation = observer.onRequest(request);
				if (observation != null) {
					observations.add(observation);
				}
			});
		}
		return observations.isEmpty() ? NONE : new ObservedRequest(observations);
	}

	/**
	 * Return what reports one hold: a lock that is lost before its user gets it is asked
	 * for again, and the end of the first hold is not that of the second.
	 */
	ObservedRequest hold() {
		return (this == NONE) ? this : new ObservedRequest(this.observations);
	}

	void granted(LockHandle handle, int attempts) {
		if (this == NONE) {
			return;
		}
		report((observation) -> observation.onGranted(handle, attempts));
		if (!this.phase.compareAndSet(Phase.ASKED, Phase.GRANTED) && this.end != null) {
			report(this.end);
		}
	}

	void failed(LockException failure, int attempts) {
		if (this != NONE) {
			report((observation) -> observation.onFailed(failure, attempts));
		}
	}

	/** Called once. */
	void ended(Consumer<RequestObservation> end) {
		if (this == NONE) {
			return;
		}
		this.end = end;
		if (!this.phase.compareAndSet(Phase.ASKED, Phase.ENDED)) {
			report(end);
		}
	}

	private void report(Consumer<RequestObservation> event) {
		for (RequestObservation observation : this.observations) {
			LockEvents.runHere("Lock request observation " + observation, () -> event.accept(observation));
		}
	}

}
