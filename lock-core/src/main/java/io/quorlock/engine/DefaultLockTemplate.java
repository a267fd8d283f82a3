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

package io.quorlock.engine;

import java.lang.reflect.Method;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

import org.jspecify.annotations.Nullable;

import io.quorlock.LockContext;
import io.quorlock.LockException;
import io.quorlock.LockHandle;
import io.quorlock.LockMode;
import io.quorlock.LockNotAcquiredException;
import io.quorlock.LockReentryException;
import io.quorlock.LockRequest;
import io.quorlock.LockTemplate;
import io.quorlock.LogText;
import io.quorlock.spi.ReentrantLockHandle;

/**
 * The template over an engine. Re-entry takes place here: names that the request's
 * context holds get a new handle on the old lease, only the others are asked for.
 *
 * @since 0.1.0
 */
public final class DefaultLockTemplate implements LockTemplate {

	private final LockEngine engine;

	private final LockInspector inspector;

	/**
	 * Create a new template.
	 * @param engine the engine that grants the locks
	 */
	public DefaultLockTemplate(LockEngine engine) {
		this.engine = engine;
		this.inspector = new LockInspector(engine);
	}

	/**
	 * The engine that takes the locks.
	 * @return the engine
	 */
	public LockEngine engine() {
		return this.engine;
	}

	@Override
	public Optional<LockHandle> tryAcquire(LockRequest request) {
		LockRequest limited = (request.waitTime() != null) ? request : request.waitTime(Duration.ZERO);
		try {
			return Optional.of(acquire(Duration.ZERO.equals(limited.waitTime()) ? limited.uninterruptible() : limited));
		}
		catch (LockNotAcquiredException ex) {
			return Optional.empty();
		}
	}

	@Override
	public LockHandle acquire(LockRequest request) {
		if (request.context() == null) {
			return this.engine.acquire(request);
		}
		List<LockHandle> parts = new ArrayList<>(0);
		try {
			List<String> missing = reenter(request, parts);
			if (parts.isEmpty()) {
				return this.engine.acquire(request);
			}
			if (!missing.isEmpty()) {
				parts.add(this.engine.acquire(request.only(missing)));
			}
		}
		catch (RuntimeException ex) {
			parts.forEach(LockHandle::close);
			throw ex;
		}
		return joined(parts);
	}

	@Override
	public CompletionStage<LockHandle> acquireAsync(LockRequest request) {
		Duration wait = this.engine.settings.waitTime();
		List<LockHandle> parts = new ArrayList<>(0);
		try {
			List<String> missing = reenter(request, parts);
			if (parts.isEmpty()) {
				return this.engine.acquireAsync(request, wait);
			}
			if (missing.isEmpty()) {
				return CompletableFuture.completedFuture(joined(parts));
			}
			return joinedWith(parts, this.engine.acquireAsync(request.only(missing), wait));
		}
		catch (RuntimeException ex) {
			parts.forEach(LockHandle::closeAsync);
			if (ex instanceof LockException) {
				return CompletableFuture.failedFuture(ex);
			}
			throw ex;
		}
	}

	/**
	 * Not a dependent stage: cancelling one would neither end the wait nor close the
	 * parts.
	 */
	private static CompletableFuture<LockHandle> joinedWith(List<LockHandle> parts,
			CompletableFuture<LockHandle> acquiring) {
		CompletableFuture<LockHandle> result = new CompletableFuture<>();
		result.whenComplete((handle, ex) -> acquiring.cancel(true));
		acquiring.whenComplete((handle, ex) -> {
			if (handle == null) {
				parts.forEach(LockHandle::closeAsync);
				result.completeExceptionally(ex);
				return;
			}
			parts.add(handle);
			LockHandle all = joined(parts);
			if (!result.complete(all)) {
				all.closeAsync();
			}
		});
		return result;
	}

	/** Re-enter what the request's context holds, and return what it does not hold. */
	private List<String> reenter(LockRequest request, List<LockHandle> parts) {
		LockContext context = request.context();
		if (context == null) {
			return request.names();
		}
		List<String> missing = new ArrayList<>(0);
		reenter(request, request.names(), context, parts, missing);
		return parts.isEmpty() ? request.names() : Collections.unmodifiableList(missing);
	}

	private void reenter(LockRequest request, List<String> names, LockContext context, List<LockHandle> parts,
			List<String> missing) {
		IdentityHashMap<LockContext, List<String>> held = new IdentityHashMap<>(2);
		for (String name : names) {
			LockContext found = find(name, context, false);
			// Another kind of lock is refused by the engine.
			if (found == null || (found.handle().permit() > 0) != (request.permits() > 0)) {
				missing.add(name);
				continue;
			}
			if (!request.isReentrant()) {
				checkNotNested(name, context);
			}
			held.computeIfAbsent(found, (key) -> new ArrayList<>(1)).add(name);
		}
		held.forEach((found, some) -> {
			try {
				LockHandle part = ((ReentrantLockHandle) found.handle()).reenter(some);
				parts.add(part);
				checkMode(request, some.get(0), part, context);
			}
			catch (IllegalStateException ex) {
				// Closed meanwhile: the call holds it further out, or no longer.
				if (found.outer() != null) {
					reenter(request, some, found.outer(), parts, missing);
				}
				else {
					missing.addAll(some);
				}
			}
		});
	}

	/**
	 * Return the innermost lock of a name that the call got from this engine.
	 * @param open whether to leave out those that were closed: a transaction keeps them
	 */
	private @Nullable LockContext find(String name, LockContext context, boolean open) {
		for (LockContext each = context; each != null; each = each.outer()) {
			LockHandle held = each.handle();
			if (held instanceof ReentrantLockHandle handle && handle.names().contains(name)
					&& handle.isGrantedBy(this.engine) && each.isOfThisCall()
					&& (!open || held.isHeld() || held.loss().isPresent())) {
				return each;
			}
		}
		return null;
	}

	private void checkNotNested(String name, LockContext context) {
		LockContext open = find(name, context, true);
		if (open != null) {
			throw new LockReentryException("Lock '%s' is not re-entrant, and this call holds it already%s"
				.formatted(LogText.escape(name), where(open)));
		}
	}

	/** Waiting would never end: the call would wait for itself. */
	private void checkMode(LockRequest request, String name, LockHandle held, LockContext context) {
		if (request.mode() == LockMode.SHARED || request.permits() > 0 || held.mode() == LockMode.EXCLUSIVE) {
			return;
		}
		String escaped = LogText.escape(name);
		LockContext open = find(name, context, true);
		throw new LockReentryException((open != null)
				? ("This call shares lock '%s'%s and cannot become its writer: it would wait for itself. Acquire it "
						+ "exclusively in the first place, or release the shared lock before")
					.formatted(escaped, where(open))
				: ("This transaction shares lock '%s' until it ends, although the shared lock was closed, and cannot "
						+ "become its writer: it would wait for itself. Acquire it exclusively in the first place, or "
						+ "have the shared lock released immediately")
					.formatted(escaped));
	}

	private static String where(LockContext held) {
		Method method = held.method();
		return (method != null) ? " in %s.%s".formatted(method.getDeclaringClass().getName(), method.getName()) : "";
	}

	private static LockHandle joined(List<LockHandle> parts) {
		return (parts.size() == 1) ? parts.get(0) : new CompositeHandle(parts);
	}

	@Override
	public boolean requestRelease(String name, Duration deadline) {
		return this.inspector.requestRelease(name, deadline).join();
	}

}
