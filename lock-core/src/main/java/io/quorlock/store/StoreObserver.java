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

package io.quorlock.store;

import org.jspecify.annotations.Nullable;

/**
 * Observes every reply of the nodes of a store, for metrics. It is called on the thread
 * that received the reply, and must be fast, not block and not throw.
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface StoreObserver {

	/**
	 * A node replied, or could not be asked.
	 * @param node the name of the node
	 * @param operation the operation, in lower case
	 * @param outcome the outcome
	 * @param error what went wrong, or {@code null} if nothing did
	 * @param nanos from the beginning of the round to the reply
	 */
	void onReply(String node, String operation, ReplyOutcome outcome, @Nullable String error, long nanos);

}
