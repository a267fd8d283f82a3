package io.quorlock.metrics;

import io.quorlock.LockHandle;
import io.quorlock.LockMode;
import io.quorlock.LockRequest;

/**
 * The values of the tag {@code mode}.
 */
enum LockKind {

	EXCLUSIVE("exclusive"), SHARED("shared"), PERMIT("permit");

	private final String tag;

	LockKind(String tag) {
		this.tag = tag;
	}

	String tag() {
		return this.tag;
	}

	static LockKind of(LockRequest request) {
		return of(request.mode(), request.permits());
	}

	static LockKind of(LockHandle handle) {
		return of(handle.mode(), handle.permit());
	}

	private static LockKind of(LockMode mode, int permits) {
		if (permits > 0) {
			return PERMIT;
		}
		return (mode == LockMode.SHARED) ? SHARED : EXCLUSIVE;
	}

}
