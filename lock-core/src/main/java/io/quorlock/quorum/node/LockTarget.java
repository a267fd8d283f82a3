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

import java.util.List;

import io.quorlock.LogText;

/**
 * What a command is about: which names, and how they are locked.
 *
 * @param names the names of the locks, sorted, without duplicates; at least one
 * @param kind how they are locked
 * @param permits how many permits the name has, 0 unless the kind is {@link Kind#PERMIT}
 * @since 0.1.0
 */
public record LockTarget(List<String> names, Kind kind, int permits) {

	/**
	 * How a name is locked on a node.
	 */
	public enum Kind {

		/** One owner at a time. */
		EXCLUSIVE,

		/** Many owners, but none of them exclusive. */
		SHARED,

		/** One owner for each of several numbered permits of one name. */
		PERMIT

	}

	/**
	 * Return names that are locked exclusively.
	 * @param names the names
	 * @return the target
	 */
	public static LockTarget exclusive(List<String> names) {
		return new LockTarget(names, Kind.EXCLUSIVE, 0);
	}

	/**
	 * Return names that are shared.
	 * @param names the names
	 * @return the target
	 */
	public static LockTarget shared(List<String> names) {
		return new LockTarget(names, Kind.SHARED, 0);
	}

	/**
	 * Return the permits of a name.
	 * @param name the name
	 * @param permits how many it has
	 * @return the target
	 */
	public static LockTarget permits(String name, int permits) {
		return new LockTarget(List.of(name), Kind.PERMIT, permits);
	}

	@Override
	public String toString() {
		String names = LogText.join(this.names);
		return switch (this.kind) {
			case EXCLUSIVE -> names;
			case SHARED -> names + " (shared)";
			case PERMIT -> names + " (one of " + this.permits + " permits)";
		};
	}

}
