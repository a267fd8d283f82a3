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

package io.quorlock.zookeeper;

/**
 * Takes part in a session and is notified of what becomes of it, on threads of the store.
 */
interface SessionMember {

	/**
	 * A heartbeat was committed.
	 * @param zxid its transaction
	 */
	default void onCommitted(long zxid) {
	}

	/**
	 * A heartbeat was replied to.
	 * @param proven whether the session is proven now
	 */
	default void onHeartbeat(boolean proven) {
	}

	/**
	 * The proof is about to end unless a heartbeat is replied to, or was moved since it
	 * was about to end.
	 */
	default void onRisk() {
	}

	/**
	 * The proof ended: the session may have expired, and another may have been granted
	 * what it held.
	 */
	default void onLapse() {
	}

	/**
	 * The session is over, and its ephemeral nodes with it.
	 * @param reason why
	 */
	void onOver(String reason);

}
