package io.quorlock.engine;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;

import org.jspecify.annotations.Nullable;

import io.quorlock.LockException;
import io.quorlock.LockRequest;

/**
 * One request on its way to a lock: it stands in the local line (R13), asks the nodes,
 * and between two attempts waits for the release message or for its back-off, whichever
 * comes first (R4). It blocks nobody; the outcome is told once.
 */
final class Acquisition implements AcquireRound.Callback {

	/** Told once, on whatever thread found out. */
	interface Outcome {

		void granted(Acquisition acquisition, Handle handle);

		void failed(Acquisition acquisition, LockException failure);

	}

	private enum State {

		IN_LINE, ASKING, PAUSED, DONE

	}

	private final LockEngine engine;

	private final LockRequest request;

	private final List<String> keys;

	private final String thread;

	private final Outcome outcome;

	private final ObservedRequest observed;

	private final long startNanos;

	private final long waitNanos;

	private final ReentrantLock lock = new ReentrantLock();

	private volatile State state = State.IN_LINE;

	/** The line in which it stands, or null. */
	private volatile @Nullable String waitsIn;

	/** An attempt without a turn in the lines: asks exactly once. */
	private boolean guest;

	private boolean watching;

	private boolean toldToWait;

	private final Retries retries;

	private EngineTimer.@Nullable Timeout timeout;

	Acquisition(LockEngine engine, LockRequest request, Duration wait, Outcome outcome, ObservedRequest observed) {
		this.engine = engine;
		this.request = request;
		this.keys = request.names();
		this.thread = Thread.currentThread().getName();
		this.outcome = outcome;
		this.observed = observed;
		this.startNanos = engine.clock().nanoTime();
		this.waitNanos = LockEngine.nanos(wait);
		this.retries = new Retries(engine);
	}

	void start() {
		this.engine.remember(this);
		takeLines(null, 0);
	}

	// ---- the local line

	private void takeLines(@Nullable String has, long yieldNanos) {
		String entered = has;
		while (true) {
			String busy = this.engine.lines().enterAll(this.keys, this, entered);
			if (busy == null) {
				break;
			}
			if (this.waitNanos == 0) { // R4: tries exactly once, never queues
				if (this.engine.lines().occupant(busy) instanceof Lease) {
					failInLine(busy);
					return;
				}
				this.guest = true;
				break;
			}
			if (!waitInLine(busy)) {
				return;
			}
			entered = busy;
		}
		if (yieldNanos > 0) {
			pause(yieldNanos);
		}
		else {
			attempt(false);
		}
	}

	/** Returns true if the line became free in the meantime and is occupied now. */
	private boolean waitInLine(String name) {
		boolean listened;
		this.lock.lock();
		try {
			if (this.state == State.DONE) {
				return false;
			}
			this.state = State.IN_LINE;
			this.waitsIn = name;
			listened = this.watching;
			unwatch(); // else it heard the releases of its own instance
			cancelTimeout();
			this.timeout = this.engine.timer().schedule(remainingNanos(), this::onLineTimeout);
			tellWaiting();
		}
		finally {
			this.lock.unlock();
		}
		if (listened) {
			this.engine.quorum().flush();
		}
		if (!this.engine.lines().enter(name, this, true)) {
			return false;
		}
		leftLine();
		return true;
	}

	private void leftLine() {
		this.lock.lock();
		try {
			this.waitsIn = null;
		}
		finally {
			this.lock.unlock();
		}
	}

	/** It is the next to ask, unless others have the lock and release it before (R4). */
	void listen() {
		this.lock.lock();
		try {
			if (this.state == State.IN_LINE) {
				watch();
			}
		}
		finally {
			this.lock.unlock();
		}
	}

	/** It has become the head of a line. */
	void onTurn(String name, long yieldNanos) {
		leftLine();
		if (this.state == State.DONE) {
			this.engine.lines().leave(name, this, yieldNanos);
		}
		else {
			takeLines(name, yieldNanos);
		}
	}

