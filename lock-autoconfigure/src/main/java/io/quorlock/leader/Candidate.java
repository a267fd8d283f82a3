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

package io.quorlock.leader;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.context.ApplicationEventPublisher;

import io.quorlock.LockAtRiskEvent;
import io.quorlock.LockHandle;
import io.quorlock.LockLostException;
import io.quorlock.LockNotAcquiredException;
import io.quorlock.LockRequest;
import io.quorlock.LockTemplate;
import io.quorlock.aop.invocation.LockedExecution;
import io.quorlock.spi.ReentrantLockHandle;

/**
 * Competes for one role from its start to its stop, on a single thread, so that the
 * events of the role are published in order.
 */
final class Candidate implements Runnable {

	private static final Log logger = LogFactory.getLog(DefaultLeaderElection.class);

	/**
	 * From this age on it is asked again who leads, if the application wants to know. A
	 * candidate that waits does not ask by itself, so that an election at rest costs
	 * nothing.
	 */
	private static final long KNOWN_FOR_NANOS = Duration.ofSeconds(5).toNanos();

	private static final long UNKNOWN_FOR_NANOS = Duration.ofSeconds(1).toNanos();

	/**
	 * The shortest time from one attempt to the next, also after a leadership: where an
	 * attempt fails at once, the nodes are not asked without a pause, and after a
	 * resignation the other candidates come first.
	 */
	private static final Duration ATTEMPT_INTERVAL = Duration.ofSeconds(1);

	private final String role;

	private final String instanceId;

	private final LockTemplate template;

	private final ApplicationEventPublisher publisher;

	private final CompletableFuture<@Nullable Void> stopping = new CompletableFuture<>();

	private final CompletableFuture<@Nullable Void> stopped = new CompletableFuture<>();

	private final Thread thread;

	private volatile @Nullable Leadership leadership;

	private volatile @Nullable String knownLeader;

	private final LongSupplier nanoTime;

	private final AtomicLong askedNanos;

	private volatile boolean failed;

	Candidate(String role, String instanceId, LockTemplate template, ApplicationEventPublisher publisher,
			LongSupplier nanoTime) {
		this.role = role;
		this.instanceId = instanceId;
		this.template = template;
		this.publisher = publisher;
		this.nanoTime = nanoTime;
		this.askedNanos = new AtomicLong(nanoTime.getAsLong());
		this.thread = new Thread(this, "quorlock-leader-" + role);
		this.thread.setDaemon(true);
	}

	void start() {
		this.thread.start();
	}

	/**
	 * Resign from the role and stop competing.
	 * @return completes when the listeners have been notified and the lock is released
	 */
	CompletableFuture<@Nullable Void> stop() {
		this.stopping.complete(null);
		resign();
		return (Thread.currentThread() != this.thread) ? this.stopped : CompletableFuture.completedFuture(null);
	}

	void resign() {
		Leadership current = this.leadership;
		if (current != null) {
			current.end();
		}
	}

	boolean isLeader() {
		Leadership current = this.leadership;
		return current != null && current.isHeld();
	}

	/** Who led when it was last asked. Asks again if that is some time ago. */
	Optional<String> knownLeader() {
		if (isLeader()) {
			return Optional.of(this.instanceId);
		}
		String known = this.knownLeader;
		long asked = this.askedNanos.get();
		long now = this.nanoTime.getAsLong();
		if (now - asked > ((known != null) ? KNOWN_FOR_NANOS : UNKNOWN_FOR_NANOS)
				&& this.askedNanos.compareAndSet(asked, now) && !this.stopping.isDone()) {
			ask();
		}
		return Optional.ofNullable(known);
	}

	/** Without a wait, beside the request that waits. */
	private void ask() {
		try {
			this.template.acquireAsync(request(Duration.ZERO)).whenComplete((handle, failure) -> {
				if (handle != null) {
					// The request that waits is the next.
					handle.closeAsync();
				}
				else if (failure != null && !this.stopping.isDone()) {
					onFailure(LockedExecution.cause(failure));
				}
			});
		}
		catch (RuntimeException ex) {
			logger.debug("Cannot ask who leads role '" + this.role + "'", ex);
		}
	}

	Optional<LockHandle> enter() {
		Leadership current = this.leadership;
		return (current != null) ? current.enter() : Optional.empty();
	}

	@Override
	public void run() {
		try {
			// The first attempt does not wait, so that the leader is known at once.
			Duration wait = Duration.ZERO;
			while (!this.stopping.isDone()) {
				long began = System.nanoTime();
				if (compete(wait)) {
					began = System.nanoTime();
				}
				pauseUntil(began + ATTEMPT_INTERVAL.toNanos());
				wait = LockRequest.UNLIMITED_WAIT;
			}
		}
		finally {
			this.stopped.complete(null);
		}
	}

	/** Lead the role once, if it can be had. Whatever happens, the candidate goes on. */
	private boolean compete(Duration wait) {
		try {
			LockHandle handle = acquire(wait);
			if (handle != null) {
				lead(handle);
			}
			return handle != null;
		}
		catch (RuntimeException | Error ex) {
			logger.error(
					"The election of role '%s' failed, trying on; report it with what follows".formatted(this.role),
					ex);
			return false;
		}
	}

	private LockRequest request(Duration wait) {
		// A leader that has resigned must not keep the lease.
		return LockRequest.of("leader").key(this.role).waitTime(wait).retainTime(Duration.ZERO);
	}

