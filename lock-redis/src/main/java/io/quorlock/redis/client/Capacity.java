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

package io.quorlock.redis.client;

/**
 * How many commands may be pending on one connection. Callers go on when a majority has
 * replied, so nothing else keeps them from filling the memory when one node hangs. Not
 * thread-safe: the queue guards it.
 */
final class Capacity {

	static final int MAX_COMMANDS = 32_768;

	private static final long MAX_BYTES = 16 * 1024 * 1024;

	/**
	 * A release for every command that was taken, and the commands of the node itself.
	 */
	private static final int MAX_URGENT_COMMANDS = 2 * MAX_COMMANDS + 1_024;

	private static final long MAX_URGENT_BYTES = 2 * MAX_BYTES;

	/** Fits into any socket's empty buffer. */
	private static final int MAX_WRITTEN_BY_CALLER = 8 * 1024;

	private long pendingBytes;

	void add(long bytes) {
		this.pendingBytes += bytes;
	}

	void remove(PendingCommand command) {
		this.pendingBytes -= command.bytes().length;
	}

	/** Return whether there is no room for so many bytes behind so many commands. */
	boolean isExceeded(int pending, long bytes, boolean urgent) {
		return pending >= (urgent ? MAX_URGENT_COMMANDS : MAX_COMMANDS)
				|| this.pendingBytes + bytes > (urgent ? MAX_URGENT_BYTES : MAX_BYTES);
	}

	/**
	 * Return whether everything that is pending and so many bytes more fit into an empty
	 * socket buffer.
	 */
	boolean isWrittenByCaller(long bytes) {
		return this.pendingBytes + bytes <= MAX_WRITTEN_BY_CALLER;
	}

	static long size(PendingCommand... commands) {
		long size = 0;
		for (PendingCommand command : commands) {
			size += command.bytes().length;
		}
		return size;
	}

}
