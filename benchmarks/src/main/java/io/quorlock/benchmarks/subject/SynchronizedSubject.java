package io.quorlock.benchmarks.subject;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The monitor of an object for each name, as the limit of what a lock inside the JVM can
 * cost. It is entered and left while it is acquired, since a monitor cannot be left in
 * another method.
 */
final class SynchronizedSubject implements LockSubject {

	private final Map<String, Guarded> monitors = new ConcurrentHashMap<>();

	@Override
	public Hold lock(String name) {
		Guarded guarded = this.monitors.computeIfAbsent(name, (key) -> new Guarded());
		synchronized (guarded) {
			guarded.count++;
		}
		return () -> {
		};
	}

	@Override
	public void close() {
	}

	private static final class Guarded {

		private long count;

	}

}
