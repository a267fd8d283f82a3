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

package io.quorlock.aop.declaration;

import org.jspecify.annotations.Nullable;

import io.quorlock.LockKeyException;

/**
 * Computes the key of a call.
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface LockKey {

	/**
	 * Compute the key.
	 * @param target the bean whose method is called
	 * @param arguments the arguments of the call
	 * @return the key, not yet checked
	 * @throws LockKeyException if it cannot be computed
	 */
	@Nullable Object of(@Nullable Object target, @Nullable Object[] arguments);

	/**
	 * Return how messages name the key.
	 * @return the expression, or {@code key}
	 */
	default String path() {
		return "key";
	}

}
