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

package io.quorlock;

import java.util.Optional;

import org.jspecify.annotations.Nullable;

/**
 * Runs callbacks under a lock that was acquired, then releases it.
 */
final class HeldLock {

	private HeldLock() {
	}

	/**
	 * Run a callback that sees the lock as the innermost of its call, then release the
	 * lock.
	 * @param handle the lock
	 * @param callback the code
	 * @return the callback's result
	 * @throws E what the callback throws, with a loss of the lock suppressed
	 * @throws LockLostException if the callback succeeded, but the lock was lost
	 */
	static <T extends @Nullable Object, E extends Exception> T run(LockHandle handle, LockCallback<T, E> callback)
			throws E {
		LockContext.enter(handle, null);
		try {
			T result;
			try {
				result = callback.run();
			}
			catch (Throwable ex) {
				handle.loss().filter((loss) -> loss != ex).ifPresent(ex::addSuppressed);
				throw ex;
			}
			Optional<LockLostException> loss = handle.loss();
			if (loss.isPresent()) {
				throw loss.get();
			}
			return result;
		}
		finally {
			// Not simply what was before: the callback may have unlocked an outer lock.
			LockContext.leave(handle);
			handle.close();
		}
	}

}
