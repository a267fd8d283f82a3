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

package io.quorlock.integration;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ConcurrentModificationException;
import java.util.Deque;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;

import org.jspecify.annotations.Nullable;

import org.springframework.integration.support.locks.DistributedLock;

import io.quorlock.LockContext;
import io.quorlock.LockHandle;
import io.quorlock.LockInterruptedException;
import io.quorlock.LockLostException;
import io.quorlock.LockRequest;
import io.quorlock.LockTemplate;

/**
 * The lock of one key. It has no state of its own: the locks that are held are kept for
 * each thread.
 */
final class QuorlockLock implements DistributedLock {

	private final LockTemplate template;

	private final LockRequest request;

	private final String name;

	/** What each thread holds and has to unlock, the latest first. */
	private final ThreadLocal<@Nullable Deque<Hold>> holds;

	QuorlockLock(LockTemplate template, LockRequest request, ThreadLocal<@Nullable Deque<Hold>> holds) {
		this.template = template;
		this.request = request;
		this.name = request.names().get(0);
		this.holds = holds;
	}

	@Override
	public void lock() {
		lock(this.request);
	}

	@Override
	public void lock(Duration ttl) {
		lock(this.request.leaseTime(ttl));
	}

	private void lock(LockRequest request) {
		boolean interrupted = false;
		try {
			while (true) {
				try {
					lockInterruptibly(request);
					return;
				}
				catch (InterruptedException ex) {
					interrupted = true;
				}
			}
		}
		finally {
			if (interrupted) {
				Thread.currentThread().interrupt();
			}
		}
	}

	@Override
	public void lockInterruptibly() throws InterruptedException {
		lockInterruptibly(this.request);
	}

	private void lockInterruptibly(LockRequest request) throws InterruptedException {
		Hold hold = hold();
		if (hold != null && !hold.lost) {
			hold.handle.ensureHeld();
		}
		while (!tryLock(request.waitTime(LockRequest.UNLIMITED_WAIT))) {
			Thread.onSpinWait(); // what this thread held was lost just now
		}
	}

	@Override
	public boolean tryLock() {
		try {
			return tryLock(this.request.waitTime(Duration.ZERO));
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			return false;
		}
	}

	@Override
	public boolean tryLock(long time, TimeUnit unit) throws InterruptedException {
		// TimeUnit saturates where Duration would overflow.
		return tryLock(this.request, Duration.ofNanos(unit.toNanos(time)));
	}

	@Override
	public boolean tryLock(Duration waitTime, Duration ttl) throws InterruptedException {
		return tryLock(this.request.leaseTime(ttl), waitTime);
	}

	private boolean tryLock(LockRequest request, Duration waitTime) throws InterruptedException {
		if (Thread.interrupted()) {
			throw new InterruptedException();
		}
		return tryLock(request.waitTime(waitTime.isNegative() ? Duration.ZERO : waitTime));
	}

	private boolean tryLock(LockRequest request) throws InterruptedException {
		Hold hold = hold();
		if (hold != null && !hold.lost) {
			return reenter(hold);
		}
		try {
			Optional<LockHandle> acquired = this.template.tryAcquire(request);
			acquired.ifPresent(this::add);
			return acquired.isPresent();
		}
		catch (LockInterruptedException ex) {
			Thread.interrupted(); // the exception replaces the interrupt flag
			throw (InterruptedException) new InterruptedException(ex.getMessage()).initCause(ex);
		}
	}

	/**
	 * A thread that has lost its lock is notified once, and can then acquire it again.
	 */
	private static boolean reenter(Hold hold) {
		if (hold.handle.isHeld()) {
			hold.entries++;
			return true;
		}
		hold.lose();
		return false;
	}

	@Override
	public void unlock() {
		Hold hold = hold();
		if (hold == null) {
			throw new IllegalMonitorStateException(notHeld());
		}
		if (--hold.entries > 0) {
			return;
		}
		remove(hold);
		if (hold.lost) {
			throw lost(null);
		}
		LockContext.leave(hold.handle);
		try (LockHandle last = hold.handle) {
			last.ensureHeld();
		}
		catch (LockLostException ex) {
			throw lost(ex);
		}
	}

	private ConcurrentModificationException lost(@Nullable LockLostException cause) {
		return new ConcurrentModificationException("Lock '" + this.name + "' was lost before it was unlocked. The "
				+ "integrity of what it protects may have been compromised", cause);
	}

	/** Return the latest hold of the calling thread, lost or not. */
	private @Nullable Hold hold() {
		Deque<Hold> ofThread = this.holds.get();
		return (ofThread != null)
				? ofThread.stream().filter((hold) -> hold.handle.name().equals(this.name)).findFirst().orElse(null)
				: null;
	}

	private void add(LockHandle handle) {
		Deque<Hold> ofThread = Objects.requireNonNullElseGet(this.holds.get(), () -> new ArrayDeque<>(2));
		ofThread.push(new Hold(handle));
		this.holds.set(ofThread);
		LockContext.enter(handle, null);
	}

	/** Forget a hold that the thread has left as often as it entered it. */
	private void remove(Hold hold) {
		Deque<Hold> ofThread = this.holds.get();
		if (ofThread != null && ofThread.remove(hold) && ofThread.isEmpty()) {
			this.holds.remove();
		}
	}

	/**
	 * Prolong the lock, which the calling thread holds.
	 * @param ttl the time-to-live from now on
	 * @throws IllegalStateException if the thread does not hold the lock, or has lost it
	 */
	void renew(Duration ttl) {
		Hold hold = hold();
		if (hold == null || hold.lost) {
			throw new IllegalStateException(notHeld());
		}
		try {
			hold.handle.extend(ttl);
		}
		catch (LockLostException ex) {
			throw new IllegalStateException("Lock '" + this.name + "' cannot be renewed", ex);
		}
	}

	private String notHeld() {
		return "Lock '%s' is not held by thread '%s'".formatted(this.name, Thread.currentThread().getName());
	}

	@Override
	public Condition newCondition() {
		throw new UnsupportedOperationException("A distributed lock has no conditions");
	}

	@Override
	public String toString() {
		return "QuorlockLock[" + this.name + "]";
	}

	/**
	 * One time that a thread got a lock.
	 */
	static final class Hold {

		private final LockHandle handle;

		private int entries = 1;

		private boolean lost;

		private Hold(LockHandle handle) {
			this.handle = handle;
		}

		/** The thread knows that it lost the lock; it has to unlock it all the same. */
		private void lose() {
			this.lost = true;
			LockContext.leave(this.handle);
			this.handle.close();
		}

	}

}
