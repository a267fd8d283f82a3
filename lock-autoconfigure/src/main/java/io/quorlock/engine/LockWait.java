package io.quorlock.engine;

import java.time.Duration;
import java.util.List;

/**
 * A request of this instance that is on its way to a lock, at one moment.
 *
 * @param names the names that are wanted together, sorted
 * @param baseName the name without the key
 * @param thread the thread that asked
 * @param waitedFor since when it waits
 * @param attempts how often the nodes were asked so far; 0 while another thread of this
 * instance is before it
 * @since 0.1.0
 * @see LockInspector#waiting()
 */
public record LockWait(List<String> names, String baseName, String thread, Duration waitedFor, int attempts) {

}
