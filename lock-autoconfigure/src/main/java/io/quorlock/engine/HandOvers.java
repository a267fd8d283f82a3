package io.quorlock.engine;

import java.time.Duration;

import io.quorlock.LockMode;
import io.quorlock.LockRequest;

/**
 * Which leases may pass from one request of this process to another (R17, R19).
 */
final class HandOvers {

	private HandOvers() {
	}

	/**
	 * Only what is kept alive is handed over or shared: a fixed lease belongs to its
	 * holder. A fair lock goes to the first claim of all instances (R21).
	 */
	static boolean suits(LockRequest request) {
		return request.names().size() == 1 && request.leaseTime() == null && request.holdAtLeast().isZero()
				&& !request.isFair();
	}

	/** How long the lease of a request is kept behind its release, zero if it is not. */
	static Duration retainTime(EngineSettings settings, LockRequest request) {
		if (!request.isRetainable()) {
			return Duration.ZERO;
		}
		return (request.retainTime() != null) ? request.retainTime() : settings.retainTime();
	}

	/** How many tokens a request takes: as many as holders may follow each other. */
	static int range(EngineSettings settings, LockRequest request) {
		if (!retainTime(settings, request).isZero()) {
			return TokenRange.FIRST_RETAINED;
		}
		boolean follow = settings.handoverMax() > 1 && suits(request) && request.mode() == LockMode.EXCLUSIVE;
		return follow ? settings.handoverMax() : 1;
	}

}
