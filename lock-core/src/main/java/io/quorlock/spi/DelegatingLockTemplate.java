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

import io.quorlock.LockTemplate;

/**
 * A template that adds something to another one. Handles that it wraps are
 * {@linkplain ReentrantLockHandle reentrant} themselves, or calls that ask again for what
 * they hold wait for it. Its views lock through its own {@link #acquire}.
 *
 * @since 0.1.0
 */
public interface DelegatingLockTemplate extends LockTemplate {

	/**
	 * Return the template behind this one.
	 * @return the template that takes the locks
	 */
	LockTemplate getDelegate();

}
