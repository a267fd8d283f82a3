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

package io.quorlock;

import java.lang.reflect.Method;
import java.util.Collection;

import org.jspecify.annotations.Nullable;

/**
 * Gives {@code io.quorlock.spi} access to what {@link LockContext} and
 * {@link LockRequest} do not show to applications. Not for use elsewhere.
 *
 * @since 0.1.0
 */
@Api(Api.Status.INTERNAL)
public abstract class SpiAccess {

	/**
	 * For the classes of the SPI alone.
	 */
	protected SpiAccess() {
	}

	/**
	 * Add a lock to a context.
	 * @param handle the innermost lock from now on
	 * @param outer the locks around it, or {@code null}
	 * @param method the method that runs under the lock, or {@code null}
	 * @return the new context
	 */
	protected static LockContext nest(LockHandle handle, @Nullable LockContext outer, @Nullable Method method) {
		return LockContext.with(handle, outer, method);
	}

	/**
	 * Remove a lock from a context.
	 * @param context the context
	 * @param handle the lock to remove
	 * @return the context without it, {@code null} if nothing is left
	 */
	protected static @Nullable LockContext remove(@Nullable LockContext context, LockHandle handle) {
		return LockContext.without(context, handle);
	}

	/**
	 * Return the locks around the innermost.
	 * @param context the context
	 * @return the outer context, or {@code null}
	 */
	protected static @Nullable LockContext around(LockContext context) {
		return context.outer();
	}

	/**
	 * Return the method that runs under the innermost lock.
	 * @param context the context
	 * @return the method, or {@code null} if the lock is not that of a method
	 */
	protected static @Nullable Method method(LockContext context) {
		return context.method();
	}

	/**
	 * Return a request that re-enters the locks of a context.
	 * @param request the request
	 * @param context the locks of the call, {@code null} for none
	 * @return the changed request
	 */
	protected static LockRequest reentering(LockRequest request, @Nullable LockContext context) {
		return request.within(context);
	}

	/**
	 * Return the locks that a request may re-enter.
	 * @param request the request
	 * @return the context, or {@code null} to re-enter none
	 */
	protected static @Nullable LockContext reentered(LockRequest request) {
		return request.context();
	}

	/**
	 * Return a request for some of its names.
	 * @param request the request
	 * @param names the names, of {@link LockRequest#names()}
	 * @return the changed request
	 */
	protected static LockRequest part(LockRequest request, Collection<String> names) {
		return request.only(names);
	}

	/**
	 * Return whether the lease may be kept after the release of such a lock.
	 * @param request the request
	 * @return whether it may
	 */
	protected static boolean retainable(LockRequest request) {
		return request.isRetainable();
	}

}
