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

import java.util.Objects;

import org.jspecify.annotations.Nullable;

import io.quorlock.LockKeyException;
import io.quorlock.annotation.LockKeyGenerator;

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

	/**
	 * A key from the application's {@link LockKeyGenerator}.
	 *
	 * @param generator the generator
	 * @param declaration the method
	 */
	record GeneratedLockKey(LockKeyGenerator generator, LockDeclaration declaration) implements LockKey {

		@Override
		public @Nullable Object of(@Nullable Object target, @Nullable Object[] arguments) {
			return this.generator.generate(Objects.requireNonNull(target, "No bean behind the proxy"),
					this.declaration.method(), arguments);
		}

		@Override
		public String toString() {
			return "Lock key of %s by %s".formatted(this.declaration.location(), this.generator);
		}

	}

}
