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

package io.quorlock.quorum.node;

import java.time.Duration;
import java.util.List;
import java.util.Set;

import io.quorlock.LockRequest;

/**
 * What an operator asks of a node; it belongs to no attempt.
 *
 * @since 0.1.0
 */
public sealed interface OperatorCommand extends NodeCommand {

	/**
	 * Return the holders of a name and the claims that wait for it, for how long, and its
	 * fences. The reply is {@link NodeReply.Inspected}.
	 *
	 * @param header target and attempt
	 */
	record Inspect(CommandHeader header) implements OperatorCommand {

		/**
		 * Create a new command.
		 * @param name the lock
		 */
		public Inspect(String name) {
			this(new CommandHeader(LockTarget.exclusive(List.of(name)), new Attempt("")));
		}

		@Override
		public String operation() {
			return "inspect";
		}

		@Override
		public <R> R accept(CommandVisitor<R> visitor) {
			return visitor.inspect(this);
		}

	}

	/**
	 * Delete the keys of a name that have one of the given owners, readers and permits
	 * included, or one that is no instance's; notify the instances of the holders, and
	 * offer the name to the first claims that wait. Keys of other owners stay: they were
	 * granted after the operator looked. The reply is {@link NodeReply.Done}.
	 *
	 * @param header target and attempt
	 * @param permit the only permit to free, 0 for everything
	 * @param owners the owners to free the name from
	 */
	record ForceRelease(CommandHeader header, int permit, Set<String> owners) implements OperatorCommand {

		/**
		 * Create a command that frees a name whatever its kind.
		 * @param name the name to free
		 * @param permit the only permit to free, 0 for everything
		 * @param owners the owners to free it from
		 */
		public ForceRelease(String name, int permit, Set<String> owners) {
			this(new CommandHeader(LockTarget.exclusive(List.of(name)), new Attempt("")), permit, owners);
		}

		@Override
		public String operation() {
			return "force-release";
		}

		@Override
		public <R> R accept(CommandVisitor<R> visitor) {
			return visitor.forceRelease(this);
		}

	}

	/**
	 * Send the holders of a name the request to release it, through the channels of their
	 * instances. The reply is {@link NodeReply.PassedOn} with the number of connections
	 * that received it. The attempt identifies the request, which every node passes on.
	 *
	 * @param header target and attempt
	 * @param deadlineMillis within which time the name is wanted
	 */
	record RequestRelease(CommandHeader header, long deadlineMillis) implements OperatorCommand {

		/**
		 * Create the command.
		 * @param header target and attempt
		 * @param deadline within which time the name is wanted; a negative one counts as
		 * zero, and one of centuries as {@link LockRequest#UNLIMITED_WAIT}
		 * @return the command
		 */
		public static RequestRelease within(CommandHeader header, Duration deadline) {
			boolean far = deadline.compareTo(LockRequest.UNLIMITED_WAIT) > 0;
			return new RequestRelease(header, Math.max(0, (far ? LockRequest.UNLIMITED_WAIT : deadline).toMillis()));
		}

		@Override
		public String operation() {
			return "request-release";
		}

		@Override
		public <R> R accept(CommandVisitor<R> visitor) {
			return visitor.requestRelease(this);
		}

	}

}
