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

package io.quorlock.quorum.membership;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

/**
 * The layout that another instance left on a node, as a text (R23). Versions follow one
 * another: an odd one is a layout, an even one the move from the layout before it to the
 * one behind it.
 *
 * @param group the id of the group
 * @param ids the ids of all groups
 * @param by what is hashed of a name
 * @param version the version, 0 without
 * @param previous the ids of the groups that names move from, or {@code null}
 */
record LayoutText(String group, String ids, String by, int version, @Nullable String previous) {

	private static final Pattern PATTERN = Pattern
		.compile("group (\\S+) of (\\S+) by (\\S+)(?: version (\\d{1,9}))?(?: from (\\S+))?");

	static @Nullable LayoutText parse(String text) {
		Matcher matcher = PATTERN.matcher(text);
		if (!matcher.matches()) {
			return null;
		}
		String version = matcher.group(4);
		return new LayoutText(matcher.group(1), matcher.group(2), matcher.group(3),
				(version != null) ? Integer.parseInt(version) : 0, matcher.group(5));
	}

	/**
	 * Return whether instances of the two exclude each other, or the nodes refuse the
	 * older ones.
	 */
	boolean agreesWith(LayoutText other) {
		if (!this.group.equals(other.group) || !this.by.equals(other.by)) {
			return false;
		}
		return (this.version <= other.version) ? precedes(other) : other.precedes(this);
	}

	private boolean precedes(LayoutText later) {
		boolean sameGroups = this.ids.equals(later.ids);
		boolean samePrevious = this.previous == null || later.previous == null || this.previous.equals(later.previous);
		boolean even = this.version % 2 == 0;
		if (this.version == 0) {
			return sameGroups && later.version % 2 != 0; // nodes do not refuse it
		}
		boolean follows = this.ids.equals(later.previous);
		return switch (later.version - this.version) {
			case 0 -> sameGroups && samePrevious;
			case 1 -> even ? sameGroups && samePrevious : follows;
			// Both lock in these groups, or the later waits for the seal.
			case 2 -> follows;
			case 3 -> even && follows;
			default -> false;
		};
	}

}
