package io.quorlock.shedlock;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import net.javacrumbs.shedlock.core.AbstractSimpleLock;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.SimpleLock;
import org.jspecify.annotations.Nullable;

import io.quorlock.LockHandle;
import io.quorlock.LockLostException;

/**
 * A lock that ShedLock holds.
 */
final class QuorlockSimpleLock extends AbstractSimpleLock {

	private final LockHandle handle;

	/** Whether the lock is renewed, so that a timer has to end it. */
	private final boolean renewed;

	/** The earliest release, if the request of the lock does not contain it. */
	private final Duration atLeast;

	private final long beganNanos = System.nanoTime();

	private final CompletableFuture<@Nullable Void> end = new CompletableFuture<>();

	private QuorlockSimpleLock(LockConfiguration configuration, LockHandle handle, boolean renewed, Duration atLeast) {
		super(configuration);
		this.handle = handle;
		this.renewed = renewed;
		this.atLeast = atLeast;
		if (renewed) {
			closeAfter(configuration.getLockAtMostFor());
		}
	}

	/** Create a lock that ends with its lease. */
	static SimpleLock leased(LockConfiguration configuration, LockHandle handle) {
		return new QuorlockSimpleLock(configuration, handle, false, Duration.ZERO);
	}

	/** Create a lock that is renewed until {@code lockAtMostFor} is over. */
	static SimpleLock renewed(LockConfiguration configuration, LockHandle handle) {
		return new QuorlockSimpleLock(configuration, handle, true, Duration.ZERO);
	}

	private void closeAfter(Duration time) {
		this.end.completeOnTimeout(null, time.toMillis(), TimeUnit.MILLISECONDS).thenRun(this.handle::closeAsync);
	}

	@Override
	protected void doUnlock() {
		Duration left = this.atLeast.minusNanos(System.nanoTime() - this.beganNanos);
		if (left.isNegative() || left.isZero()) {
			this.handle.close();
			this.end.cancel(false); // no timer is left behind
		}
		else {
			closeAfter(left);
		}
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
		}
		catch (LockLostException | IllegalStateException ex) {
			return Optional.empty(); // the lock has ended meanwhile
		}
		this.end.cancel(false);
		return Optional
			.of(new QuorlockSimpleLock(configuration, this.handle, this.renewed, configuration.getLockAtLeastFor()));
	}

}
