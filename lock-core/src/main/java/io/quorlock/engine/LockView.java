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

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;

import io.quorlock.LockContext;
import io.quorlock.LockHandle;
import io.quorlock.LockInterruptedException;
import io.quorlock.LockMode;
import io.quorlock.LockNotAcquiredException;
import io.quorlock.LockRequest;
import io.quorlock.LogText;

/**
 * One lock as {@link Lock}. What a thread locked here is unlocked by it, through any view
 * of the same name.
 */
final class LockView implements Lock {

	/** Acquires the lock behind a view. */
	interface Source {

		LockHandle acquire(LockRequest request, boolean interruptible);

	}

	/** What each thread locked through views, per template and name. */
	private static final ThreadLocal<Map<Key, Deque<LockHandle>>> LOCKED = ThreadLocal.withInitial(HashMap::new);

	private final Source source;

	private final LockRequest request;

	private final Key key;

	LockView(Source source, LockRequest request) {
		this.source = source;
		this.request = request;
		this.key = new Key(source, request.baseName(), request.mode());
	}

	@Override
	public void lock() {
		enter(LockRequest.UNLIMITED_WAIT, false);
	}

	@Override
	public void lockInterruptibly() throws InterruptedException {
		enterInterruptibly(LockRequest.UNLIMITED_WAIT);
	}

	@Override
	public boolean tryLock() {
		return enter(Duration.ZERO, false);
	}

	@Override
	public boolean tryLock(long time, TimeUnit unit) throws InterruptedException {
		// TimeUnit saturates where Duration would overflow.
		return enterInterruptibly(Duration.ofNanos(Math.max(0, unit.toNanos(time))));
	}

	private boolean enterInterruptibly(Duration wait) throws InterruptedException {
		if (Thread.interrupted()) {
			throw new InterruptedException();
		}
		try {
			return enter(wait, true);
		}
		catch (LockInterruptedException ex) {
			Thread.interrupted(); // the exception replaces the flag
			throw (InterruptedException) new InterruptedException(ex.getMessage()).initCause(ex);
		}
	}

	private boolean enter(Duration wait, boolean interruptible) {
		LockHandle handle;
		try {
			handle = this.source.acquire(this.request.waitTime(wait).within(LockContext.ofThread()), interruptible);
		}
		catch (LockNotAcquiredException ex) {
			return false;
		}
		LOCKED.get().computeIfAbsent(this.key, (key) -> new ArrayDeque<>(2)).push(handle);
		LockContext.enter(handle, null);
		return true;
	}

	/**
	 * Release the lock.
	 * @throws IllegalMonitorStateException if this thread did not lock it
	 * @throws io.quorlock.LockLostException if it was lost before
	 */
	@Override
	public void unlock() {
		Map<Key, Deque<LockHandle>> locked = LOCKED.get();
		Deque<LockHandle> handles = locked.getOrDefault(this.key, new ArrayDeque<>(0));
		LockHandle handle = handles.poll();
		if (handles.isEmpty()) {
			locked.remove(this.key);
		}
		if (locked.isEmpty()) {
			LOCKED.remove();
		}
		if (handle == null) {
			throw new IllegalMonitorStateException("Lock '%s' is not held by thread '%s'"
				.formatted(LogText.escape(this.key.name()), Thread.currentThread().getName()));
		}
		LockContext.leave(handle);
		try {
			handle.ensureHeld();
		}
		finally {
			handle.close();
		}
	}

	@Override
	public Condition newCondition() {
		throw new UnsupportedOperationException("A distributed lock has no conditions");
	}

	@Override
	public String toString() {
		return "Lock[" + LogText.escape(this.key.name()) + "]";
	}

	private record Key(Source source, String name, LockMode mode) {
	}

}
