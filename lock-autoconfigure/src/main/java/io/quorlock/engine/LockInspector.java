package io.quorlock.engine;

import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

import io.quorlock.LockKeyException;
import io.quorlock.LockRequest;
import io.quorlock.quorum.node.LockNode;
import io.quorlock.quorum.node.NodeCommand;

/**
 * What operators ask an engine: who holds what, who waits, what the nodes say of a name.
 *
 * @since 0.1.0
 */
public final class LockInspector {

	private static final String FORCED = "an operator released it by force";

	private final LockEngine engine;

	/**
	 * Creates an inspector.
	 * @param engine the engine to look into
	 */
	public LockInspector(LockEngine engine) {
		this.engine = engine;
	}

	/**
	 * The instance that this is.
	 * @return the readable owner, the beginning of the value of every lock that it holds
	 */
	public String instanceId() {
		return this.engine.settings().instanceId();
	}

	/**
	 * What this instance holds.
	 * @return the locks, those held longest first
	 */
	public List<LockHold> held() {
		return this.engine.leases()
			.stream()
			.filter(Lease::isHeld)
			.map(Lease::describe)
			.sorted(Comparator.comparing(LockHold::heldFor).reversed())
			.toList();
	}

	/**
	 * What this instance waits for.
	 * @return the requests, those that wait longest first
	 */
	public List<LockWait> waiting() {
		return this.engine.acquisitions()
			.stream()
			.map(Acquisition::describe)
			.sorted(Comparator.comparing(LockWait::waitedFor).reversed())
			.toList();
	}

	/**
	 * How many locks this instance holds.
	 * @return the number for each base name that it holds a lock of
	 */
	public Map<String, Integer> heldByGroup() {
		Map<String, Integer> counts = new HashMap<>();
		this.engine.leases().forEach((lease) -> counts.merge(lease.holder().request().baseName(), 1, Integer::sum));
		return counts;
	}

	/**
	 * How many requests of this instance are on their way to a lock.
	 * @return the number for each base name that one waits for
	 */
	public Map<String, Integer> waitingByGroup() {
		Map<String, Integer> counts = new HashMap<>();
		this.engine.acquisitions().forEach((wait) -> counts.merge(wait.request().baseName(), 1, Integer::sum));
		return counts;
	}

	/**
	 * The nodes that vote.
	 * @return the nodes, in the order that all instances share
	 */
	public List<LockNode> nodes() {
		return this.engine.quorum().nodes();
	}

	/**
	 * How many nodes decide.
	 * @return N/2+1 of the configured nodes
	 */
	public int majority() {
		return this.engine.quorum().majority();
	}

	/**
	 * Whether locks can be had at present.
	 * @return whether a majority of the nodes is connected and counts (R10)
	 */
	public boolean isAvailable() {
		return this.engine.quorum().hasCountedMajority();
	}

	/**
	 * Asks every node who holds a name.
	 * @param name the lock
	 * @return completes after one operation timeout at the latest, with an answer for
	 * each node
	 * @throws LockKeyException if it is no name of a lock
	 */
	public CompletableFuture<List<NodeAnswer>> inspect(String name) {
		NodeQuery query = new NodeQuery(this.engine, new NodeCommand.Inspect(name(name)));
		query.start();
		return this.engine.onCallbackThread(query.done());
	}

	/**
	 * Takes a lock away from whoever holds it: deletes its key on every node. If this
	 * instance holds it, it is lost here from that moment: its holder is told, and the
	 * watchdog ends.
	 * <p>
	 * A holder in <em>another</em> instance learns of it only at its next renewal, which
	 * puts the key back on the nodes where nobody else has taken the name by then, since
	 * to the watchdog a deleted key looks like one that a node has forgotten (R6). Use it
	 * for what a dead instance left behind; from a live one, take the lock away at that
	 * instance. As long as the holder does not know, two may run at once: only fencing
	 * tokens protect the resource then.
	 * @param name the lock
	 * @return completes after one operation timeout at the latest, with an answer for
	 * each node
	 * @throws LockKeyException if it is no name of a lock
	 */
	public CompletableFuture<List<NodeAnswer>> forceRelease(String name) {
		NodeQuery query = new NodeQuery(this.engine, new NodeCommand.ForceRelease(keys(name)));
		for (Lease lease : this.engine.leases()) {
			if (lease.keys().contains(name)) {
				// Before the next in line asks: the deletion must not hit its key.
				lease.revoke(FORCED, query::start);
			}
		}
		query.start();
		return this.engine.onCallbackThread(query.done());
	}

	private static String name(String name) {
		return LockRequest.of(name).names().get(0);
	}

	private static List<String> keys(String name) {
		return LockRequest.of(name).names();
	}

}
