package io.quorlock.engine;

import java.security.SecureRandom;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import io.quorlock.LockException;
import io.quorlock.LockHandle;
import io.quorlock.LockRequest;
import io.quorlock.engine.event.LockListener;
import io.quorlock.engine.event.RequestObserver;
import io.quorlock.quorum.node.Attempt;
import io.quorlock.quorum.node.LockNode;
import io.quorlock.quorum.node.NodeListener;
import io.quorlock.quorum.node.NodeObserver;
import io.quorlock.quorum.node.NodeReply;

/**
 * The lock engine: Redlock over the nodes it is given. It has no thread of its own and
 * blocks none (R15): callers, the nodes' drivers and the timer drive it, so that one
 * thread can run it under a simulated clock (R16).
 *
 * @since 0.1.0
 * @see DefaultLockTemplate
 */
public final class LockEngine implements NodeListener {

	private static final Log logger = LogFactory.getLog(LockEngine.class);

	private static final long DRIFT_MARGIN_NANOS = 2_000_000;

	/** Longer waits would overflow when added to the clock. */
	private static final long MAX_NANOS = Long.MAX_VALUE / 4;

	private final LockSettings settings;

	private final Quorum quorum;

	private final EngineClock clock;

	private final EngineTimer timer;

	private final Executor callbacks;

	private final LongSupplier random;

	private final Listeners listeners;

	private final List<NodeObserver> nodeObservers;

	private final List<RequestObserver> requestObservers;

	private final Fences fences;

	private final LocalLines lines = new LocalLines(this);

	private final WakeUps wakeUps;

	private final UnconfirmedReleases unconfirmed;

	private final Set<Lease> leases = ConcurrentHashMap.newKeySet();

	private final Set<Acquisition> acquisitions = ConcurrentHashMap.newKeySet();

	private volatile String tokenPrefix;

	private boolean started;

	private final AtomicLong counter = new AtomicLong();

	/** Attempts under way. */
	private final AtomicInteger rounds = new AtomicInteger();

	private volatile boolean running;

	/**
	 * Creates an engine that nobody observes; {@link #start()} connects it.
	 * @param settings the settings
	 * @param nodes the nodes, all that are configured
	 * @param clock the clock
	 * @param timer runs the watchdog and the time-outs
	 * @param callbacks runs the code of users, which may block; unbounded
	 * @param listeners hear what happens to locks
	 * @param observers hear what nodes answer
	 */
	public LockEngine(LockSettings settings, List<? extends LockNode> nodes, EngineClock clock, EngineTimer timer,
			Executor callbacks, List<? extends LockListener> listeners, List<? extends NodeObserver> observers) {
		this(settings, nodes, clock, timer, callbacks, listeners, observers, List.of());
	}

	/**
	 * Creates an engine; {@link #start()} connects it.
	 * @param settings the settings
	 * @param nodes the nodes, all that are configured
	 * @param clock the clock
	 * @param timer runs the watchdog and the time-outs
	 * @param callbacks runs the code of users, which may block; unbounded
	 * @param listeners hear what happens to locks
	 * @param nodeObservers hear what nodes answer
	 * @param requestObservers accompany single requests
	 */
	public LockEngine(LockSettings settings, List<? extends LockNode> nodes, EngineClock clock, EngineTimer timer,
			Executor callbacks, List<? extends LockListener> listeners, List<? extends NodeObserver> nodeObservers,
			List<? extends RequestObserver> requestObservers) {
		this(settings, nodes, clock, timer, callbacks, listeners, nodeObservers, requestObservers,
				() -> ThreadLocalRandom.current().nextLong());
	}

	/**
	 * Creates an engine with a source of chance of its own, for simulations.
	 * @param settings the settings
	 * @param nodes the nodes, all that are configured
	 * @param clock the clock
	 * @param timer runs the watchdog and the time-outs
	 * @param callbacks runs the code of users, which may block; unbounded
	 * @param listeners hear what happens to locks
	 * @param observers hear what nodes answer
	 * @param random uniformly distributed over all longs
	 */
	public LockEngine(LockSettings settings, List<? extends LockNode> nodes, EngineClock clock, EngineTimer timer,
			Executor callbacks, List<? extends LockListener> listeners, List<? extends NodeObserver> observers,
			LongSupplier random) {
		this(settings, nodes, clock, timer, callbacks, listeners, observers, List.of(), random);
	}

	private LockEngine(LockSettings settings, List<? extends LockNode> nodes, EngineClock clock, EngineTimer timer,
			Executor callbacks, List<? extends LockListener> listeners, List<? extends NodeObserver> nodeObservers,
			List<? extends RequestObserver> requestObservers, LongSupplier random) {
		this.settings = settings;
		this.quorum = new Quorum(nodes);
		this.clock = clock;
		this.timer = timer;
		this.callbacks = callbacks;
		this.random = random;
		this.listeners = new Listeners(listeners, callbacks, clock);
		this.nodeObservers = List.copyOf(nodeObservers);
		this.requestObservers = List.copyOf(requestObservers);
		this.fences = new Fences(clock, this.quorum);
		this.wakeUps = new WakeUps(this.quorum);
		this.unconfirmed = new UnconfirmedReleases(this, this.quorum.size());
		this.tokenPrefix = tokenPrefix(random.getAsLong());
	}

