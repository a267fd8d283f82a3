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

package io.quorlock.aop.invocation;

import org.jspecify.annotations.Nullable;

/**
 * Runs a method under its lock for as long as its kind of result takes to complete.
 *
 * @since 0.1.0
 */
public interface LockedInvoker {

	/**
	 * Acquire the lock, run the method, and release the lock.
	 * @param call the call
	 * @return the result for the caller
	 * @throws Throwable what the method throws, or the reason why it did not run
	 */
	@Nullable Object invoke(LockedCall call) throws Throwable;

}
