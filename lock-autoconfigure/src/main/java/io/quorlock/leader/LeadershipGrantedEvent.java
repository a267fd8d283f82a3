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
 * Event published when this instance begins to lead a role. The events of a role are
 * published one after another by one thread, so a listener that blocks delays the
 * {@link LeadershipRevokedEvent}: start long work on a thread of its own.
 * <p>
 * If a listener throws an exception, the instance gives the role up, so that another one
 * may lead.
 *
 * @param role the role
 * @param fencingToken the fencing token of the role's lock, greater than that of every
 * earlier leader; 0 if fencing tokens are switched off
 * @since 0.1.0
 */
public record LeadershipGrantedEvent(String role, long fencingToken) {
}
