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

package io.quorlock.leader;

import java.util.Optional;
import java.util.Set;

import io.quorlock.LockHandle;

/**
 * Elects one instance to lead each of the roles in {@code distributed-lock.leader.roles}.
 * A leader holds the lock {@code leader:<role>}, which is renewed until the instance
 * resigns, stops or loses it; then the instance competes again. It also resigns when the
 * release of that lock is requested.
 * <p>
 * Every method that takes a role throws {@link IllegalArgumentException} if the role is
 * not configured.
 *
 * @since 0.1.0
 * @see LeadershipGrantedEvent
 * @see LeadershipRevokedEvent
 * @see LeaderOnly
 */
public interface LeaderElection {

	/**
	 * Return the roles that this instance can lead.
	 * @return the configured roles
	 */
	Set<String> roles();

	/**
	 * Return whether this instance leads a role at this instant. The result is computed
	 * from the validity of the role's lock and does not depend on events, so that it is
	 * also correct after a pause of the process.
	 * @param role the role
	 * @return {@code true} as long as no other instance can lead
	 */
	boolean isLeader(String role);

	/**
	 * Return the instance that led a role when this instance last asked. If that was more
	 * than five seconds ago, it asks again in the background, so that the next call knows
	 * better. A candidate does not ask by itself while it waits.
	 * @param role the role
	 * @return the instance id, or empty if no leader is known
	 */
	Optional<String> currentLeader(String role);

	/**
	 * Enter the lock of a role if this instance leads it. The lock is not released before
	 * the handle is closed, even if the instance resigns meanwhile, so that the next
	 * leader begins after the work under this handle has ended.
	 * @param role the role
	 * @return a handle to close, or empty if this instance is not the leader
	 */
	Optional<LockHandle> enter(String role);

	/**
	 * Give up a role, if this instance leads it. From then on {@link #isLeader} is
	 * {@code false}. The instance competes again after a second, so that the other
	 * candidates come first.
	 * @param role the role
	 */
	void resign(String role);

	/**
	 * Start to compete for all roles. Called when the application is ready, unless
	 * {@code distributed-lock.leader.auto-start} is {@code false}.
	 */
	void start();

	/**
	 * Give up all roles and stop competing. Returns when the listeners have been notified
	 * and the election has released its locks, or after ten seconds.
	 */
	void stop();

}
