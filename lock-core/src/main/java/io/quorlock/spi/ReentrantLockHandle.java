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

package io.quorlock.spi;

import java.util.Collection;

import io.quorlock.LockHandle;
import io.quorlock.LockLostException;

/**
 * A handle whose lock can be entered again by the call that holds it. For extensions that
 * bring their own templates, or handles that delegate to another one; applications
 * re-enter a lock by asking for it.
 *
 * @since 0.1.0
 * @see io.quorlock.LockRequest#within
 */
public interface ReentrantLockHandle extends LockHandle {

	/**
	 * Return whether an engine granted this lock. A lock is re-entered only through a
	 * template of the engine that granted it.
	 * @param engine the engine
	 * @return whether it granted this lock; {@code false} if nothing is known of it
	 */
	boolean isGrantedBy(Object engine);

	/**
	 * Re-enter the lock: create another handle for the same lease and fencing token,
	 * without asking the nodes. Each handle has to be closed; the lock is released with
	 * the last one.
	 * @param names the names of the new handle, all of them among {@link #names()}
	 * @return the new handle
	 * @throws LockLostException if the lock was lost
	 * @throws IllegalArgumentException if the handle does not hold one of the names
	 * @throws IllegalStateException if this handle was closed
	 */
	ReentrantLockHandle reenter(Collection<String> names);

}
