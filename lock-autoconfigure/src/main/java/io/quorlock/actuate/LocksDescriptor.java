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

package io.quorlock.actuate;

import java.time.Duration;
import java.util.List;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.actuate.endpoint.OperationResponseBody;

/**
 * The locks that this instance holds and waits for, and its nodes.
 *
 * @param instance the instance id, with which the value of every lock that it holds
 * begins
 * @param counts how many there are, listed or not
 * @param held the first locks that it holds, by name
 * @param retained the first leases that it keeps although they are unused, absent if
 * there is none
 * @param waiting the first requests that wait, by name
 * @param quorum how many nodes have to agree; with groups the sum over all groups
 * @param nodes all nodes
 * @param groups the groups of nodes that share the names, absent without groups
 * @since 0.1.0
 */
public record LocksDescriptor(String instance, CountsDescriptor counts, List<HeldLockDescriptor> held,
		@Nullable List<RetainedLeaseDescriptor> retained, List<WaitingDescriptor> waiting, int quorum,
		List<NodeDescriptor> nodes, @Nullable List<GroupDescriptor> groups) implements OperationResponseBody {

	/**
	 * How many there are of those that were asked for.
	 *
	 * @param held the locks that are held
	 * @param retained the leases that are kept although they are unused
	 * @param waiting the requests that wait
	 */
	public record CountsDescriptor(int held, int retained, int waiting) {
	}

	/**
	 * A group of nodes.
	 *
	 * @param id its id
	 * @param available whether a quorum of it votes
	 * @param quorum how many nodes make up its quorum
	 * @param nodes the names of its nodes
	 */
	public record GroupDescriptor(String id, boolean available, int quorum, List<String> nodes) {
	}

	/**
	 * A lock that this instance holds.
	 *
	 * @param locks the names that are locked together
	 * @param baseName the name without the key, as the meters have it
	 * @param owner the value of its keys
	 * @param remaining for how long it is certainly held if nothing renews it
	 * @param nodes the nodes that confirmed it when they were last asked
	 * @param thread the thread that asked for it
	 * @param heldFor how long it has been held
	 * @param mode exclusive, shared or permit
	 * @param permit the number of the permit, absent for a lock without permits
	 * @param permits how many permits there are, absent for a lock without permits
	 * @param fair {@code true} if requests are served in the order of asking, otherwise
	 * absent
	 * @param atRisk {@code true} if no quorum confirms its renewal, and a third of its
	 * validity or less is left; otherwise absent
	 */
	public record HeldLockDescriptor(List<FencedName> locks, String baseName, String owner, Duration remaining,
			List<String> nodes, String thread, Duration heldFor, String mode, @Nullable Integer permit,
			@Nullable Integer permits, @Nullable Boolean fair, @Nullable Boolean atRisk) {
	}

	/**
	 * A lease that this instance keeps although it is unused.
	 *
	 * @param name the name with the key
	 * @param baseName the name without the key
	 * @param owner the value of its key
	 * @param remaining how long it is certainly kept if nothing renews it
	 * @param nodes the nodes that confirmed it when they were last asked
	 */
	public record RetainedLeaseDescriptor(String name, String baseName, String owner, Duration remaining,
			List<String> nodes) {
	}

	/**
	 * A name and its fencing token.
	 *
	 * @param name the name with the key
	 * @param fencingToken the token, absent without fencing
	 */
	public record FencedName(String name, @Nullable Long fencingToken) {
	}

	/**
	 * A request that waits for a lock.
	 *
	 * @param names the requested names
	 * @param baseName the name without the key
	 * @param thread the thread that asked
	 * @param waitedFor how long it has waited
	 * @param attempts how often the nodes were asked so far
	 * @param mode exclusive, shared or permit
	 * @param permits how many permits there are, absent for a lock without permits
	 * @param fair {@code true} if requests are served in the order of asking, otherwise
	 * absent
	 */
	public record WaitingDescriptor(List<String> names, String baseName, String thread, Duration waitedFor,
			int attempts, String mode, @Nullable Integer permits, @Nullable Boolean fair) {
	}

	/**
	 * A node.
	 *
	 * @param name its address
	 * @param state voting, quarantined, failing, down or rejected; of a session with
	 * ZooKeeper connected, which votes, unproven, disconnected, connecting or closed
	 * @param reason why it does not vote, absent if it does
	 * @param votesInSeconds how long until a quarantined node votes
	 * @param version the server's version, absent while unknown
	 * @param runId the server's run id, absent while unknown
	 * @param clockOffsetMicros the node's clock minus the clock of this instance
	 * @param latencyMicros of its latest replies, absent before the first
	 * @param lastError the last command that failed
	 */
	public record NodeDescriptor(String name, String state, @Nullable String reason, @Nullable Long votesInSeconds,
			@Nullable String version, @Nullable String runId, @Nullable Long clockOffsetMicros,
			NodeStatistics.@Nullable Latency latencyMicros, NodeStatistics.@Nullable LastError lastError) {
	}

}
