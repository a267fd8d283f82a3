package io.quorlock.leader;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;

import org.jspecify.annotations.Nullable;

import io.quorlock.LockHandle;
import io.quorlock.LockLostException;

/**
 * The time during which this instance leads a role.
 */
final class Leadership {

	private final LockHandle handle;

	private final CompletableFuture<@Nullable Void> ended = new CompletableFuture<>();

	Leadership(LockHandle handle) {
		this.handle = handle;
		handle.onLost((event) -> end());
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
		if (!isHeld()) {
			return Optional.empty();
		}
		try {
			return Optional.of(this.handle.reenter(this.handle.names()));
		}
		catch (LockLostException | IllegalStateException ex) {
			return Optional.empty(); // ended in this very moment
		}
	}

	void end() {
		this.ended.complete(null);
	}

	/** Block the calling thread, interrupted or not. */
	void awaitEnd() {
		this.ended.join();
	}

}
