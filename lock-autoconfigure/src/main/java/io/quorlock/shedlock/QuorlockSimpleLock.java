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

	private final CompletableFuture<@Nullable Void> end = new CompletableFuture<>();

	private QuorlockSimpleLock(LockConfiguration configuration, LockHandle handle, boolean renewed) {
		super(configuration);
		this.handle = handle;
		this.renewed = renewed;
		if (renewed) {
			closeAfter(configuration.getLockAtMostFor());
		}
	}

	/** Create a lock that ends with its lease. */
	static SimpleLock leased(LockConfiguration configuration, LockHandle handle) {
		return new QuorlockSimpleLock(configuration, handle, false);
	}

	/** Create a lock that is renewed until {@code lockAtMostFor} is over. */
	static SimpleLock renewed(LockConfiguration configuration, LockHandle handle) {
		return new QuorlockSimpleLock(configuration, handle, true);
	}

	private void closeAfter(Duration time) {
		// TimeUnit saturates where Duration would overflow, as with ChronoUnit.FOREVER.
		long millis = TimeUnit.MILLISECONDS.convert(time);
		this.end.completeOnTimeout(null, millis, TimeUnit.MILLISECONDS).thenRun(this.handle::closeAsync);
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
