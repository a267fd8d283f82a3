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

import java.time.Duration;

/**
 * Event published while this instance leads a role whose lock is at risk: a third of its
 * validity is left, and no quorum has confirmed a renewal. The instance still leads. It
 * can step down cleanly with {@link LeaderElection#resign}, or stop taking on new work.
 * If a renewal is confirmed in time, another event says so; otherwise a
 * {@link LeadershipRevokedEvent} follows. Like that event it is published by the thread
 * of the role.
 *
 * @param role the role
 * @param fencingToken the token of the {@link LeadershipGrantedEvent}
 * @param atRisk {@code true} at the beginning, {@code false} when the leadership is safe
 * again
 * @param remaining how long this instance certainly leads if no renewal is confirmed
 * @since 0.1.0
 * @see io.quorlock.LockAtRiskEvent
 */
public record LeadershipAtRiskEvent(String role, long fencingToken, boolean atRisk, Duration remaining) {
}
