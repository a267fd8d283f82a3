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

import java.lang.reflect.Method;

import org.jspecify.annotations.Nullable;

import io.quorlock.LockContext;
import io.quorlock.LockHandle;
import io.quorlock.SpiAccess;

/**
 * Builds and reads contexts, for extensions that bring their own ways of running code
 * under a lock.
 *
 * <pre class="code">
 * LockContext.restore(LockContexts.with(handle, LockContext.capture()));
 * try {
 *     ...
 * }
 * finally {
 *     LockContext.restore(LockContexts.without(LockContext.capture(), handle));
 * }
 * </pre>
 *
 * @since 0.1.0
 */
public final class LockContexts extends SpiAccess {

	private LockContexts() {
	}

	/**
	 * Add a lock to a context.
	 * @param handle the innermost lock from now on
	 * @param outer the locks around it, or {@code null}
	 * @return the new context
	 */
	public static LockContext with(LockHandle handle, @Nullable LockContext outer) {
		return nest(handle, outer, null);
	}

	/**
	 * Add the lock of a method to a context.
	 * @param handle the innermost lock from now on
	 * @param outer the locks around it, or {@code null}
	 * @param method the method that runs under the lock, for messages, or {@code null}
	 * @return the new context
	 */
	public static LockContext with(LockHandle handle, @Nullable LockContext outer, @Nullable Method method) {
		return nest(handle, outer, method);
	}

	/**
	 * Remove a lock from a context, wherever it is nested.
	 * @param context the context, or {@code null}
	 * @param handle the lock to remove
	 * @return the context without it, {@code null} if nothing is left
	 */
	public static @Nullable LockContext without(@Nullable LockContext context, LockHandle handle) {
		return remove(context, handle);
	}

	/**
	 * Return the locks around the innermost.
	 * @param context the context
	 * @return the outer context, or {@code null}
	 */
	public static @Nullable LockContext outer(LockContext context) {
		return around(context);
	}

	/**
	 * Return the innermost lock of a context that an engine granted and that holds a
	 * name.
	 * @param context the context, or {@code null}
	 * @param engine the engine
	 * @param name the name
	 * @return the lock, or {@code null} if the context holds no such lock
	 */
	public static @Nullable ReentrantLockHandle find(@Nullable LockContext context, Object engine, String name) {
		for (LockContext each = context; each != null; each = around(each)) {
			if (each.handle() instanceof ReentrantLockHandle handle && handle.names().contains(name)
					&& handle.isGrantedBy(engine)) {
				return handle;
			}
		}
		return null;
	}

	/**
	 * Return the method that runs under a lock of a context.
	 * @param context the context
	 * @param handle the lock
	 * @return the method, or {@code null} if the lock is not that of a method
	 */
	public static @Nullable Method methodOf(LockContext context, LockHandle handle) {
		for (LockContext each = context; each != null; each = around(each)) {
			if (each.handle() == handle) {
				return method(each);
			}
		}
		return null;
	}

}
