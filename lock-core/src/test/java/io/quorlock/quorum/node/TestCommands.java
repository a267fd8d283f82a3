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

import org.jspecify.annotations.Nullable;

/**
 * Commands on exclusive locks.
 */
public final class TestCommands {

	private TestCommands() {
	}

	public static NodeCommand raise(List<String> names, Attempt attempt, long[] fences, long fenceMillis) {
		return new NodeCommand.Raise(header(names, attempt), fences, fenceMillis, 0);
	}

	public static NodeCommand renew(List<String> names, Attempt attempt, long leaseMillis, boolean shorten,
			long @Nullable [] fences, long fenceMillis) {
		return new NodeCommand.Renew(header(names, attempt), leaseMillis, shorten, fences, fenceMillis, true, 0);
	}

	private static CommandHeader header(List<String> names, Attempt attempt) {
		return new CommandHeader(LockTarget.exclusive(names), attempt);
	}

}
