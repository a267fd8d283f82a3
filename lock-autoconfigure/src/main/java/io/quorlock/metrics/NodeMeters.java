package io.quorlock.metrics;

import java.util.Locale;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;

import io.quorlock.quorum.node.LockNode;
import io.quorlock.quorum.node.NodeObserver;
import io.quorlock.quorum.node.NodeReply;

/**
 * Times what each node answers. It runs on the threads that bring the answers, so it
 * finds its timers without making an object.
 *
 * @since 0.1.0
 */
public final class NodeMeters implements NodeObserver {

	private final MeterRegistry registry;

	private final ConcurrentHashMap<LockNode, ConcurrentHashMap<String, Timer[]>> timers = new ConcurrentHashMap<>();

	/**
	 * Creates the observer.
	 * @param registry holds the timers
	 */
	public NodeMeters(MeterRegistry registry) {
		this.registry = registry;
	}

	@Override
	public void onNodeReply(LockNode node, String operation, NodeReply reply, long nanos) {
		timersOf(node, operation)[Outcome.of(reply).ordinal()].record(nanos, TimeUnit.NANOSECONDS);
	}

	private Timer[] timersOf(LockNode node, String operation) {
		ConcurrentHashMap<String, Timer[]> operations = this.timers.get(node);
		if (operations == null) {
			operations = this.timers.computeIfAbsent(node, (key) -> new ConcurrentHashMap<>());
		}
		Timer[] known = operations.get(operation);
		return (known != null) ? known : operations.computeIfAbsent(operation, (key) -> register(node, operation));
	}

	private Timer[] register(LockNode node, String operation) {
		Timer[] byOutcome = new Timer[Outcome.VALUES.length];
		for (Outcome outcome : Outcome.VALUES) {
			byOutcome[outcome.ordinal()] = Timer.builder("distributed.lock.node.requests")
				.description("From the beginning of a round to a node's answer")
				.tag("node", node.name())
				.tag("operation", operation)
				.tag("outcome", outcome.name().toLowerCase(Locale.ROOT).replace('_', '-'))
				.register(this.registry);
		}
		return byOutcome;
	}

	private enum Outcome {

		OK, REFUSED, ERROR, LOST, NOT_SENT;

		private static final Outcome[] VALUES = values();

		private static Outcome of(NodeReply reply) {
			if (reply instanceof NodeReply.Failed failed) {
				return switch (failed.cause()) {
					case ERROR -> ERROR;
					case CONNECTION_LOST -> LOST;
					case NOT_SENT -> NOT_SENT;
				};
			}
			return (reply instanceof NodeReply.Refused || reply instanceof NodeReply.NotHeld) ? REFUSED : OK;
		}

	}

}
