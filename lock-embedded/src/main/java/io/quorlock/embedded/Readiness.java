package io.quorlock.embedded;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * Waits for several servers to have found each other.
 */
final class Readiness {

	private static final long TIMEOUT_SECONDS = 30;

	private Readiness() {
	}

	static void await(String what, BooleanSupplier ready) {
		long start = System.nanoTime();
		while (!ready.getAsBoolean()) {
			if (System.nanoTime() - start > TimeUnit.SECONDS.toNanos(TIMEOUT_SECONDS)) {
				throw new EmbeddedServerException(what + " was not ready after " + TIMEOUT_SECONDS + " s");
			}
			LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
		}
	}

}
