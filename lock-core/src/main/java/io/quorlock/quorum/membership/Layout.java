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

import java.time.Duration;

/**
 * How a group shares the names with others, as an instance is configured.
 *
 * @param text the group, the ids of all groups and what is hashed, alike on all instances
 * of one version; without a semicolon, empty for nodes that do not share the names
 * @param version the version of the layout, 0 if names do not move
 * @param seal the least version that the nodes of the group may still serve, as this
 * instance knows; it writes that down on them
 * @param age how old a seal must be before every lease of an older version has ended
 * @since 0.1.0
 */
public record Layout(String text, int version, int seal, Duration age) {

	/** Nodes that do not share the names. */
	public static final Layout NONE = of("");

	/**
	 * Return a layout without a version.
	 * @param text the group, the ids of all groups and what is hashed
	 * @return the layout
	 */
	public static Layout of(String text) {
		return new Layout(text, 0, 0, Duration.ZERO);
	}

	/**
	 * Return whether names may move from this layout or to it.
	 * @return whether it has a version
	 */
	public boolean isVersioned() {
		return this.version > 0;
	}

}
