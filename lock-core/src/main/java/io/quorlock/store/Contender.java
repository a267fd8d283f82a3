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

package io.quorlock.store;

import java.util.function.Consumer;

/**
 * A claim from its start until it is granted, refused or cancelled. Safe for use by
 * several threads.
 *
 * @since 0.1.0
 */
public interface Contender {

	/**
	 * Begin to ask. Called once, by the engine or by
	 * {@link LeaseStore#release(Grant, java.time.Duration, Contender)}. May notify the
	 * listener before it returns.
	 */
	void start();

	/**
	 * Give up. The listener is notified of the end all the same, once nothing can be
	 * granted to this contender any more: usually with {@link ClaimFailure.Cancelled},
	 * with a grant if that came first. May notify the listener before it returns.
	 */
	void cancel();

	/**
	 * Report the outcome of the next attempt to a request of this process that asks for
	 * the same and does not wait. If the contender waits between two attempts, it begins
	 * the next one at once. Attempts that were sent before this call are not reported.
	 * @param outcome receives why the attempt was not granted. It is not called if the
	 * contender is granted or ends before it asks again: the listener is notified then
	 */
	void askFor(Consumer<ClaimFailure> outcome);

	/**
	 * Return how often the store was asked so far.
	 * @return the number of attempts
	 */
	int attempts();

	/**
	 * Return what is known of the last attempts.
	 * @return why they were not granted, or {@link ClaimFailure.Pending} before the first
	 * outcome, and while nothing is known but that votes were divided
	 */
	ClaimFailure lastFailure();

	/**
	 * Is notified of the progress of a contender.
	 */
	interface Listener {

		/**
		 * Another owner holds the lock, so that the contender waits. Notified once.
		 */
		void onWaiting();

		/**
		 * The lease was granted. It is not kept alive before {@link Grant#keep}.
		 * @param grant the lease
		 */
		void onGranted(Grant grant);

		/**
		 * The claim ended without a lease. Nothing of it is left in the store, or will be
		 * left once what is under way has arrived.
		 * @param failure why
		 */
		void onFailed(ClaimFailure failure);

	}

}
