package io.quorlock.engine;

import java.time.Duration;

import io.quorlock.LockRequest;

/**
 * How a caller waits.
 *
 * @param defaultWait how long, if the request does not say
 * @param interruptible whether an interrupt ends the wait
 * @param limited whether the limit of attempts and failing fast apply
 */
record Patience(Duration defaultWait, boolean interruptible, boolean limited) {

	/** Wait for a time, until interrupted. */
	static Patience of(Duration defaultWait) {
		return new Patience(defaultWait, true, true);
	}

	/** Wait without any limit. */
	static Patience unlimited(boolean interruptible) {
		return new Patience(LockRequest.UNLIMITED_WAIT, interruptible, false);
	}

	/** Ask once; an interrupt changes nothing. */
	static Patience none() {
		return new Patience(Duration.ZERO, false, true);
	}

}
