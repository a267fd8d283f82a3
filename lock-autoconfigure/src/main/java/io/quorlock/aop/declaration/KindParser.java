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

import io.quorlock.LockMode;
import io.quorlock.LockRequest;
import io.quorlock.annotation.DistributedLock;

/**
 * Parses the attributes of an annotation that say what kind of lock it declares.
 */
final class KindParser {

	private KindParser() {
	}

	/**
	 * Make a request one for the kind of lock that is declared.
	 * @param annotation the annotation, merged
	 * @param location the method in messages
	 * @param request the request
	 * @return the changed request
	 * @throws InvalidLockDeclarationException if the attributes contradict each other
	 */
	static LockRequest parse(DistributedLock annotation, String location, LockRequest request) {
		int permits = annotation.permits();
		if (permits < 0 || permits > LockRequest.MAX_PERMITS) {
			throw refused(location, permits, "a lock has 1 to 1,000 permits; leave it out for a lock without permits");
		}
		if (permits > 0 && annotation.mode() == LockMode.SHARED) {
			throw refused(location, permits, "a lock with permits cannot be shared with mode = SHARED as well");
		}
		LockRequest changed = request.mode(annotation.mode());
		changed = (permits > 0) ? changed.permits(permits) : changed;
		changed = annotation.fair() ? changed.fair() : changed;
		return annotation.reentrant() ? changed : changed.notReentrant();
	}

	/**
	 * Return why a lock cannot have several names.
	 * @param annotation the annotation, merged
	 * @return the attribute with its value, or {@code null} if it can
	 */
	static @Nullable String ofOneName(DistributedLock annotation) {
		if (annotation.permits() > 0) {
			return "permits = " + annotation.permits();
		}
		return annotation.fair() ? "fair = true" : null;
	}

	private static InvalidLockDeclarationException refused(String location, int permits, String reason) {
		return new InvalidLockDeclarationException(location, "permits", String.valueOf(permits), reason,
				"Set permits to 1 to 1,000 in mode = EXCLUSIVE, or remove the attribute.", null);
	}

}