	private @Nullable LockHandle acquire(Duration wait) {
		try {
			CompletableFuture<LockHandle> acquiring = this.template.acquireAsync(request(wait)).toCompletableFuture();
			CompletableFuture.anyOf(acquiring, this.stopping).join();
			if (this.stopping.isDone()) {
				acquiring.cancel(true);
				acquiring.thenAccept(LockHandle::close);
				return null;
			}
			LockHandle handle = acquiring.join();
			this.failed = false;
			return handle;
		}
		catch (RuntimeException ex) {
			onFailure(LockedExecution.cause(ex));
			return null;
		}
	}

	private void onFailure(Throwable failure) {
		if (failure instanceof LockNotAcquiredException contended) {
			String owner = contended.getOwner();
			if (owner != null && !owner.equals(this.knownLeader)) {
				logger.info("Role '%s' is led by %s".formatted(this.role, owner));
			}
			this.knownLeader = owner;
			this.failed = false;
			return;
		}
		this.knownLeader = null;
		if (!this.failed) {
			this.failed = true;
			logger.warn(
					"No leader of role '%s' can be elected at present, trying on: %s. See the health of the lock nodes"
						.formatted(this.role, failure.getMessage()));
		}
		logger.debug("Attempt to lead role '" + this.role + "' failed", failure);
	}

	private void lead(LockHandle handle) {
		Leadership current = new Leadership(handle);
		long fencingToken = current.fencingToken();
		this.leadership = current;
		this.knownLeader = null;
		if (this.stopping.isDone()) {
			current.end(); // stop() came before it could see this leadership
		}
		try (handle) {
			resignOnRequest(handle, current);
			logger.info("Leading role '%s' with fencing token %d".formatted(this.role, fencingToken));
			if (publish(new LeadershipGrantedEvent(this.role, fencingToken))) {
				current.awaitEnd((risk) -> publish(
						new LeadershipAtRiskEvent(this.role, fencingToken, risk.atRisk(), risk.remaining())));
			}
			current.end();
			logger.info("No longer leading role '%s': %s".formatted(this.role,
					handle.isHeld() ? "it was given up" : "its lock was lost"));
			publish(new LeadershipRevokedEvent(this.role, fencingToken));
		}
		finally {
			this.leadership = null;
		}
	}

	/** The leader resigns when the release of the role's lock is requested. */
	private void resignOnRequest(LockHandle handle, Leadership current) {
		try {
			handle.onReleaseRequested((request) -> {
				logger.info("Resigning from role '%s': its lock is wanted within %d ms".formatted(this.role,
						request.deadline().toMillis()));
				current.end();
			});
		}
		catch (UnsupportedOperationException ex) {
			logger.debug("The release of role '%s' cannot be requested: %s".formatted(this.role, ex.getMessage()));
		}
	}

	private boolean publish(Object event) {
		try {
			this.publisher.publishEvent(event);
			return true;
		}
		catch (RuntimeException | Error ex) {
			logger.error("A listener of " + event + " failed; mend it: it must not throw", ex);
			return false;
		}
		finally {
			// An interrupt that a listener left is not for this loop.
			Thread.interrupted();
		}
	}

	private void pauseUntil(long nanos) {
		try {
			this.stopping.get(Math.max(0, nanos - System.nanoTime()), TimeUnit.NANOSECONDS);
		}
		catch (TimeoutException ex) {
			// the pause is over
		}
		catch (InterruptedException | ExecutionException ex) {
			logger.debug("The pause before the next attempt was cut short", ex);
		}
	}

	/**
	 * The time during which this instance leads a role.
	 */
	static final class Leadership {

		private final LockHandle handle;

		private final CompletableFuture<@Nullable Void> ended = new CompletableFuture<>();

		/** What the thread of the role has to do next: report a risk, or see the end. */
		private final BlockingQueue<Optional<LockAtRiskEvent>> signals = new LinkedBlockingQueue<>();

		Leadership(LockHandle handle) {
			this.handle = handle;
			handle.onLost((event) -> end());
			handle.onAtRisk((event) -> this.signals.add(Optional.of(event)));
		}

		boolean isHeld() {
			return !this.ended.isDone() && this.handle.isHeld();
		}

		long fencingToken() {
			try {
				return this.handle.fencingToken();
			}
			catch (IllegalStateException ex) {
				return 0; // fencing is switched off
			}
		}

		Optional<LockHandle> enter() {
			if (!isHeld() || !(this.handle instanceof ReentrantLockHandle reentrant)) {
				return Optional.empty();
			}
			try {
				return Optional.of(reentrant.reenter(reentrant.names()));
			}
			catch (LockLostException | IllegalStateException ex) {
				return Optional.empty(); // ended in this very moment
			}
		}

		void end() {
			this.ended.complete(null);
			this.signals.add(Optional.empty());
		}

		/**
		 * Block the calling thread, interrupted or not.
		 * @param atRisk runs on this thread while the leadership is at risk, and when it
		 * is safe again
		 */
		void awaitEnd(Consumer<LockAtRiskEvent> atRisk) {
			while (!this.ended.isDone()) {
				try {
					this.signals.take().filter((event) -> isHeld()).ifPresent(atRisk);
				}
				catch (InterruptedException ex) {
					// An interrupt is no end.
				}
			}
		}

	}

}
