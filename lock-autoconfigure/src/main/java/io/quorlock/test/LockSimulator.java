package io.quorlock.test;

import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;

import io.quorlock.LockRequest;
import io.quorlock.autoconfigure.LockNodeCustomizer;
import io.quorlock.engine.LockInspector;
import io.quorlock.quorum.node.Attempt;
import io.quorlock.quorum.node.LockNode;

/**
 * Lets things happen to locks that are hard to bring about in a test.
 *
 * <pre class="code">
 * locks.heldElsewhere("order:42");
 * assertThatExceptionOfType(LockNotAcquiredException.class).isThrownBy(() -&gt; this.orders.place(42));
 * </pre>
 *
 * @since 0.1.0
 * @see AutoConfigureTestLocks
 */
public class LockSimulator implements LockNodeCustomizer {

	private static final String ELSEWHERE = "elsewhere@test:0:simulated:1";

	private final Supplier<LockInspector> inspector;

	private final List<SimulatedNode> nodes = new CopyOnWriteArrayList<>();

	private final Set<String> heldElsewhere = ConcurrentHashMap.newKeySet();

	LockSimulator(Supplier<LockInspector> inspector) {
		this.inspector = inspector;
	}

	@Override
	public LockNode customize(LockNode node) {
		SimulatedNode simulated = new SimulatedNode(node);
		this.nodes.add(simulated);
		return simulated;
	}

	/**
	 * Another instance holds a lock, until {@link #free} or the end of the test method.
	 * @param name the lock
	 * @throws IllegalStateException if the application holds it
	 */
	public void heldElsewhere(String name) {
		String checked = checked(name);
		for (SimulatedNode node : this.nodes) {
			if (!node.hold(checked, new Attempt(ELSEWHERE))) {
				free(name);
				throw new IllegalStateException("Lock '" + name + "' is held already");
			}
		}
		this.heldElsewhere.add(name);
	}

	/**
	 * The other instance releases a lock.
	 * @param name the lock
	 */
	public void free(String name) {
		this.heldElsewhere.remove(name);
		this.nodes.forEach((node) -> node.free(checked(name), new Attempt(ELSEWHERE)));
	}

	/**
	 * No node answers any more, until {@link #available} or the end of the test method.
	 */
	public void unavailable() {
		this.nodes.forEach((node) -> node.setAvailable(false));
	}

	/**
	 * The nodes answer again.
	 */
	public void available() {
		this.nodes.forEach((node) -> node.setAvailable(true));
	}

	/**
	 * The application loses a lock that it holds: its holder is told, at once.
	 * @param name the lock
	 * @throws IllegalStateException if the application does not hold it
	 */
	public void lose(String name) {
		LockInspector inspector = this.inspector.get();
		if (inspector.held().stream().noneMatch((hold) -> hold.names().contains(name))) {
			throw new IllegalStateException("Lock '" + name + "' is not held, so that it cannot be lost");
		}
		inspector.forceRelease(name).join();
	}

	/**
	 * Ends all that is simulated.
	 */
	public void reset() {
		available();
		this.heldElsewhere.forEach(this::free);
	}

	private static String checked(String name) {
		return LockRequest.of(name).names().get(0);
	}

}
