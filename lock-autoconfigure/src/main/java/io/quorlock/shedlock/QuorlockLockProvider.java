package io.quorlock.shedlock;

import java.time.Duration;
import java.util.Optional;

import net.javacrumbs.shedlock.core.ExtensibleLockProvider;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.SimpleLock;

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
 * <li>{@code lockAtLeastFor} keeps other instances out after the task has ended. It does
 * not outlive a crash by more than the lease.</li>
 * <li>If no quorum of nodes replies, a task is not skipped as if another instance had run
 * it: the caller gets {@link io.quorlock.LockUnavailableException}.</li>
 * </ul>
 *
 * @since 0.1.0
 */
public class QuorlockLockProvider implements ExtensibleLockProvider {

	private final LockTemplate template;

	private final Duration maxLease;

	/**
	 * Create a new provider.
	 * @param template takes the locks
	 * @param maxLease the longest lease that may be requested,
	 * {@code distributed-lock.max-lease-time}
	 */
	public QuorlockLockProvider(LockTemplate template, Duration maxLease) {
		this.template = template;
		this.maxLease = maxLease;
	}

	@Override
	public Optional<SimpleLock> lock(LockConfiguration configuration) {
		Duration atMost = configuration.getLockAtMostFor();
		LockRequest request = LockRequest.of(configuration.getName())
			.holdAtLeast(configuration.getLockAtLeastFor())
			.releaseImmediately();
		if (atMost.compareTo(this.maxLease) <= 0) {
			return this.template.tryAcquire(request.leaseTime(atMost))
				.map((handle) -> QuorlockSimpleLock.leased(configuration, handle));
		}
		return this.template.tryAcquire(request).map((handle) -> QuorlockSimpleLock.renewed(configuration, handle));
	}

}