	private String tokenPrefix(long chance) {
		return this.settings.instanceId() + ":" + Long.toHexString(chance) + ":";
	}

	// ---- life cycle

	/**
	 * Connects the nodes. Does not wait for them.
	 */
	public void start() {
		if (this.started) {
			// A checkpoint of this process may be restored several times, all other
			// sources of chance included, and each copy is an owner of its own.
			this.tokenPrefix = tokenPrefix(new SecureRandom().nextLong());
		}
		this.started = true;
		this.running = true;
		this.quorum.nodes().forEach((node) -> node.start(this));
	}

	/**
	 * Fails who waits, releases what is held, and disconnects the nodes (R14). Returns
	 * when the nodes have answered what is under way, and a quorum the releases; each
	 * takes an operation timeout at most. The engine can be started again.
	 */
	public void stop() {
		this.running = false;
		// In an order that does not depend on hash codes (R16).
		this.acquisitions.stream()
			.sorted(Comparator.comparing(Acquisition::startNanos))
			.forEach((acquisition) -> acquisition.cancel(Failures.stopped(acquisition)));
		awaitRounds();
		CompletableFuture<?>[] releases = this.leases.stream()
			.sorted(Comparator.comparing((lease) -> lease.attempt().token()))
			.map(Lease::stop)
			.toArray(CompletableFuture[]::new);
		try {
			CompletableFuture.allOf(releases).get(2 * operationTimeoutNanos(), TimeUnit.NANOSECONDS);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		catch (java.util.concurrent.ExecutionException | java.util.concurrent.TimeoutException ex) {
			// What could not be confirmed expires with its lease.
		}
		this.quorum.nodes().forEach(LockNode::stop);
	}

	/** What is granted while the engine stops is released on connections still open. */
	private void awaitRounds() {
		long end = System.nanoTime() + 2 * operationTimeoutNanos();
		while (this.rounds.get() > 0 && System.nanoTime() < end && !Thread.currentThread().isInterrupted()) {
			LockSupport.parkNanos(1_000_000);
		}
	}

	void roundBegan() {
		this.rounds.incrementAndGet();
	}

	void roundEnded() {
		this.rounds.decrementAndGet();
	}

	/**
	 * Whether the engine takes requests.
	 * @return whether it was started and not stopped
	 */
	public boolean isRunning() {
		return this.running;
	}

	// ---- requests

	/**
	 * Acquires a lock without blocking.
	 * @param request what to lock; its context is not looked at
	 * @param defaultWait how long to wait if the request does not say
	 * @return completes on the callbacks executor, with the lock or a
	 * {@link LockException}; cancelling it gives up
	 */
	public CompletableFuture<LockHandle> acquireAsync(LockRequest request, Duration defaultWait) {
		FutureOutcome outcome = new FutureOutcome(this);
		Acquisition acquisition = acquisition(request, defaultWait, outcome);
		outcome.whenComplete((handle, ex) -> {
			// Cancelled or timed out by the user; otherwise it does nothing.
			if (ex != null) {
				acquisition.cancel(Failures.cancelled(acquisition));
			}
		});
		acquisition.start();
		return outcome;
	}

	/**
	 * Acquires a lock, blocking the caller.
	 * @param request what to lock; its context is not looked at
	 * @param defaultWait how long to wait if the request does not say
	 * @param interruptible whether an interrupt ends the wait
	 * @return the lock
	 * @throws LockException if it was not got
	 */
	LockHandle acquire(LockRequest request, Duration defaultWait, boolean interruptible) {
		BlockingOutcome outcome = new BlockingOutcome();
		Acquisition acquisition = acquisition(request, defaultWait, outcome);
		acquisition.start();
		try {
			Handle handle = outcome.await(acquisition, interruptible);
			acquisition.observed().granted(handle, acquisition.attempts());
			return handle;
		}
		catch (LockException ex) {
			acquisition.observed().failed(ex, acquisition.attempts());
			throw ex;
		}
	}

	private Acquisition acquisition(LockRequest request, Duration defaultWait, Acquisition.Outcome outcome) {
		if (request.leaseTime() != null) {
			checkLease(request.leaseTime(), String.join(",", request.names()));
		}
		Duration wait = (request.waitTime() != null) ? request.waitTime() : defaultWait;
		boolean running = this.running;
		Acquisition acquisition = new Acquisition(this, request, wait, outcome,
				running ? ObservedRequest.start(this.requestObservers, request) : ObservedRequest.NONE);
		if (!running) {
			throw Failures.stopped(acquisition);
		}
		return acquisition;
	}

	void checkLease(Duration lease, String name) {
		if (lease.compareTo(this.settings.maxLeaseTime()) > 0) {
			throw new IllegalArgumentException(
					"Lease time %s of lock '%s' is longer than distributed-lock.max-lease-time (%s)".formatted(lease,
							LogText.escape(name), this.settings.maxLeaseTime()));
		}
		if (lease.toMillis() <= 0) {
			throw new IllegalArgumentException(
					"Lease time %s of lock '%s' is shorter than 1 ms".formatted(lease, LogText.escape(name)));
		}
	}

	// ---- what the nodes tell

	@Override
	public void onConnected(LockNode node) {
		this.fences.updateOffset();
		this.unconfirmed.resend(this.quorum.slotOf(node));
	}

	@Override
	public void onReleased(LockNode node, String lockKey) {
		int slot = this.quorum.slotOf(node);
		this.wakeUps.tell(lockKey, (acquisition) -> acquisition.onReleased(slot));
	}

	@Override
	public void onWatching(LockNode node, String lockKey) {
		int slot = this.quorum.slotOf(node);
		this.wakeUps.tell(lockKey, (acquisition) -> acquisition.onWatching(slot));
	}

	void observe(int slot, String operation, NodeReply reply, long sinceNanos) {
		this.quorum.answered(slot);
		if (this.nodeObservers.isEmpty()) {
			return;
		}
		long nanos = this.clock.nanoTime() - sinceNanos;
		for (NodeObserver observer : this.nodeObservers) {
			try {
				observer.onNodeReply(this.quorum.node(slot), operation, reply, nanos);
			}
			catch (RuntimeException | Error ex) {
				// A vote must not be lost by it.
				logger.error("Node observer " + observer + " failed", ex);
			}
		}
	}

	// ---- the parts share

	Attempt newAttempt() {
		return new Attempt(this.tokenPrefix + this.counter.incrementAndGet());
	}

	long operationTimeoutNanos() {
		return this.settings.operationTimeout().toNanos();
	}

	long leaseNanos(LockRequest request) {
		Duration lease = request.leaseTime();
		return ((lease != null) ? lease : this.settings.leaseTime()).toNanos();
	}

	/**
	 * R1: the drift of two clocks over a lease, and 2 ms for the expiry's granularity.
	 */
	long driftMarginNanos(long leaseNanos) {
		return (long) (leaseNanos * this.settings.clockDriftFactor()) + DRIFT_MARGIN_NANOS;
	}

	/** How long a key lives at most that a command sent now may still write. */
	long longestLifeNanos() {
		long lease = this.settings.maxLeaseTime().toNanos();
		return lease + driftMarginNanos(lease) + operationTimeoutNanos();
	}

	/** A fence key outlives the last possible use of its lock by the retention. */
	long fenceMillis(long leaseNanos) {
		return this.settings.fencingRetention().toMillis() + leaseNanos / 1_000_000;
	}

	/** R4: random, growing with the attempts, between the shortest and the longest. */
	long randomDelayNanos(int attempts) {
		long min = this.settings.retryMinDelay().toNanos();
		long max = this.settings.retryMaxDelay().toNanos();
		long bound = Math.min(max, min << Math.min(attempts, 20));
		return min + (bound > min ? Math.floorMod(this.random.getAsLong(), bound - min) : 0);
	}

	static long nanos(Duration duration) {
		return (duration.compareTo(Duration.ofNanos(MAX_NANOS)) < 0) ? duration.toNanos() : MAX_NANOS;
	}

	/** Completes on a thread that users may block. */
	<T extends @Nullable Object> CompletableFuture<T> onCallbackThread(CompletableFuture<T> done) {
		CompletableFuture<T> result = new CompletableFuture<>();
		done.whenComplete((value, ex) -> callback(() -> result.complete(value)));
		return result;
	}

	void callback(Runnable code) {
		try {
			this.callbacks.execute(code);
		}
		catch (RejectedExecutionException | OutOfMemoryError ex) {
			// Shut down, or no more threads: nobody else would run it.
			code.run();
		}
	}

	void remember(Lease lease) {
		this.leases.add(lease);
	}

	void forget(Lease lease) {
		this.leases.remove(lease);
	}

	Set<Lease> leases() {
		return this.leases;
	}

	Set<Acquisition> acquisitions() {
		return this.acquisitions;
	}

	void remember(Acquisition acquisition) {
		this.acquisitions.add(acquisition);
	}

	void forget(Acquisition acquisition) {
		this.acquisitions.remove(acquisition);
	}

	/**
	 * The settings that the engine was given.
	 * @return the settings
	 */
	public LockSettings settings() {
		return this.settings;
	}

	Quorum quorum() {
		return this.quorum;
	}

	EngineClock clock() {
		return this.clock;
	}

	EngineTimer timer() {
		return this.timer;
	}

	Executor callbacks() {
		return this.callbacks;
	}

	Fences fences() {
		return this.fences;
	}

	Listeners listeners() {
		return this.listeners;
	}

	LocalLines lines() {
		return this.lines;
	}

	WakeUps wakeUps() {
		return this.wakeUps;
	}

	UnconfirmedReleases unconfirmed() {
		return this.unconfirmed;
	}

}
