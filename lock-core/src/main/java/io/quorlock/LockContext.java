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
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

/**
 * The locks that the running call holds, innermost first. {@code @DistributedLock},
 * {@link LockTemplate#execute} and {@link LockTemplate#asLock} add the locks that they
 * acquire. Re-entry uses this context, so it depends on the call and not on the thread.
 * <p>
 * An instance is immutable and can be handed to another thread with {@link #restore}.
 * Extensions that run code under a lock add it:
 *
 * <pre class="code">
 * LockContext.restore(LockContext.with(handle, LockContext.capture()));
 * try {
 *     ...
 * }
 * finally {
 *     LockContext.restore(LockContext.without(LockContext.capture(), handle));
 * }
 * </pre>
 *
 * @since 0.1.0
 */
public final class LockContext {

	private static final ThreadLocal<@Nullable LockContext> CURRENT = new ThreadLocal<>();

	private final LockHandle handle;

	private final @Nullable LockContext outer;

	private final @Nullable Method method;

	private LockContext(LockHandle handle, @Nullable LockContext outer, @Nullable Method method) {
		this.handle = handle;
		this.outer = outer;
		this.method = method;
	}

	/**
	 * Return the innermost lock of this call.
	 * @return the lock, or empty if this call holds none
	 */
	public static Optional<LockHandle> current() {
		LockContext context = CURRENT.get();
		return (context != null) ? Optional.of(context.handle) : Optional.empty();
	}

	/**
	 * Return the fencing token of the innermost lock of this call.
	 * @return the token
	 * @throws IllegalStateException if this call holds no lock, or one of several names
	 */
	public static long fencingToken() {
		return current()
			.orElseThrow(() -> new IllegalStateException(
					"No lock is held by this call, so there is no fencing token" + reactiveHint()))
			.fencingToken();
	}

	private static String reactiveHint() {
		Set<String> callers = StackWalker.getInstance()
			.walk((frames) -> frames.map(StackWalker.StackFrame::getClassName).collect(Collectors.toSet()));
		if (callers.stream().anyMatch((name) -> name.startsWith("kotlin.coroutines."))) {
			return ". A suspending function runs on any thread: get the token by "
					+ "ReactiveLockContext.fencingToken().awaitSingle(), or call the function in "
					+ "withContext(PropagationContextElement()) with io.micrometer:context-propagation on the class path";
		}
		return callers.stream().anyMatch((name) -> name.startsWith("reactor.core."))
				? ". The operators of a reactive pipeline run on any thread: get the token in the body of the "
						+ "locked method or from ReactiveLockContext.fencingToken(), or set spring.reactor.context-propagation=auto "
						+ "with io.micrometer:context-propagation on the class path"
				: "";
	}

	/**
	 * Return the locks of the calling thread, to be restored on another thread.
	 * @return the context, or {@code null} if the thread holds no lock
	 */
	public static @Nullable LockContext capture() {
		return CURRENT.get();
	}

	/**
	 * Set the context of the calling thread.
	 * @param context the context, or {@code null} for none
	 * @return the context that it replaced
	 */
	public static @Nullable LockContext restore(@Nullable LockContext context) {
		LockContext previous = CURRENT.get();
		if (context != null) {
			CURRENT.set(context);
		}
		else {
			CURRENT.remove();
		}
		return previous;
	}

	/**
	 * Add a lock to a context.
	 * @param handle the innermost lock from now on
	 * @param outer the locks around it, or {@code null}
	 * @return the new context
	 */
	@Api(Api.Status.EXTENSION)
	public static LockContext with(LockHandle handle, @Nullable LockContext outer) {
		return with(handle, outer, null);
	}

	/**
	 * Add the lock of a method to a context.
	 * @param handle the innermost lock from now on
	 * @param outer the locks around it, or {@code null}
	 * @param method the method that runs under the lock, for messages, or {@code null}
	 * @return the new context
	 */
	@Api(Api.Status.EXTENSION)
	public static LockContext with(LockHandle handle, @Nullable LockContext outer, @Nullable Method method) {
		return new LockContext(handle, outer, method);
	}

	/**
	 * Remove a lock from a context, wherever it is nested.
	 * @param context the context, or {@code null}
	 * @param handle the lock to remove
	 * @return the context without it, {@code null} if nothing is left
	 */
	@Api(Api.Status.EXTENSION)
	public static @Nullable LockContext without(@Nullable LockContext context, LockHandle handle) {
		if (context == null || context.handle == handle) {
			return (context != null) ? context.outer : null;
		}
		return new LockContext(context.handle, without(context.outer, handle), context.method);
	}

	/**
	 * Return the innermost lock.
	 * @return the lock
	 */
	public LockHandle handle() {
		return this.handle;
	}

	/**
	 * Return the locks around the innermost.
	 * @return the outer context, or {@code null}
	 */
	@Api(Api.Status.EXTENSION)
	public @Nullable LockContext outer() {
		return this.outer;
	}

	/**
	 * Return the method that runs under the innermost lock.
	 * @return the method, or {@code null} if the lock is not that of a method
	 */
	@Api(Api.Status.EXTENSION)
	public @Nullable Method method() {
		return this.method;
	}

}
