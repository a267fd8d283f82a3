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

package io.quorlock.transaction;

import io.quorlock.LockHandle;

/**
 * A lock whose loss does not roll back the transaction, since the result of its method
 * stands in that case, too.
 *
 * @since 0.1.0
 */
public final class LossTolerantHandle extends DelegatingLockHandle {

	private LossTolerantHandle(LockHandle delegate) {
		super(delegate);
	}

	/**
	 * Return the lock as one whose loss does not prevent a commit.
	 * @param handle the lock
	 * @return the lock, marked
	 */
	public static LockHandle of(LockHandle handle) {
		if (handle instanceof TransactionalLockHandle transactional) {
			transactional.tolerateLoss();
			return handle;
		}
		return new LossTolerantHandle(handle);
	}

	@Override
	boolean isLossTolerated() {
		return true;
	}

}
