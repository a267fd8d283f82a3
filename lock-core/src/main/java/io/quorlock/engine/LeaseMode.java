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

package io.quorlock.engine;

import java.util.concurrent.CompletionStage;

import io.quorlock.LockMode;
import io.quorlock.store.Grant;

/**
 * How a lease excludes others on the nodes, where readers may have an exclusive one
 * (R19).
 */
final class LeaseMode {

	private final Grant grant;

	/** Known under any lock. */
	private volatile LockMode mode;

	LeaseMode(Grant grant) {
		this.grant = grant;
		this.mode = grant.mode();
	}

	LockMode get() {
		return this.mode;
	}

	/**
	 * Turn the lease of a writer into a shared one. Its handles are a reader's before the
	 * nodes are asked, since others may read from then on; they are a writer's again if
	 * the lease is no longer its own.
	 */
	CompletionStage<Boolean> downgrade(Holder writer) {
		writer.downgraded(true);
		try {
			return downgrade(writer.generation());
		}
		finally {
			writer.downgraded(this.mode == LockMode.SHARED);
		}
	}

	/** Turn the lease into a shared one, unless it was passed on meanwhile. */
	CompletionStage<Boolean> downgrade(int generation) {
		CompletionStage<Boolean> turned = this.grant.downgrade(generation);
		if (this.grant.mode() == LockMode.SHARED) {
			this.mode = LockMode.SHARED;
		}
		return turned;
	}

}
