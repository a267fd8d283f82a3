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
 * acquire, and what the call asks for re-enters them.
 * <p>
 * A context can be handed to another thread with {@link #restore}. That thread sees the
 * locks and their fencing tokens, but runs beside the call and does not re-enter them: a
 * lock that a thread entered is re-entered by that thread, until it leaves the locked
 * code; the lock of a reactive pipeline by what the pipeline subscribes to and by its
 * operators.
 *
 * @since 0.1.0
 */
public final class LockContext {

	private static final ThreadLocal<@Nullable LockContext> CURRENT = new ThreadLocal<>();

	private final LockHandle handle;

	private final @Nullable LockContext outer;

	private final @Nullable Method method;

	/** The thread that entered the lock, null for a pipeline, which has none. */
	private final @Nullable Thread thread;

	/** What this is a copy of, or itself. */
	private final LockContext original;

	/** Whether this copy was captured, and not restored yet. */
	private final boolean captured;

	private volatile boolean left;

	private LockContext(LockHandle handle, @Nullable LockContext outer, @Nullable Method method,
			@Nullable Thread thread, @Nullable LockContext original, boolean captured) {
		this.handle = handle;
		this.outer = outer;
		this.method = method;
		this.thread = thread;
		this.original = (original != null) ? original : this;
		this.captured = captured;
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
		return current().orElseThrow(
				() -> new IllegalStateException("No lock is held by this call, so there is no fencing token" + hint()))
			.fencingToken();
	}

	private static String hint() {
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
				: ". An annotated method is locked if it is called through its Spring bean, not from within its own object";
	}

	/**
	 * Return the locks of the calling thread, to be restored on another thread.
	 * @return the context, or {@code null} if the thread holds no lock
	 */
	public static @Nullable LockContext capture() {
		LockContext context = CURRENT.get();
		return (context != null) ? context.copy(true) : null;
	}

	/**
	 * Set the context of the calling thread.
	 * @param context the context, or {@code null} for none
	 * @return the context that it replaced, to be restored on the same thread
	 */
	public static @Nullable LockContext restore(@Nullable LockContext context) {
		LockContext previous = CURRENT.get();
		if (context == null) {
			CURRENT.remove();
		}
		else if (context.captured) {
			// Without leaving the thread, the pipeline has not been forked.
			CURRENT.set(isCurrent(context.original) ? context.original : context.copy(false));
		}
		else {
			CURRENT.set(context);
		}
		return previous;
	}

	/**
	 * Set the context again from which another was captured on this thread.
	 * @param captured what was captured, or {@code null} for none
	 */
	@Api(Api.Status.INTERNAL)
	public static void resume(@Nullable LockContext captured) {
		restore((captured != null && captured.captured) ? captured.original : captured);
	}

	/**
	 * Return the locks of the calling thread, for what the thread itself does.
	 * @return the context, or {@code null} if the thread holds no lock
	 */
	@Api(Api.Status.EXTENSION)
	public static @Nullable LockContext ofThread() {
		return CURRENT.get();
	}

	/**
	 * Add a lock to the context of the calling thread, which may re-enter it until it
	 * {@linkplain #leave leaves} it.
	 * @param handle the innermost lock from now on
	 * @param method the method that runs under the lock, for messages, or {@code null}
	 */
	@Api(Api.Status.EXTENSION)
	public static void enter(LockHandle handle, @Nullable Method method) {
		CURRENT.set(new LockContext(handle, CURRENT.get(), method, Thread.currentThread(), null, false));
	}

	/**
	 * Remove a lock from the context of the calling thread, wherever it is nested.
	 * @param handle the lock
	 */
	@Api(Api.Status.EXTENSION)
	public static void leave(LockHandle handle) {
		restore(without(CURRENT.get(), handle));
	}

	private static @Nullable LockContext without(@Nullable LockContext context, LockHandle handle) {
		if (context == null) {
			return null;
		}
		if (context.handle == handle) {
			context.original.left = true;
			return context.outer;
		}
		LockContext outer = without(context.outer, handle);
		return (outer != context.outer) ? context.around(outer, context.captured) : context;
	}

	/**
	 * Return a context that the calling thread may re-enter.
	 * @param handle the innermost lock
	 * @param outer the locks around it, or {@code null}
	 * @return the context
	 */
	@Api(Api.Status.EXTENSION)
	public static LockContext with(LockHandle handle, @Nullable LockContext outer) {
		return new LockContext(handle, outer, null, Thread.currentThread(), null, false);
	}

	/**
	 * Return the context of a reactive pipeline, which its operators and subscriptions
	 * may re-enter.
	 * @param handle the innermost lock
	 * @param outer the locks around it, or {@code null}
	 * @param method the method that returned the pipeline, for messages
	 * @return the context
	 */
	@Api(Api.Status.INTERNAL)
	public static LockContext ofPipeline(LockHandle handle, @Nullable LockContext outer, Method method) {
		return new LockContext(handle, outer, method, null, null, false);
	}

	/**
	 * Return this context for a method that the call invokes, and that runs on the
	 * calling thread: it re-enters what the caller may re-enter.
	 * @param caller the thread of the call
	 * @return the context
	 */
	@Api(Api.Status.INTERNAL)
	public LockContext movedFrom(Thread caller) {
		LockContext outer = (this.outer != null) ? this.outer.movedFrom(caller) : null;
		Thread thread = (this.thread == caller) ? Thread.currentThread() : this.thread;
		return (outer != this.outer || thread != this.thread)
				? new LockContext(this.handle, outer, this.method, thread, this.original, this.captured) : this;
	}

	/**
	 * Return whether the innermost lock is one of the call that runs on the calling
	 * thread. A thread that was only given the context runs beside that call.
	 * @return whether this thread may re-enter the lock
	 */
	@Api(Api.Status.EXTENSION)
	public boolean isOfThisCall() {
		return (this.thread != null) ? this.thread == Thread.currentThread() && !this.original.left
				: this.original == this || isCurrent(this.original);
	}

	private static boolean isCurrent(LockContext context) {
		LockContext each = CURRENT.get();
		while (each != null && each != context) {
			each = each.outer;
		}
		return each != null;
	}

	/** The lock of a thread needs no copy: it knows its thread. */
	private LockContext copy(boolean captured) {
		LockContext outer = (this.outer != null) ? this.outer.copy(captured) : null;
		boolean pipeline = captured ? this.original == this : this.captured;
		return ((this.thread == null && pipeline) || outer != this.outer) ? around(outer, captured) : this;
	}

	private LockContext around(@Nullable LockContext outer, boolean captured) {
		return new LockContext(this.handle, outer, this.method, this.thread, this.original, captured);
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
