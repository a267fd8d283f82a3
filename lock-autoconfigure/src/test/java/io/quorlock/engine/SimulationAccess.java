package io.quorlock.engine;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

import io.quorlock.LockHandle;
import io.quorlock.LockLostException;

/**
 * Lets the simulation do what only blocking methods offer: it has one thread.
 */
public final class SimulationAccess {

	private SimulationAccess() {
	}

	/** As {@link LockHandle#downgrade}, without waiting for the replies. */
	public static CompletionStage<Boolean> downgrade(LockHandle handle) {
		return ((Handle) handle).downgradeAsync();
	}

	/** As {@link LockHandle#extend}, without waiting for the replies. */
	public static CompletionStage<Boolean> extend(LockHandle handle, Duration lease) {
		try {
			return ((Handle) handle).extendAsync(lease);
		}
		catch (LockLostException ex) {
			return CompletableFuture.completedFuture(false);
		}
	}

}
