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
import java.util.ConcurrentModificationException;
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
import io.quorlock.integration.ThreadHolds.Hold;

/**
 * The lock of one key. It has no state of its own: the locks that are held are kept for
 * each thread.
 */
final class QuorlockLock implements DistributedLock {

	private final LockTemplate template;

	private final LockRequest request;

	private final String name;

	private final ThreadHolds holds;

	QuorlockLock(LockTemplate template, LockRequest request, ThreadHolds holds) {
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
		Hold hold = this.holds.find(this.name);
		if (hold != null && !hold.isLost()) {
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
		Hold hold = this.holds.find(this.name);
		if (hold != null && !hold.isLost()) {
			return reenter(hold);
		}
		try {
			Optional<LockHandle> acquired = this.template.tryAcquire(request);
			acquired.ifPresent(this.holds::add);
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
		Hold hold = this.holds.find(this.name);
		if (hold == null) {
			throw new IllegalMonitorStateException(
					"Lock '%s' is not held by thread '%s'".formatted(this.name, Thread.currentThread().getName()));
		}
		if (--hold.entries > 0) {
			return;
		}
		this.holds.remove(hold);
		if (hold.isLost()) {
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

	@Override
	public Condition newCondition() {
		throw new UnsupportedOperationException("A distributed lock has no conditions");
	}

	@Override
	public String toString() {
		return "QuorlockLock[" + this.name + "]";
	}

}
