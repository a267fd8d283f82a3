package io.quorlock.quorum;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

import org.jspecify.annotations.Nullable;

/**
 * Counts what is under way, so that a store that stops can wait for it (R14).
 */
final class Activity {

	private final AtomicInteger running = new AtomicInteger();

	private final AtomicReference<@Nullable CompletableFuture<@Nullable Void>> idle = new AtomicReference<>();

	void began() {
		this.running.incrementAndGet();
	}

	void ended() {
		if (this.running.decrementAndGet() == 0) {
			CompletableFuture<@Nullable Void> waiting = this.idle.get();
			if (waiting != null) {
				waiting.complete(null);
			}
		}
	}

	/** Complete when nothing is under way; for one caller at a time. */
	CompletableFuture<@Nullable Void> whenIdle() {
		CompletableFuture<@Nullable Void> idle = new CompletableFuture<>();
		this.idle.set(idle);
		if (this.running.get() == 0) {
			idle.complete(null);
		}
		return idle;
	}

}
