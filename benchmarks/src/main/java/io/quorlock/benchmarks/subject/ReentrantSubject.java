package io.quorlock.benchmarks.subject;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A {@link ReentrantLock} for each name, in a map: what an application has that locks
 * names inside its JVM only.
 */
final class ReentrantSubject implements LockSubject {

	private final Map<String, ReentrantLock> locks = new ConcurrentHashMap<>();

	@Override
	public Hold lock(String name) {
		ReentrantLock lock = this.locks.computeIfAbsent(name, (key) -> new ReentrantLock());
		lock.lock();
		return lock::unlock;
	}

	@Override
	public void close() {
	}

}
