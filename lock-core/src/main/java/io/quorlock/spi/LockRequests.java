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

import java.util.Collection;

import org.jspecify.annotations.Nullable;

import io.quorlock.LockContext;
import io.quorlock.LockRequest;
import io.quorlock.SpiAccess;

/**
 * Reads and changes requests, for extensions that bring templates of their own.
 *
 * @since 0.1.0
 */
public final class LockRequests extends SpiAccess {

	private LockRequests() {
	}

	/**
	 * Have a request re-enter the locks that a call holds already: their names are not
	 * requested again, and the handle shares their lease and fencing token.
	 * @param request the request
	 * @param context the locks of the call, {@code null} for none
	 * @return the changed request
	 * @see LockContext#capture()
	 */
	public static LockRequest within(LockRequest request, @Nullable LockContext context) {
		return reentering(request, context);
	}

	/**
	 * Return the locks that a request may re-enter.
	 * @param request the request
	 * @return the context, or {@code null} to re-enter none
	 */
	public static @Nullable LockContext context(LockRequest request) {
		return reentered(request);
	}

	/**
	 * Return a request for some of its names.
	 * @param request the request
	 * @param names the names, of {@link LockRequest#names()}
	 * @return the changed request
	 */
	public static LockRequest only(LockRequest request, Collection<String> names) {
		return part(request, names);
	}

	/**
	 * Return whether the lease may be kept after the release of such a lock.
	 * @param request the request
	 * @return whether it is one exclusive lock that is renewed, neither fair nor with
	 * permits or a cool-down
	 */
	public static boolean isRetainable(LockRequest request) {
		return retainable(request);
	}

}
