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

/**
 * Event published when this instance no longer leads a role: it resigned, is stopped, or
 * has lost the role's lock. After a loss another instance may lead already; otherwise the
 * lock is released once all listeners of this event have returned.
 *
 * @param role the role
 * @param fencingToken the token of the {@link LeadershipGrantedEvent}
 * @since 0.1.0
 */
public record LeadershipRevokedEvent(String role, long fencingToken) {
}
