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

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;

import org.jspecify.annotations.Nullable;

import io.quorlock.LockKeyException;

/**
 * A system outside of this process that grants leases: a quorum of Redis nodes, a
 * ZooKeeper ensemble, one Redis, or a map in memory.
 * <p>
 * No method blocks, and none calls a listener before it returns unless its documentation
 * says so. Listeners are called on threads of the store; they do not block and do not
 * throw. Callers hold no lock when they call a store. Times are read from the clock that
 * the engine and the store share.
 *
 * @since 0.1.0
 */
public interface LeaseStore {

	/**
	 * Connect, and keep connecting until {@link #close()}. A closed store can be started
	 * again. The connections need not exist when this method returns.
	 */
	void start();

	/**
	 * Wait for contenders and releases that are under way. The engine has cancelled its
	 * contenders and released its grants before. Nothing is renewed afterwards.
	 * @return completes, never with an error, within two operation timeouts
	 */
	CompletionStage<@Nullable Void> stop();

	/**
	 * Disconnect, whether or not {@link #stop()} has completed. May block for a short
	 * time to send what is queued.
	 */
	void close();

	/**
	 * Check that the store can serve a claim, before anything is queued or sent.
	 * @param claim what is wanted
	 * @throws LockKeyException if a name cannot be locked, or not together with the
	 * others
	 * @throws IllegalArgumentException if the lease, the mode or the number of permits
	 * cannot be served; the message names the limit
	 */
	void check(Claim claim);

	/**
	 * Create a contender, which lives for the whole wait of the claim. Nothing is sent
	 * before {@link Contender#start()}.
	 * @param claim what is wanted
	 * @param listener is notified of the progress, and exactly once of the end
	 * @return the contender
	 */
	Contender contend(Claim claim, Contender.Listener listener);

	/**
	 * Release a lease and, if a request of this process waits for the same names, start
	 * the next contender behind the release. The store decides when the next one asks:
	 * together with the release, or later if other instances wait as well.
	 * @param grant a grant of this store that was not lost; a lost one is ignored
	 * @param cooldown how long others do not get the names after the release, zero for
	 * none
	 * @param next the contender to start, not started before; {@code null} if no request
	 * waits
	 * @return completes, never with an error, when the release was confirmed, or after
	 * one operation timeout; the release is repeated behind it until it is confirmed or
	 * the lease has ended
	 */
	CompletionStage<ReleaseResult> release(Grant grant, Duration cooldown, @Nullable Contender next);

	/**
	 * Return what is known of the store now.
	 * @return the status
	 */
	StoreStatus status();

	/**
	 * Return what is known of the part of the store that serves some names.
	 * @param names the names
	 * @return the status, with the status of each group if the names are locked in
	 * several; available if all of these are
	 */
	default StoreStatus status(List<String> names) {
		return status();
	}

	/**
	 * Ask for the holders of a name.
	 * @param name the lock
	 * @return completes within one operation timeout, with a report for each node
	 */
	CompletionStage<List<NodeReport>> inspect(String name);

	/**
	 * Release a name, or one of its permits, by force, regardless of its holder. Grants
	 * of this store that hold the name are lost before another claim can be granted it.
	 * @param name the lock
	 * @param permit the number of the only permit to free, 0 for everything
	 * @return completes within two operation timeouts, with a report for each node
	 */
	CompletionStage<List<NodeReport>> forceRelease(String name, int permit);

	/**
	 * Ask the holders of a name to release it.
	 * @param name the lock
	 * @param deadline within which time it is wanted; it is passed on
	 * @return completes within one operation timeout: whether the request was sent to an
	 * instance that listens
	 * @throws UnsupportedOperationException if the store cannot pass requests on
	 */
	CompletionStage<Boolean> requestRelease(String name, Duration deadline);

}
