package io.quorlock.engine;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The requests of this process that do not wait, and share the outcome of the next
 * question of a request in front of them (R4).
 *
 * @param <T> the type of the requests
 */
final class Followers<T> {

	private final ReentrantLock lock = new ReentrantLock();

	private final Set<T> followers = new LinkedHashSet<>(0);

	private boolean closed;

	/** Return false if none can follow any more. */
	boolean add(T follower) {
		this.lock.lock();
		try {
			return !this.closed && this.followers.add(follower);
		}
		finally {
			this.lock.unlock();
		}
	}

	void remove(T follower) {
		this.lock.lock();
		try {
			this.followers.remove(follower);
		}
		finally {
			this.lock.unlock();
		}
	}

	List<T> all() {
		this.lock.lock();
		try {
			return List.copyOf(this.followers);
		}
		finally {
			this.lock.unlock();
		}
	}

	/** Return all; none can follow any more. */
	List<T> close() {
		this.lock.lock();
		try {
			this.closed = true;
			return removeAll();
		}
		finally {
			this.lock.unlock();
		}
	}

	/** Return all, which follow no longer; others can. */
	List<T> removeAll() {
		this.lock.lock();
		try {
			List<T> all = List.copyOf(this.followers);
			this.followers.clear();
			return all;
		}
		finally {
			this.lock.unlock();
		}
	}

}
