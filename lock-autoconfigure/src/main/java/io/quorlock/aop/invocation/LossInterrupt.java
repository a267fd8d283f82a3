package io.quorlock.aop.invocation;

import java.util.concurrent.atomic.AtomicReference;

import io.quorlock.LockHandle;
import io.quorlock.annotation.DistributedLock.OnLost;

/**
 * Interrupts the thread of a method whose lock is lost: once, at once, and never after it
 * has left the method (R15).
 * <p>
 * An interrupt that the method did not consume ends with the method, so that the caller's
 * thread does not keep it. A thread that was interrupted before stays interrupted; an
 * interrupt by others in the time between ours and the method's end cannot be
 * distinguished from ours, and ends as well.
 */
final class LossInterrupt {

	private enum State {

		ARMED, INTERRUPTING, INTERRUPTED, DISARMED

	}

	private final Thread thread = Thread.currentThread();

	private final AtomicReference<State> state = new AtomicReference<>(State.ARMED);

	private volatile boolean interruptedBefore;

	private LossInterrupt() {
	}

	/**
	 * Prepare to interrupt the calling thread.
	 * @param handle the lock
	 * @param onLost whether to interrupt
	 * @return the interrupt, to be disarmed by this thread
	 */
	static LossInterrupt arm(LockHandle handle, OnLost onLost) {
		LossInterrupt interrupt = new LossInterrupt();
		if (onLost == OnLost.INTERRUPT) {
			handle.onLost((event) -> interrupt.fire());
		}
		return interrupt;
	}

	private void fire() {
		if (this.state.compareAndSet(State.ARMED, State.INTERRUPTING)) {
			this.interruptedBefore = this.thread.isInterrupted();
			this.thread.interrupt();
			this.state.set(State.INTERRUPTED);
		}
	}

	/**
	 * Prevent interrupts from now on.
	 * @return whether it was interrupted
	 */
	boolean disarm() {
		if (this.state.compareAndSet(State.ARMED, State.DISARMED)) {
			return false;
		}
		while (this.state.get() == State.INTERRUPTING) {
			Thread.yield();
		}
		boolean interrupted = this.state.compareAndSet(State.INTERRUPTED, State.DISARMED);
		if (interrupted && !this.interruptedBefore) {
			Thread.interrupted();
		}
		return interrupted;
	}

}
