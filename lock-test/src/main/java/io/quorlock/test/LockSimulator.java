/*
 * Copyright 2026-present the Quorlock authors.
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *      https://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */

package io.quorlock.test;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

import io.quorlock.LockRequest;
import io.quorlock.autoconfigure.LockNodeCustomizer;
import io.quorlock.engine.LockInspector;
import io.quorlock.quorum.node.Attempt;
import io.quorlock.quorum.node.LockNode;
import io.quorlock.quorum.node.LockTarget;
import io.quorlock.quorum.node.NodeReply;

/**
 * Simulates events around locks that are hard to cause in a test, in memory and on Redis
 * nodes. On ZooKeeper it can only make the application {@linkplain #lose lose} a lock. It
 * belongs to the application, so tests that run in parallel need an application each.
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

	static final String ELSEWHERE = "elsewhere@test:0:simulated:";

	private static final long RELEASE_NANOS = 10_000_000_000L;

	private static final long CONNECT_NANOS = 5_000_000_000L;

	private static final long POLL_NANOS = 1_000_000;

	private final Supplier<LockInspector> inspector;

	private final List<SimulatedNode> nodes = new CopyOnWriteArrayList<>();

	private final Map<String, List<SimulatedHold>> heldElsewhere = new ConcurrentHashMap<>();

	private final AtomicInteger owners = new AtomicInteger();

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
	 * test method. A lease that the application retains, but does not use, is taken.
	 * @param name the lock
	 * @throws IllegalStateException if it is held already
	 */
	public void heldElsewhere(String name) {
		hold(name, LockTarget.exclusive(List.of(checked(name))));
	}

	/**
	 * Simulate that another instance shares a lock, until {@link #free} or the end of the
	 * test method.
	 * @param name the lock
	 * @throws IllegalStateException if it is held exclusively
	 */
	public void sharedElsewhere(String name) {
		hold(name, LockTarget.shared(List.of(checked(name))));
	}

	/**
	 * Simulate that another instance holds one of several permits, until {@link #free} or
	 * the end of the test method. Call it again for each further permit.
	 * @param name the lock
	 * @param permits how many permits the lock has
	 * @throws IllegalStateException if none is free
	 */
	public void permitElsewhere(String name, int permits) {
		hold(name, LockTarget.permits(checked(name), permits));
	}

	private void hold(String name, LockTarget target) {
		takeRetained(name);
		SimulatedHold hold = new SimulatedHold(target, new Attempt(ELSEWHERE + this.owners.incrementAndGet()));
		for (SimulatedNode node : simulated()) {
			NodeReply reply = hold(node, hold);
			if (!(reply instanceof NodeReply.Granted)) {
				free(hold);
				throw new IllegalStateException(
						"Lock '" + name + "' "
								+ ((reply instanceof NodeReply.Failed failed) ? "cannot be held elsewhere: node "
										+ node.name() + " does not reply (" + failed.message() + ")"
										: "is held already"));
			}
		}
		this.heldElsewhere.computeIfAbsent(name, (key) -> new CopyOnWriteArrayList<>()).add(hold);
	}

	/** The application may still be connecting to the node. */
	private static NodeReply hold(SimulatedNode node, SimulatedHold hold) {
		long begin = System.nanoTime();
		NodeReply reply = node.hold(hold.target, hold.attempt);
		while (reply instanceof NodeReply.Failed failed && failed.cause() == NodeReply.Failed.Cause.NOT_SENT
				&& System.nanoTime() - begin < CONNECT_NANOS) {
			LockSupport.parkNanos(POLL_NANOS);
			reply = node.hold(hold.target, hold.attempt);
		}
		return reply;
	}

	/** Without nodes, a test would look at locks that nothing has happened to. */
	private List<SimulatedNode> simulated() {
		var unused = this.inspector.get(); // creates the nodes, where beans are lazy
		if (this.nodes.isEmpty()) {
			throw new IllegalStateException(
					"Only locks in memory and on Redis nodes can be simulated elsewhere or unavailable");
		}
		return this.nodes;
	}

	/** As another instance would: the application does not use the lock. */
	private void takeRetained(String name) {
		LockInspector inspector = this.inspector.get();
		long begin = System.nanoTime();
		while (inspector.retained().stream().anyMatch((lease) -> lease.name().equals(name))
				&& System.nanoTime() - begin < RELEASE_NANOS) {
			inspector.requestRelease(name, Duration.ofNanos(RELEASE_NANOS)).join();
			LockSupport.parkNanos(POLL_NANOS);
		}
	}

	private void free(SimulatedHold hold) {
		this.nodes.forEach((node) -> node.free(hold.target, hold.attempt));
	}

	/**
	 * Simulate that the other instance releases a lock, and all permits that it holds.
	 * @param name the lock
	 */
	public void free(String name) {
		List<SimulatedHold> holds = this.heldElsewhere.remove(name);
		if (holds != null) {
			holds.forEach(this::free);
		}
	}

	/**
	 * Simulate that no node replies, until {@link #available} or the end of the test
	 * method. The application loses what it holds when the leases end.
	 */
	public void unavailable() {
		simulated().forEach((node) -> node.setAvailable(false));
	}

	/**
	 * Simulate that the nodes reply again.
	 */
	public void available() {
		this.nodes.forEach((node) -> node.setAvailable(true));
	}

	/**
	 * Simulate that the application loses a lock that it holds. Its holder is notified at
	 * once. What another instance shares, or holds permits of, stays.
	 * @param name the lock
	 * @throws IllegalStateException if the application does not hold it
	 */
	public void lose(String name) {
		LockInspector inspector = this.inspector.get();
		if (inspector.held().stream().noneMatch((hold) -> hold.names().contains(name))) {
			throw new IllegalStateException("Lock '" + name + "' is not held, so that it cannot be lost");
		}
		this.nodes.forEach((node) -> node.keepElsewhere(true));
		try {
			inspector.forceRelease(name).join();
		}
		finally {
			this.nodes.forEach((node) -> node.keepElsewhere(false));
		}
	}

	/**
	 * End all simulations.
	 */
	public void reset() {
		available();
		List.copyOf(this.heldElsewhere.keySet()).forEach(this::free);
	}

	private static String checked(String name) {
		return LockRequest.of(name).names().get(0);
	}

	/**
	 * What the other instance holds.
	 *
	 * @param target the lock
	 * @param attempt the holder
	 */
	private record SimulatedHold(LockTarget target, Attempt attempt) {
	}

}
