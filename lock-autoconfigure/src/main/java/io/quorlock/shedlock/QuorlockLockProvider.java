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

package io.quorlock.shedlock;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import net.javacrumbs.shedlock.core.AbstractSimpleLock;
import net.javacrumbs.shedlock.core.ExtensibleLockProvider;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.SimpleLock;
import org.jspecify.annotations.Nullable;

import io.quorlock.LockHandle;
import io.quorlock.LockLostException;
import io.quorlock.LockRequest;
import io.quorlock.LockTemplate;

/**
 * ShedLock's {@link ExtensibleLockProvider} over a {@link LockTemplate}. A task's lock
 * has the name that {@code @SchedulerLock} says, so it is the same lock as
 * {@code @DistributedLock} of that name.
 * <ul>
 * <li>{@code lockAtMostFor} up to {@code distributed-lock.max-lease-time} is the lease of
 * the lock, which is not renewed. A longer one is reached by renewal: the lock is free
 * after it, or within {@code distributed-lock.lease-time} of a crash of its holder.</li>
 * <li>On ZooKeeper a lock ends with the session of an instance that crashes, whatever
 * {@code lockAtMostFor} says. One that is longer than the session timeout is refused
 * unless that is accepted.</li>
 * <li>{@code lockAtLeastFor} keeps other instances out after the task has ended. It does
 * not outlive a crash by more than the lease. {@code extend} counts both times anew from
 * its call, so {@code extend(d, Duration.ZERO)} ends an earlier
 * {@code lockAtLeastFor}.</li>
 * <li>If no quorum of nodes replies, a task is not skipped as if another instance had run
 * it: the caller gets {@link io.quorlock.LockUnavailableException}.</li>
 * </ul>
 *
 * @since 0.1.0
 */
public class QuorlockLockProvider implements ExtensibleLockProvider {

	private final LockTemplate template;

	private final Duration maxLease;

	private final @Nullable Duration sessionTimeout;

	/**
	 * Create a new provider.
	 * @param template takes the locks
	 * @param maxLease the longest lease that may be requested,
	 * {@code distributed-lock.max-lease-time}
	 */
	public QuorlockLockProvider(LockTemplate template, Duration maxLease) {
		this(template, maxLease, null);
	}

	/**
	 * Create a new provider for locks that end with a session.
	 * @param template takes the locks
	 * @param maxLease the longest lease that may be requested,
	 * {@code distributed-lock.max-lease-time}
	 * @param sessionTimeout the longest {@code lockAtMostFor} that a crash of the holder
	 * does not cut short, {@code null} for no limit
	 */
	public QuorlockLockProvider(LockTemplate template, Duration maxLease, @Nullable Duration sessionTimeout) {
		this.template = template;
		this.maxLease = maxLease;
		this.sessionTimeout = sessionTimeout;
	}

	@Override
	public Optional<SimpleLock> lock(LockConfiguration configuration) {
		Duration atMost = configuration.getLockAtMostFor();
		check(configuration, atMost);
		LockRequest request = LockRequest.of(configuration.getName())
			.holdAtLeast(configuration.getLockAtLeastFor())
			.releaseImmediately();
		boolean renewed = atMost.compareTo(this.maxLease) > 0;
		return this.template.tryAcquire(renewed ? request : request.leaseTime(atMost))
			.map((handle) -> new QuorlockSimpleLock(configuration, handle, renewed));
	}

	private void check(LockConfiguration configuration, Duration atMost) {
		Duration session = this.sessionTimeout;
		if (session != null && atMost.compareTo(session) > 0) {
			throw new IllegalArgumentException(("Task '%s' asks for lockAtMostFor = %s, but on ZooKeeper its lock ends "
					+ "with the session of an instance that crashes, %s after it. Set "
					+ "distributed-lock.shedlock.end-with-session=true if that is acceptable")
				.formatted(configuration.getName(), atMost, session));
		}
	}

	/**
	 * A lock that ShedLock holds.
	 */
	static final class QuorlockSimpleLock extends AbstractSimpleLock {

		private final LockHandle handle;

		/** Whether the lock is renewed, so that a timer has to end it. */
		private final boolean renewed;

		private final CompletableFuture<@Nullable Void> end = new CompletableFuture<>();

		QuorlockSimpleLock(LockConfiguration configuration, LockHandle handle, boolean renewed) {
			super(configuration);
			this.handle = handle;
			this.renewed = renewed;
			if (renewed) {
				// TimeUnit saturates where Duration would overflow, as with
				// ChronoUnit.FOREVER.
				long millis = TimeUnit.MILLISECONDS.convert(configuration.getLockAtMostFor());
				this.end.completeOnTimeout(null, millis, TimeUnit.MILLISECONDS).thenRun(handle::closeAsync);
			}
		}

		@Override
		protected void doUnlock() {
			this.handle.close();
			this.end.cancel(false); // no timer is left behind
		}

		@Override
		protected Optional<SimpleLock> doExtend(LockConfiguration configuration) {
			try {
				if (this.renewed) {
					this.handle.ensureHeld();
				}
				else {
					this.handle.extend(configuration.getLockAtMostFor());
				}
				// Both times begin anew, as ShedLock's other providers have it.
				this.handle.holdAtLeast(configuration.getLockAtLeastFor());
			}
			catch (LockLostException | IllegalStateException ex) {
				return Optional.empty(); // the lock has ended meanwhile
			}
			if (!this.end.cancel(false)) {
				return Optional.empty(); // it is being closed
			}
			return Optional.of(new QuorlockSimpleLock(configuration, this.handle, this.renewed));
		}

	}

}