	/** R17: gets the lease of the thread before it. */
	boolean takeOver(Holder holder) {
		this.lock.lock();
		try {
			if (this.state != State.IN_LINE) {
				return false;
			}
			finish();
		}
		finally {
			this.lock.unlock();
		}
		granted(new Handle(holder));
		return true;
	}

	private void onLineTimeout() {
		String line = this.waitsIn;
		if (line != null) {
			failInLine(line);
		}
	}

	private void failInLine(String line) {
		LockException failure = Failures.inLine(this, line, this.engine.lines().occupant(line));
		this.lock.lock();
		try {
			if (this.state != State.IN_LINE) {
				return;
			}
			finish();
		}
		finally {
			this.lock.unlock();
		}
		this.engine.lines().cancel(line, this);
		fail(failure);
	}

	// ---- asking the nodes

	private void attempt(boolean probe) {
		boolean handOver = this.engine.settings().handoverMax() > 1 && Lease.isHandOverRequest(this.request)
				&& !this.guest;
		AcquireRound round = null;
		this.lock.lock();
		try {
			if (this.state != State.DONE) {
				cancelTimeout();
				this.state = State.ASKING;
				this.retries.began();
				round = new AcquireRound(this.engine, this.keys, this.engine.leaseNanos(this.request),
						handOver ? this.engine.settings().handoverMax() : 1, this);
			}
		}
		finally {
			this.lock.unlock();
		}
		if (round == null) {
			leaveLines();
		}
		else if (probe) {
			round.startWithProbe(this.engine.quorum().probe(this.keys, this.engine.clock().nanoTime()));
		}
		else {
			round.start();
		}
	}

	@Override
	public void onGranted(AcquireRound round) {
		this.retries.decided(round);
		Lease lease = new Lease(this.engine, round, this);
		boolean wanted;
		this.lock.lock();
		try {
			wanted = this.state == State.ASKING;
			if (wanted) {
				finish();
			}
		}
		finally {
			this.lock.unlock();
		}
		this.engine.remember(lease);
		this.engine.lines().granted(this.keys, this, lease);
		lease.start();
		if (!this.engine.isRunning()) {
			lease.stop(); // the engine stopped while the nodes were asked (R14)
		}
		Handle handle = new Handle(lease.holder());
		if (wanted) {
			granted(handle);
		}
		else {
			handle.closeAsync();
		}
	}

	@Override
	public void onFailed(AcquireRound round) {
		this.retries.decided(round);
		long remaining = remainingNanos();
		boolean over = remaining <= 0 || attempts() >= this.engine.settings().maxAttempts() || !this.engine.isRunning();
		boolean wanted;
		this.lock.lock();
		try {
			wanted = this.state == State.ASKING;
			if (wanted && over) {
				finish();
			}
		}
		finally {
			this.lock.unlock();
		}
		if (!wanted) {
			leaveLines();
		}
		else if (over) {
			leaveLines();
			fail(Failures.afterRound(this, round));
		}
		else {
			pause(Math.min(remaining, this.retries.backOffNanos(round)));
		}
	}

	private void pause(long delayNanos) {
		boolean wanted;
		boolean released = false;
		this.lock.lock();
		try {
			wanted = this.state != State.DONE;
			if (wanted) {
				this.state = State.PAUSED;
				pauseFor(this.retries.isPartlyReleased() ? Retries.STRAGGLERS_NANOS : delayNanos);
				tellWaiting();
				watch();
				released = this.retries.isReleased(); // while the nodes were asked
			}
		}
		finally {
			this.lock.unlock();
		}
		if (!wanted) {
			leaveLines();
		}
		else if (released) {
			resume(this.retries.mustProbe(remainingNanos()));
		}
		this.engine.quorum().flush();
	}

	/** Called under the lock. */
	private void pauseFor(long delayNanos) {
		cancelTimeout();
		this.timeout = this.engine.timer().schedule(Math.min(delayNanos, remainingNanos()), this::onPauseOver);
	}

