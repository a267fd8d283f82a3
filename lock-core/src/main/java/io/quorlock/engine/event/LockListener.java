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

package io.quorlock.engine.event;

import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;

import io.quorlock.LockAtRiskEvent;
import io.quorlock.LockHandle;
import io.quorlock.LockLostEvent;
import io.quorlock.LockRequest;

/**
 * Hears what happens to the locks of this instance; the plug-in point of metrics. It is
 * called on a thread of its own, in the order of events, never on a thread of the engine:
 * it may block, and what it cannot keep up with is dropped with a warning.
 *
 * @since 0.1.0
 */
public interface LockListener {

	/**
	 * The events of a lock.
	 */
	enum Event {

		/**
		 * A request waits: {@link LockListener#onWaiting}.
		 */
		WAITING,

		/**
		 * A lock was granted: {@link LockListener#onAcquired}.
		 */
		ACQUIRED,

		/**
		 * A lock was not granted: {@link LockListener#onNotAcquired}.
		 */
		NOT_ACQUIRED,

		/**
		 * A lock was renewed: {@link LockListener#onRenewed}.
		 */
		RENEWED,

		/**
		 * A lock is at risk, or safe again: {@link LockListener#onAtRisk}.
		 */
		AT_RISK,

		/**
		 * A lock was released: {@link LockListener#onReleased}.
		 */
		RELEASED,

		/**
		 * A lock was lost: {@link LockListener#onLost}.
		 */
		LOST

	}

	/**
	 * Return the events that this listener is interested in. It is asked once; a listener
	 * that wants few events costs less.
	 * @return the events, all by default
	 */
	default Set<Event> events() {
		return EnumSet.allOf(Event.class);
	}

	/**
	 * A request has to wait, since another holds the lock or asked for it first. Called
	 * once per request.
	 * @param request what was asked for
	 */
	default void onWaiting(LockRequest request) {
	}

	/**
	 * A lock was granted.
	 * @param request what was asked for
	 * @param handle the lock
	 * @param waited from the call to the grant
	 * @param attempts how often the nodes were asked
	 */
	default void onAcquired(LockRequest request, LockHandle handle, Duration waited, int attempts) {
	}

	/**
	 * A lock was not granted.
	 * @param request what was asked for
	 * @param unavailable {@code true} if no quorum replied, {@code false} if another held
	 * it
	 * @param waited from the call to the failure
	 * @param attempts how often the nodes were asked
	 */
	default void onNotAcquired(LockRequest request, boolean unavailable, Duration waited, int attempts) {
	}

	/**
	 * A lock was renewed, or a renewal failed and will be tried again.
	 * @param request what was asked for
	 * @param success whether a quorum confirmed in time
	 */
	default void onRenewed(LockRequest request, boolean success) {
	}

	/**
	 * A lock is at risk, since no quorum confirms its renewal, or is safe again.
	 * @param request what was asked for
	 * @param event the beginning or the end of the risk
	 */
	default void onAtRisk(LockRequest request, LockAtRiskEvent event) {
	}

	/**
	 * A lock was released.
	 * @param request what was asked for
	 * @param held from the grant to the release
	 */
	default void onReleased(LockRequest request, Duration held) {
	}

	/**
	 * A lock was lost.
	 * @param request what was asked for
	 * @param event the loss
	 */
	default void onLost(LockRequest request, LockLostEvent event) {
	}

}
