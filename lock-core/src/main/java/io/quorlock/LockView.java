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

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReadWriteLock;

/**
 * One lock as {@link Lock}. What a thread locked here is unlocked by it, through any view
 * of the same name.
 */
final class LockView implements Lock {

	/** What each thread locked through views, per template and name. */
	private static final ThreadLocal<Map<Key, Deque<LockHandle>>> LOCKED = ThreadLocal.withInitial(HashMap::new);

	private final LockTemplate template;

	private final LockRequest request;

	private final Key key;

	/** What is locked here is released when it is unlocked, inside a transaction, too. */
	LockView(LockTemplate template, LockRequest request) {
		this.template = template;
		this.request = request.releaseImmediately();
		this.key = new Key(template, request.baseName(), request.mode());
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
		LockRequest wanted = this.request.waitTime(wait).within(LockContext.ofThread());
		LockHandle handle;
		try {
			handle = this.template.acquire(interruptible ? wanted : wanted.uninterruptible());
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

	private record Key(LockTemplate template, String name, LockMode mode) {
	}

	record ReadersAndWriter(Lock readLock, Lock writeLock) implements ReadWriteLock {
	}

}
