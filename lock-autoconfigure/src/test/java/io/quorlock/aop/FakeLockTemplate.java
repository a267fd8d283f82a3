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

package io.quorlock.aop;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;

import org.springframework.util.Assert;

import io.quorlock.LockContext;
import io.quorlock.LockHandle;
import io.quorlock.LockInterruptedException;
import io.quorlock.LockLostEvent;
import io.quorlock.LockLostException;
import io.quorlock.LockNotAcquiredException;
import io.quorlock.LockReentryException;
import io.quorlock.LockRequest;
import io.quorlock.LockTemplate;
import io.quorlock.LockUnavailableException;
import io.quorlock.ReleaseRequest;
import io.quorlock.spi.ReentrantLockHandle;

/**
 * Locks in a map, for tests of what is built upon {@link LockTemplate}: names can be held
 * elsewhere, get lost, or be unavailable, and what happens is recorded.
 */
public class FakeLockTemplate implements LockTemplate {

	private final Map<String, Lease> leases = new HashMap<>();

	private final List<String> events;

	private final List<LockRequest> requests = new CopyOnWriteArrayList<>();

	private long tokens;

	private boolean unavailable;

	private volatile boolean closesFail;

	public FakeLockTemplate() {
		this(new CopyOnWriteArrayList<>());
	}

	public FakeLockTemplate(List<String> events) {
		this.events = events;
	}

	public List<String> events() {
		return this.events;
	}

	public List<LockRequest> requests() {
		return this.requests;
	}

	public LockRequest lastRequest() {
		return this.requests.get(this.requests.size() - 1);
	}

	public synchronized void holdElsewhere(String name) {
		this.leases.put(name, new Lease(List.of(name), ++this.tokens));
	}

	public synchronized void releaseElsewhere(String name) {
		this.leases.remove(name);
		notifyAll();
	}

	public synchronized void unavailable(boolean unavailable) {
		this.unavailable = unavailable;
	}

	/** The lock is free then, but whoever released it hears of an error. */
	public void failCloses() {
		this.closesFail = true;
	}

	public void lose(String name) {
		Lease lease;
		synchronized (this) {
			lease = this.leases.remove(name);
		}
		lease.lose();
	}

	public void loseIfHeld(String name) {
		Lease lease;
		synchronized (this) {
			lease = this.leases.remove(name);
		}
		if (lease != null) {
			lease.lose();
		}
	}

	public synchronized boolean isHeld(String name) {
		return this.leases.containsKey(name);
	}

	public synchronized int heldCount() {
		return this.leases.size();
	}

	@Override
	public Optional<LockHandle> tryAcquire(LockRequest request) {
		try {
			return Optional.of(acquire((request.waitTime() != null) ? request : request.waitTime(Duration.ZERO)));
		}
		catch (LockNotAcquiredException ex) {
			return Optional.empty();
		}
	}

	@Override
	public synchronized LockHandle acquire(LockRequest request) {
		this.requests.add(request);
		if (this.unavailable) {
			throw new LockUnavailableException("1 of 5 nodes answered");
		}
		LockHandle again = reenter(request);
		return (again != null) ? again : queue(request);
	}

	private @Nullable LockHandle reenter(LockRequest request) {
		for (LockContext context = request.context(); context != null; context = context.outer()) {
			if (context.isOfThisCall() && context.handle().names().containsAll(request.names())) {
				if (!request.isReentrant()) {
					throw new LockReentryException("held already");
				}
				return ((ReentrantLockHandle) context.handle()).reenter(request.names());
			}
		}
		return null;
	}

	private synchronized LockHandle queue(LockRequest request) {
		long deadline = System.nanoTime()
				+ ((request.waitTime() != null) ? request.waitTime() : Duration.ZERO).toNanos();
		while (request.names().stream().anyMatch(this.leases::containsKey)) {
			long left = deadline - System.nanoTime();
			InterruptedException interrupted = Thread.currentThread().isInterrupted() ? new InterruptedException()
					: null;
			try {
				TimeUnit.NANOSECONDS.timedWait(this, left);
			}
			catch (InterruptedException ex) {
				interrupted = ex;
				Thread.currentThread().interrupt();
			}
			if (interrupted != null) {
				throw new LockInterruptedException("interrupted", String.join(",", request.names()), Duration.ZERO,
						interrupted);
			}
			if (left <= 0) {
				throw new LockNotAcquiredException("held elsewhere", String.join(",", request.names()), "other",
						Duration.ZERO, 1);
			}
		}
		Lease lease = new Lease(request.names(), ++this.tokens);
		request.names().forEach((name) -> this.leases.put(name, lease));
		this.events.add("lock " + String.join(",", request.names()));
		return new Handle(lease);
	}

