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

package io.quorlock.engine.event;

import io.quorlock.LockException;
import io.quorlock.LockHandle;
import io.quorlock.LockLostEvent;

/**
 * What becomes of one request. Either it fails, or it is granted and then released or
 * lost; the methods are called in this order and each at most once.
 *
 * @since 0.1.0
 * @see RequestObserver
 */
public interface RequestObservation {

	/**
	 * The lock was granted. Called just before the user gets it, on the same thread.
	 * @param handle the lock
	 * @param attempts how often the nodes were asked
	 */
	default void onGranted(LockHandle handle, int attempts) {
	}

	/**
	 * The lock was not granted. Called just before the user is notified, on the same
	 * thread.
	 * @param failure why
	 * @param attempts how often the nodes were asked
	 */
	default void onFailed(LockException failure, int attempts) {
	}

	/**
	 * The lock is being released. Called on the thread that closes the last handle,
	 * before the nodes are asked.
	 */
	default void onReleased() {
	}

	/**
	 * The lock was lost. Called on a thread of its own.
	 * @param event the loss
	 */
	default void onLost(LockLostEvent event) {
	}

}
