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

import java.util.ArrayList;
import java.util.List;

import org.jspecify.annotations.Nullable;

import io.quorlock.quorum.node.NodeReply.Blocker;

/**
 * Refusals of nodes, for tests.
 */
public final class Refusals {

	private Refusals() {
	}

	/**
	 * Return a refusal by exclusive owners, with {@code null} for a name without one.
	 */
	public static NodeReply.Refused of(boolean voting, List<@Nullable String> owners, long remainingMillis,
			long @Nullable [] fences) {
		List<@Nullable Blocker> blockers = new ArrayList<>(owners.size());
		owners.forEach((owner) -> blockers.add((owner != null) ? new Blocker.Owner(owner) : null));
		return new NodeReply.Refused(voting, blockers, remainingMillis, fences, 0);
	}

}
