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

import org.jspecify.annotations.Nullable;

import io.quorlock.LockRequest;

/**
 * Accompanies single requests from the call to the release; the plug-in point of tracing.
 * Unlike {@link LockListener} it is called inline, on the threads of users, so that what
 * it measures is what they experience and a span finds its parent: it must be fast and
 * must not block. What it throws is logged and changes nothing.
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface RequestObserver {

	/**
	 * A lock is about to be asked for, on the thread that asks. A lock that is re-entered
	 * is not asked for.
	 * @param request what is asked for
	 * @return is notified of what becomes of it, or {@code null} if it is not observed
	 */
	@Nullable RequestObservation onRequest(LockRequest request);

}
