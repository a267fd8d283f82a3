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

package io.quorlock.reactive;

import io.micrometer.context.ThreadLocalAccessor;
import org.jspecify.annotations.Nullable;

import io.quorlock.LockContext;

/**
 * Propagates the {@link LockContext} across threads with Micrometer's context
 * propagation. What gets it ({@code @Async}, executors, coroutines) sees the locks, but
 * does not re-enter them.
 *
 * @since 0.1.0
 */
public class LockContextThreadLocalAccessor implements ThreadLocalAccessor<LockContext> {

	/**
	 * The key of the {@link LockContext} in a Reactor context.
	 */
	public static final String KEY = "io.quorlock.LockContext";

	@Override
	public Object key() {
		return KEY;
	}

	@Override
	public @Nullable LockContext getValue() {
		return LockContext.capture();
	}

	@Override
	public void setValue(LockContext value) {
		LockContext.restore(value);
	}

	@Override
	public void setValue() {
		LockContext.restore(null);
	}

	@Override
	public void restore(LockContext previous) {
		LockContext.resume(previous);
	}

}
