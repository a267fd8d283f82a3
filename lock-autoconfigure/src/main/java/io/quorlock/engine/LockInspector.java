package io.quorlock.engine;

import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

import io.quorlock.LockKeyException;
import io.quorlock.LockRequest;
import io.quorlock.store.NodeReport;
import io.quorlock.store.StoreStatus;

/**
 * Reports to operators which locks are held, which requests wait, and what the nodes say
 * of a name.
 *
 * @since 0.1.0
 */
public final class LockInspector {

	private final LockEngine engine;

	/**
	 * Create an inspector.
	 * @param engine the engine to look into
	 */
	public LockInspector(LockEngine engine) {
		this.engine = engine;
	}

	/**
	 * Return the instance.
	 * @return the readable owner, with which the token of every lock begins that it holds
	 */
	public String instanceId() {
		return this.engine.settings().instanceId();
	}

	/**
	 * Return what this instance holds.
	 * @return the locks, those held longest first
	 */
	public List<LockHold> held() {
		return this.engine.leases()
			.stream()
			.filter(HeldLease::isHeld)
			.flatMap((lease) -> lease.holders().stream().map((holder) -> LockHold.of(lease, holder)))
			.sorted(Comparator.comparing(LockHold::heldFor).reversed())
			.toList();
	}

	/**
	 * Return the leases that this instance keeps although they are unused (R24).
	 * @return the leases, sorted by name
	 */
	public List<RetainedLease> retained() {
		return this.engine.leases()
			.stream()
			.filter(HeldLease::isRetained)
			.map(RetainedLease::of)
			.sorted(Comparator.comparing(RetainedLease::name))
			.toList();
	}

	/**
	 * Return what this instance waits for.
	 * @return the requests, those that wait longest first
	 */
	public List<LockWait> waiting() {
		return this.engine.acquisitions()
			.stream()
			.map(PendingRequest::describe)
			.sorted(Comparator.comparing(LockWait::waitedFor).reversed())
			.toList();
	}

	/**
	 * How many locks this instance holds.
	 * @return the number for each base name that it holds a lock of
	 */
	public Map<String, Integer> heldByBaseName() {
		Map<String, Integer> counts = new HashMap<>();
		this.engine.leases()
			.forEach((lease) -> lease.holders()
				.forEach((holder) -> counts.merge(holder.request().baseName(), 1, Integer::sum)));
		return counts;
	}

	/**
	 * How many permits this instance holds.
	 * @return the number for each base name that it holds a permit of
	 */
	public Map<String, Integer> permitsByBaseName() {
		Map<String, Integer> counts = new HashMap<>();
		this.engine.leases()
			.stream()
			.flatMap((lease) -> lease.holders().stream())
			.filter((holder) -> holder.request().permits() > 0)
			.forEach((holder) -> counts.merge(holder.request().baseName(), 1, Integer::sum));
		return counts;
	}

	/**
	 * How many requests of this instance are on their way to a lock.
	 * @return the number for each base name that one waits for
	 */
	public Map<String, Integer> waitingByBaseName() {
		Map<String, Integer> counts = new HashMap<>();
		this.engine.acquisitions().forEach((wait) -> counts.merge(wait.caller().request().baseName(), 1, Integer::sum));
		return counts;
	}

	/**
	 * Return what is known of the store and its nodes.
	 * @return the status
	 */
	public StoreStatus status() {
		return this.engine.store().status();
	}

	/**
	 * Return what is known of the nodes that a lock is kept on.
	 * @param name the lock
	 * @return the status
	 */
	public StoreStatus status(String name) {
		return this.engine.store().status(List.of(check(name)));
	}

	/**
	 * Ask every node for the holders of a name.
	 * @param name the lock
	 * @return completes within one operation timeout, with a report for each node
	 * @throws LockKeyException if it is no name of a lock
	 */
	public CompletableFuture<List<NodeReport>> inspect(String name) {
		return this.engine.callbacks().completeOnThread(this.engine.store().inspect(check(name)));
	}

	/**
	 * Take a lock away from its holder. If this instance holds it, it is lost here from
	 * that moment: its holder is notified, and nothing renews it any more.
	 * <p>
	 * A holder in <em>another</em> instance finds out only at its next renewal, which may
	 * put the lock back where no other owner has taken it by then. Use it for what a dead
	 * instance left behind; take a lock from a live instance at that instance. As long as
	 * the holder does not know, two may run at once: only fencing tokens protect the
	 * resource then.
	 * @param name the lock
	 * @return completes within one operation timeout, with a report for each node
	 * @throws LockKeyException if it is no name of a lock
	 */
	public CompletableFuture<List<NodeReport>> forceRelease(String name) {
		return forceRelease(name, 0);
	}

	/**
	 * Take one permit of a lock away from its holder.
	 * @param name the lock
	 * @param permit the number of the permit, 0 for everything
	 * @return completes within one operation timeout, with a report for each node
	 */
	public CompletableFuture<List<NodeReport>> forceRelease(String name, int permit) {
		return this.engine.callbacks().completeOnThread(this.engine.store().forceRelease(check(name), permit));
	}

	/**
	 * Ask the holders of a lock to release it (R24). They decide.
	 * @param name the lock
	 * @param deadline within which time it is wanted
	 * @return completes within one operation timeout: whether a holder listens
	 * @throws LockKeyException if it is no name of a lock
	 */
	public CompletableFuture<Boolean> requestRelease(String name, Duration deadline) {
		return this.engine.callbacks().completeOnThread(this.engine.store().requestRelease(check(name), deadline));
	}

	private static String check(String name) {
		return LockRequest.of(name).names().get(0);
	}

}
