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

package io.quorlock.annotation;

import java.lang.reflect.Method;

import org.jspecify.annotations.Nullable;

/**
 * Computes the key of methods whose annotation has neither {@code name} nor {@code key}.
 * If the application has one such bean, these methods lock their default name with this
 * key, {@code com.acme.Orders.place:42}; without a generator they lock the default name
 * alone. Give a method a name to lock it without a key.
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface LockKeyGenerator {

	/**
	 * Compute the key, once, before the lock is requested.
	 * @param target the bean whose method is called
	 * @param method the method
	 * @param arguments its arguments
	 * @return the key; a collection or an array locks all of its elements or none. Null,
	 * empty and an empty collection are refused with a
	 * {@link io.quorlock.LockKeyException}
	 */
	@Nullable Object generate(Object target, Method method, @Nullable Object... arguments);

}
