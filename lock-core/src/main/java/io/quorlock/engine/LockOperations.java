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

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;

import io.quorlock.Api;
import io.quorlock.LockHandle;
import io.quorlock.LockKeyException;
import io.quorlock.store.NodeReport;

/**
 * What operators do with a lock that anybody may hold: look at it on the nodes, ask its
 * holder to release it, or take it away. A bean of the application context.
 *
 * @since 0.1.0
 * @see LockInspector
 */
@Api(Api.Status.STABLE)
public interface LockOperations {

	/**
	 * Ask every node for the holders of a name.
	 * @param name the lock
	 * @return completes within one operation timeout, with a report for each node
	 * @throws LockKeyException if the name cannot be locked
	 */
	CompletionStage<List<NodeReport>> inspect(String name);

	/**
	 * Ask the holders of a lock to release it. They decide: the request reaches the
	 * callbacks that were registered with {@link LockHandle#onReleaseRequested}, and a
	 * holder without one is not disturbed. A lease that is kept unused is given up.
	 * @param name the lock
	 * @param deadline within which time the lock is wanted; it is passed on
	 * @return completes within one operation timeout: whether an instance that holds the
	 * lock received the request, which does not say that the holder has a callback; where
	 * a server does not let scripts publish, whether it was sent
	 * @throws LockKeyException if the name cannot be locked
	 * @throws UnsupportedOperationException if the backend cannot pass requests on
	 */
	CompletionStage<Boolean> requestRelease(String name, Duration deadline);

	/**
	 * Take a lock away from its holder. If this instance holds it, it is lost here from
	 * that moment: its holder is notified, and nothing renews it any more.
	 * <p>
	 * A holder in <em>another</em> instance is notified where its instance listens, and
	 * otherwise finds out only at its next renewal, which may put the lock back where no
	 * other owner has taken it by then. Use it for what a dead instance left behind; take
	 * a lock from a live instance at that instance. As long as the holder does not know,
	 * two may run at once: only fencing tokens protect the resource then.
	 * @param name the lock
	 * @return completes within two operation timeouts, with a report for each node
	 * @throws LockKeyException if the name cannot be locked
	 */
	CompletionStage<List<NodeReport>> forceRelease(String name);

	/**
	 * Take one permit of a lock away from its holder.
	 * @param name the lock
	 * @param permit the number of the permit, 0 for everything
	 * @return completes within two operation timeouts, with a report for each node
	 * @throws LockKeyException if the name cannot be locked
	 */
	CompletionStage<List<NodeReport>> forceRelease(String name, int permit);

}
