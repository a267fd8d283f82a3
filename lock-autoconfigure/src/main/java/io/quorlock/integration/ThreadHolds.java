package io.quorlock.integration;

import java.util.HashMap;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import io.quorlock.LockContext;
import io.quorlock.LockHandle;

/**
 * The locks that each thread holds, and how often it has entered each of them.
 */
final class ThreadHolds {

	private final ThreadLocal<Map<String, Hold>> holds = ThreadLocal.withInitial(HashMap::new);

	/**
	 * Return the lock that the calling thread holds.
	 * @param name the lock
	 * @return its handle, lost or not, or {@code null}
	 */
	@Nullable LockHandle find(String name) {
		Hold hold = this.holds.get().get(name);
		return (hold != null) ? hold.handle : null;
	}

	void add(LockHandle handle) {
		this.holds.get().put(handle.name(), new Hold(handle));
		LockContext.restore(LockContext.with(handle, LockContext.capture()));
	}

	void reenter(String name) {
		Hold hold = this.holds.get().get(name);
		if (hold != null) {
			hold.entries++;
		}
	}

	/**
	 * Leave a lock once.
	 * @param name the lock
	 * @return the handle to close, or {@code null} if the thread is still inside
	 */
	@Nullable LockHandle leave(String name) {
		Hold hold = this.holds.get().get(name);
		if (hold == null || --hold.entries > 0) {
			return null;
		}
		return forget(name);
	}

	@Nullable LockHandle forget(String name) {
		Map<String, Hold> ofThread = this.holds.get();
		Hold hold = ofThread.remove(name);
		if (ofThread.isEmpty()) {
			this.holds.remove();
		}
		if (hold == null) {
			return null;
		}
		LockContext.restore(LockContext.without(LockContext.capture(), hold.handle));
		return hold.handle;
	}

	private static final class Hold {

		private final LockHandle handle;

		private int entries = 1;

		private Hold(LockHandle handle) {
			this.handle = handle;
		}

	}

}
