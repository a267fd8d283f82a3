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

package io.quorlock.groups;

import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;

import org.jspecify.annotations.Nullable;

import io.quorlock.store.Grant;

/**
 * The fencing tokens of names that are locked in two groups: the greatest of both, which
 * both have to store, since the next holder may ask either of them (R23).
 */
final class JointTokens {

	private JointTokens() {
	}

	/** Return the tokens, or null without fencing. */
	static long @Nullable [] of(List<String> names, List<Grant> grants) {
		long[] tokens = new long[names.size()];
		for (Grant grant : grants) {
			long[] some = grant.tokens();
			if (some == null) {
				return null;
			}
			for (int i = 0; i < some.length; i++) {
				int index = names.indexOf(grant.names().get(i));
				tokens[index] = Math.max(tokens[index], some[i]);
			}
		}
		return tokens;
	}

	/** Have every group store the tokens. Completes with whether all of them do. */
	static CompletableFuture<Boolean> store(List<String> names, List<Grant> grants) {
		CompletableFuture<Boolean> all = CompletableFuture.completedFuture(true);
		long[] tokens = of(names, grants);
		if (tokens == null) {
			return all;
		}
		for (Grant grant : grants) {
			long[] some = grant.names().stream().mapToLong((name) -> tokens[names.indexOf(name)]).toArray();
			if (!Arrays.equals(some, grant.tokens())) {
				all = all.thenCombine(grant.raise(some), (one, other) -> one && other);
			}
		}
		return all;
	}

}
