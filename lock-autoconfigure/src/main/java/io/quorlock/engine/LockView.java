package io.quorlock.engine;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;

import org.jspecify.annotations.Nullable;

import io.quorlock.LockContext;
import io.quorlock.LockHandle;
import io.quorlock.LockNotAcquiredException;
import io.quorlock.LockRequest;
import io.quorlock.LockUnavailableException;

/**
 * One lock as {@link Lock}. What a thread locked here is unlocked by it, through any view
 * of the same name.
 */
final class LockView implements Lock {

	private static final Duration WITHOUT_LIMIT = Duration.ofDays(36_500);

	/** What each thread locked through views, per template and name. */
	private static final ThreadLocal<Map<Key, Deque<LockHandle>>> LOCKED = ThreadLocal.withInitial(HashMap::new);

	private final DefaultLockTemplate template;

	private final LockRequest request;

	private final Key key;

	LockView(DefaultLockTemplate template, LockRequest request) {
		this.template = template;
		this.request = request;
		this.key = new Key(template, request.baseName());
	}

	@Override
	public void lock() {
		while (!enter(WITHOUT_LIMIT, false)) {
			// A limit of retry.max-attempts is no limit here.
			Thread.onSpinWait();
		}
	}

	@Override
	public void lockInterruptibly() throws InterruptedException {
		while (!tryLock(WITHOUT_LIMIT.toDays(), TimeUnit.DAYS)) {
			Thread.onSpinWait();
		}
	}

	@Override
	public boolean tryLock() {
		return enter(Duration.ZERO, false);
	}

	@Override
	public boolean tryLock(long time, TimeUnit unit) throws InterruptedException {
		if (Thread.interrupted()) {
			throw new InterruptedException();
		}
		try {
			return enter(Duration.of(Math.max(0, time), unit.toChronoUnit()), true);
		}
		catch (LockNotAcquiredException ex) {
			Thread.interrupted(); // the flag goes where the exception goes
			throw (InterruptedException) new InterruptedException(ex.getMessage()).initCause(ex);
		}
	}

	/** Throws LockNotAcquiredException only if the wait was interrupted. */
	private boolean enter(Duration wait, boolean interruptible) {
		LockContext outer = LockContext.capture();
		LockHandle handle;
		try {
			handle = this.template.acquire(this.request.waitTime(wait).within(outer), wait, interruptible);
		}
		catch (LockNotAcquiredException ex) {
			if (ex.getCause() instanceof InterruptedException) {
				throw ex;
			}
			return false;
		}
		LOCKED.get().computeIfAbsent(this.key, (key) -> new ArrayDeque<>(2)).push(handle);
		LockContext.restore(LockContext.with(handle, outer));
		return true;
	}

	/**
	 * Releases the lock.
	 * @throws IllegalMonitorStateException if this thread did not lock it
	 * @throws io.quorlock.LockLostException if it was lost before
	 */
	@Override
	public void unlock() {
		Map<Key, Deque<LockHandle>> locked = LOCKED.get();
		Deque<LockHandle> handles = locked.get(this.key);
		LockHandle handle = (handles != null) ? handles.poll() : null;
		if (handles == null || handle == null) {
			throw new IllegalMonitorStateException("Lock '%s' is not held by thread '%s'"
				.formatted(LogText.escape(this.key.name()), Thread.currentThread().getName()));
		}
		if (handles.isEmpty()) {
			locked.remove(this.key);
			if (locked.isEmpty()) {
				LOCKED.remove();
			}
		}
		LockContext.restore(LockContext.without(LockContext.capture(), handle));
		try {
			handle.ensureHeld();
		}
		finally {
			handle.close();
		}
	}

	@Override
	public Condition newCondition() {
		throw new UnsupportedOperationException("A distributed lock has no conditions");
	}

	@Override
	public String toString() {
		return "Lock[" + LogText.escape(this.key.name()) + "]";
	}

	private record Key(@Nullable DefaultLockTemplate template, String name) {
	}

}
