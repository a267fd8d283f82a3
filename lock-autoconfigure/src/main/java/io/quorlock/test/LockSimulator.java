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
 * Simulates events around locks that are hard to cause in a test.
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
	 * Simulate that another instance holds a lock, until {@link #free} or the end of the
	 * test method.
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
	 * Simulate that the other instance releases a lock.
	 * @param name the lock
	 */
	public void free(String name) {
		this.heldElsewhere.remove(name);
		this.nodes.forEach((node) -> node.free(checked(name), new Attempt(ELSEWHERE)));
	}

	/**
	 * Simulate that no node replies, until {@link #available} or the end of the test
	 * method.
	 */
	public void unavailable() {
		this.nodes.forEach((node) -> node.setAvailable(false));
	}

	/**
	 * Simulate that the nodes reply again.
	 */
	public void available() {
		this.nodes.forEach((node) -> node.setAvailable(true));
	}

	/**
	 * Simulate that the application loses a lock that it holds. Its holder is notified at
	 * once.
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
	 * End all simulations.
	 */
	public void reset() {
		available();
		this.heldElsewhere.forEach(this::free);
	}

	private static String checked(String name) {
		return LockRequest.of(name).names().get(0);
	}

}
