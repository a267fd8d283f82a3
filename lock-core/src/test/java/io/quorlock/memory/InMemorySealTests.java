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

package io.quorlock.memory;

import io.quorlock.quorum.node.LockNode;
import io.quorlock.quorum.node.SealContract;
import io.quorlock.time.SystemClock;

/**
 * Seals of {@link InMemoryLockNode}.
 */
class InMemorySealTests extends SealContract {

	private final InMemoryLockNode node = new InMemoryLockNode("memory", new SystemClock());

	@Override
	protected LockNode createNode(int version) {
		return this.node.withLayout(version);
	}

	@Override
	protected void seal(int version) {
		this.node.seal(version);
	}

}
