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

import org.jspecify.annotations.Nullable;

import io.quorlock.Api;
import io.quorlock.LockMode;

/**
 * What one node reports of a name.
 *
 * @param node the name of the node
 * @param voting whether the node votes
 * @param holders the holders of the name there
 * @param waiters the claims that wait for the name there, in the order of the queue
 * @param fence the greatest fencing token that is reserved there, 0 if none is stored
 * @param error why there is no report, or {@code null} if there is one
 * @since 0.1.0
 */
@Api(Api.Status.STABLE)
public record NodeReport(String node, boolean voting, List<Holder> holders, List<Waiter> waiters, long fence,
		@Nullable String error) {

	/**
	 * Create a report of a node that could not be asked.
	 * @param node the name of the node
	 * @param error why
	 * @return the report
	 */
	public static NodeReport failed(String node, String error) {
		return new NodeReport(node, false, List.of(), List.of(), 0, error);
	}

	/**
	 * Return the owner of the first holder.
	 * @return the owner, or {@code null} if the name is not held there
	 */
	public @Nullable String owner() {
		return this.holders.isEmpty() ? null : this.holders.get(0).owner();
	}

	/**
	 * Return how long the first holder's lease lasts there.
	 * @return the time left, zero if the name is not held there
	 */
	public Duration remaining() {
		return this.holders.isEmpty() ? Duration.ZERO : this.holders.get(0).remaining();
	}

	/**
	 * A holder of a name.
	 *
	 * @param owner the value of the key, or {@code null} while the name cools down after
	 * its release
	 * @param mode how the holder excludes others
	 * @param permit the number of its permit, 0 for a plain lock
	 * @param remaining how long its lease lasts if nothing renews it
	 */
	public record Holder(@Nullable String owner, LockMode mode, int permit, Duration remaining) {
	}

	/**
	 * A claim that waits for a name.
	 *
	 * @param owner identifies the claim; begins with the instance id
	 * @param mode how the claim wants to exclude others
	 * @param waiting how long it has waited
	 */
	public record Waiter(String owner, LockMode mode, Duration waiting) {
	}

}