	/** Called under the lock. */
	private void watch() {
		if (!this.watching) {
			this.watching = true;
			this.retries.listening();
			this.engine.wakeUps().watch(this.keys, this);
		}
	}

	/** Called under the lock. */
	private void unwatch() {
		if (this.watching) {
			this.watching = false;
			this.engine.wakeUps().unwatch(this.keys, this);
		}
	}

	/** Called under the lock. */
	private void tellWaiting() {
		if (!this.toldToWait) {
			this.toldToWait = true;
			this.engine.listeners().waiting(this.request);
		}
	}

	private void onPauseOver() {
		this.lock.lock();
		try {
			this.retries.backedOff();
		}
		finally {
			this.lock.unlock();
		}
		resume(this.retries.mayProbeNow(remainingNanos()));
	}

	private void resume(boolean probe) {
		this.lock.lock();
		try {
			if (this.state != State.PAUSED) {
				return;
			}
			this.state = State.ASKING;
		}
		finally {
			this.lock.unlock();
		}
		attempt(probe);
	}

	/** A node announced that a key was released. */
	void onReleased(int slot) {
		boolean released;
		this.lock.lock();
		try {
			released = this.retries.announcedBy(slot);
			if (!released && this.state == State.PAUSED && this.retries.isPartlyReleased()) {
				pauseFor(Retries.STRAGGLERS_NANOS);
			}
		}
		finally {
			this.lock.unlock();
		}
		if (released) {
			resume(this.retries.mustProbe(remainingNanos()));
		}
	}

	/** A node confirmed the subscription: an earlier release may have been missed. */
	void onWatching(int slot) {
		boolean missed;
		this.lock.lock();
		try {
			missed = this.retries.subscribedTo(slot);
		}
		finally {
			this.lock.unlock();
		}
		if (missed) {
			resume(this.retries.mayProbe(remainingNanos()));
		}
	}

	// ---- the end

	/**
	 * Gives up.
	 * @return false if the outcome is known already
	 */
	boolean cancel(LockException failure) {
		State before;
		String line;
		this.lock.lock();
		try {
			before = this.state;
			line = this.waitsIn;
			if (before == State.DONE) {
				return false;
			}
			finish();
		}
		finally {
			this.lock.unlock();
		}
		if (line != null) {
			this.engine.lines().cancel(line, this);
		}
		if (before == State.PAUSED) {
			leaveLines();
		}
		fail(failure);
		return true;
	}

	/** Called under the lock. */
	private void finish() {
		this.state = State.DONE;
		cancelTimeout();
		this.engine.forget(this);
		unwatch();
	}

	private void leaveLines() {
		this.engine.lines().leave(this.keys, this, 0);
	}

	private void granted(Handle handle) {
		this.engine.listeners().acquired(this.request, handle, waitedNanos(), attempts());
		this.outcome.granted(this, handle);
	}

	private void fail(LockException failure) {
		this.engine.quorum().flush(); // others must not take it for one who listens
		this.engine.listeners().notAcquired(this, failure);
		this.outcome.failed(this, failure);
	}

	private void cancelTimeout() {
		if (this.timeout != null) {
			this.timeout.cancel();
			this.timeout = null;
		}
	}

	private long remainingNanos() {
		return this.waitNanos - waitedNanos();
	}

	long waitedNanos() {
		return this.engine.clock().nanoTime() - this.startNanos;
	}

	long startNanos() {
		return this.startNanos;
	}

	int attempts() {
		return this.retries.attempts();
	}

	@Nullable AcquireRound lastRound() {
		return this.retries.lastRound();
	}

	LockEngine engine() {
		return this.engine;
	}

	LockRequest request() {
		return this.request;
	}

	String thread() {
		return this.thread;
	}

	ObservedRequest observed() {
		return this.observed;
	}

	LockWait describe() {
		return new LockWait(this.keys, this.request.baseName(), this.thread, Duration.ofNanos(waitedNanos()),
				attempts());
	}

	@Override
	public String toString() {
		return this.request.names() + " " + this.state;
	}

}