	@Override
	public CompletionStage<LockHandle> acquireAsync(LockRequest request) {
		CompletableFuture<LockHandle> future = new CompletableFuture<>();
		LockHandle again;
		try {
			again = reenter(request);
		}
		catch (LockReentryException ex) {
			return CompletableFuture.failedFuture(ex);
		}
		Thread thread = new Thread(() -> {
			try {
				LockHandle handle = (again != null) ? again : acquire(request);
				if (!future.complete(handle)) {
					handle.close();
				}
				LockContext left = LockContext.capture();
				if (left != null) {
					this.events.add("left " + left.handle().name());
				}
			}
			catch (RuntimeException ex) {
				future.completeExceptionally(ex);
			}
		}, "lock-continuation");
		thread.setDaemon(true);
		thread.start();
		return future;
	}

	@Override
	public Lock asLock(String name) {
		throw new UnsupportedOperationException();
	}

	@Override
	public boolean requestRelease(String name, Duration deadline) {
		throw new UnsupportedOperationException();
	}

	@Override
	public ReadWriteLock asReadWriteLock(String name) {
		throw new UnsupportedOperationException();
	}

	private synchronized void release(Lease lease) {
		if (--lease.count == 0 && !lease.lost) {
			lease.names.forEach(this.leases::remove);
			this.events.add("unlock " + String.join(",", lease.names));
			notifyAll();
		}
	}

	private static final class Lease {

		private final List<String> names;

		private final long token;

		private final List<Consumer<LockLostEvent>> callbacks = new ArrayList<>();

		private int count = 1;

		private volatile boolean lost;

		Lease(List<String> names, long token) {
			this.names = names;
			this.token = token;
		}

		synchronized void lose() {
			this.lost = true;
			this.callbacks.forEach(this::report);
		}

		synchronized void onLost(Consumer<LockLostEvent> callback) {
			this.callbacks.add(callback);
			if (this.lost) {
				report(callback);
			}
		}

		private void report(Consumer<LockLostEvent> callback) {
			new Thread(() -> callback.accept(new LockLostEvent(this.names, "fake", Duration.ofSeconds(1), "test")),
					"lock-lost")
				.start();
		}

	}

	private final class Handle implements ReentrantLockHandle {

		private final Lease lease;

		private boolean closed;

		Handle(Lease lease) {
			this.lease = lease;
		}

		@Override
		public boolean isGrantedBy(Object engine) {
			return false;
		}

		@Override
		public Handle reenter(Collection<String> names) {
			ensureHeld();
			this.lease.count++;
			return new Handle(this.lease);
		}

		@Override
		public CompletionStage<@Nullable Void> closeAsync() {
			return CompletableFuture.runAsync(() -> {
				close();
				Assert.state(!FakeLockTemplate.this.closesFail, "not released");
			});
		}

		@Override
		public String name() {
			return String.join(",", this.lease.names);
		}

		@Override
		public List<String> names() {
			return this.lease.names;
		}

		@Override
		public long fencingToken() {
			return this.lease.token;
		}

		@Override
		public long fencingToken(String name) {
			return this.lease.token;
		}

		@Override
		public Duration remaining() {
			return Duration.ofSeconds(isHeld() ? 30 : 0);
		}

		@Override
		public boolean isHeld() {
			return !this.lease.lost && !this.closed;
		}

		@Override
		public void ensureHeld() {
			if (this.lease.lost) {
				throw new LockLostException("Lock " + name() + " was lost");
			}
			if (this.closed) {
				throw new IllegalStateException("closed");
			}
		}

		@Override
		public void onReleaseRequested(Consumer<ReleaseRequest> callback) {
			throw new UnsupportedOperationException();
		}

		@Override
		public void onLost(Consumer<LockLostEvent> callback) {
			this.lease.onLost(callback);
		}

		@Override
		public void extend(Duration lease) {
			ensureHeld();
		}

		@Override
		public void close() {
			synchronized (FakeLockTemplate.this) {
				if (!this.closed) {
					this.closed = true;
					release(this.lease);
				}
			}
		}

	}

}
