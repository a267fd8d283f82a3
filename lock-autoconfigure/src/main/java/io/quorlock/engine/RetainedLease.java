package io.quorlock.engine;

import java.time.Duration;
import java.util.List;

/**
 * A lease that this instance keeps although it is unused, at one moment (R24).
 *
 * @param name the lock
 * @param baseName the name without the key
 * @param owner the value of its key: the instance id and a part that is unique
 * @param remaining how long it is certainly kept if nothing renews it
 * @param nodes the nodes that confirmed it when they were last asked
 * @since 0.1.0
 * @see LockInspector#retained()
 */
public record RetainedLease(String name, String baseName, String owner, Duration remaining, List<String> nodes) {

	static RetainedLease of(HeldLease lease) {
		return new RetainedLease(lease.names().get(0), lease.turn().first().request().baseName(), lease.grant().owner(),
				lease.remaining(), lease.grant().nodes());
	}

}
