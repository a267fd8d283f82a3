package io.quorlock.engine;

import java.time.Duration;

/**
 * Checks the leases that users ask for.
 */
final class Leases {

	private Leases() {
	}

	static void check(EngineSettings settings, Duration lease, String name) {
		if (lease.compareTo(settings.maxLeaseTime()) > 0) {
			throw new IllegalArgumentException("Lease time %s of lock '%s' is longer than %s (%s)".formatted(lease,
					LogText.escape(name), settings.nameOf("max-lease-time"), settings.maxLeaseTime()));
		}
		if (lease.toMillis() <= 0) {
			throw new IllegalArgumentException(
					"Lease time %s of lock '%s' is shorter than 1 ms".formatted(lease, LogText.escape(name)));
		}
	}

}
