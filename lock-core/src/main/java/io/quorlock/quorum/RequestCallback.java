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

package io.quorlock.quorum;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Consumer;

import io.quorlock.ReleaseRequest;

/**
 * Passes requests to release a lock on to its holder, each of them once (R24), although
 * every node delivers it.
 */
final class RequestCallback {

	/** So many instances may ask at one instant, and the messages arrive in any order. */
	private static final int MOST_REMEMBERED = 64;

	private final Consumer<ReleaseRequest> callback;

	private final Deque<String> recentIds = new ArrayDeque<>();

	RequestCallback(Consumer<ReleaseRequest> callback) {
		this.callback = callback;
	}

	/** A node delivered a request. */
	void requested(String id, ReleaseRequest request) {
		if (isNew(id)) {
			this.callback.accept(request);
		}
	}

	private synchronized boolean isNew(String id) {
		if (this.recentIds.contains(id)) {
			return false;
		}
		if (this.recentIds.size() == MOST_REMEMBERED) {
			this.recentIds.removeFirst();
		}
		this.recentIds.addLast(id);
		return true;
	}

}
