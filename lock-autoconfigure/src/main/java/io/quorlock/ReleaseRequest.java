package io.quorlock;

import java.time.Duration;
import java.util.List;

/**
 * A request to the holder of a lock to release it (R24). The holder decides: nothing
 * happens to the lock unless it closes its handle.
 *
 * @param names the names that the holder's lock has
 * @param deadline within which time the lock is wanted, as given with the request
 * @since 0.1.0
 * @see LockHandle#onReleaseRequested
 * @see LockTemplate#requestRelease
 */
public record ReleaseRequest(List<String> names, Duration deadline) {

	/**
	 * Create a new request.
	 * @param names the names that the holder's lock has
	 * @param deadline within which time the lock is wanted
	 */
	public ReleaseRequest {
		names = List.copyOf(names);
	}

}
