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

import java.util.List;

import io.quorlock.quorum.node.Attempt;
import io.quorlock.quorum.node.NodeCommand;

/**
 * Commands of another instance.
 */
final class TestAcquires {

	private TestAcquires() {
	}

	static NodeCommand of(String name, String token) {
		return new NodeCommand.Acquire(List.of(name), new Attempt(token), 60_000, new long[] { 5 }, 1, 60_000);
	}

}
