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

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import io.quorlock.LockRequest;

/**
 * Checks that no name is locked with permits by one method and without by another: the
 * two would not exclude each other.
 *
 * @since 0.1.0
 */
public final class PermitsCheck {

	private final Map<Name, LockSpecification> first = new ConcurrentHashMap<>();

	/**
	 * Check one more method.
	 * @param specification what its annotation says
	 * @throws InvalidLockDeclarationException if an earlier method contradicts it
	 */
	public void check(LockSpecification specification) {
		LockRequest request = specification.request();
		LockSpecification earlier = this.first.putIfAbsent(new Name(request.baseName(), specification.key() != null),
				specification);
		if (earlier != null && (earlier.request().permits() > 0) != (request.permits() > 0)) {
			throw new InvalidLockDeclarationException(specification.location(), "permits",
					String.valueOf(request.permits()),
					"%s locks '%s' with permits = %d. With and without permits, the two do not exclude each other"
						.formatted(earlier.location(), request.baseName(), earlier.request().permits()),
					"Declare the same number of permits on all methods that lock the name, or give one of them another "
							+ "name.",
					null);
		}
	}

	/** With a key, other names are locked than without. */
	private record Name(String baseName, boolean withKey) {
	}

}
