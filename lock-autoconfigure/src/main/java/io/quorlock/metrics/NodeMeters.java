package io.quorlock.metrics;

import java.util.Locale;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import org.jspecify.annotations.Nullable;

import io.quorlock.store.ReplyOutcome;
import io.quorlock.store.StoreObserver;

/**
 * Times the replies of each node. It runs on the threads that receive the replies, so it
 * looks up its timers without allocation.
 *
 * @since 0.1.0
 */
public final class NodeMeters implements StoreObserver {

	private static final ReplyOutcome[] OUTCOMES = ReplyOutcome.values();

	private final MeterRegistry registry;

	private final ConcurrentHashMap<String, ConcurrentHashMap<String, Timer[]>> timers = new ConcurrentHashMap<>();

	/**
	 * Create the observer.
	 * @param registry holds the timers
	 */
	public NodeMeters(MeterRegistry registry) {
		this.registry = registry;
	}

	@Override
	public void onReply(String node, String operation, ReplyOutcome outcome, @Nullable String error, long nanos) {
		timersOf(node, operation)[outcome.ordinal()].record(nanos, TimeUnit.NANOSECONDS);
	}

	private Timer[] timersOf(String node, String operation) {
		ConcurrentHashMap<String, Timer[]> operations = this.timers.get(node);
		if (operations == null) {
			operations = this.timers.computeIfAbsent(node, (key) -> new ConcurrentHashMap<>());
		}
		Timer[] known = operations.get(operation);
		return (known != null) ? known : operations.computeIfAbsent(operation, (key) -> register(node, operation));
	}

	private Timer[] register(String node, String operation) {
		Timer[] byOutcome = new Timer[OUTCOMES.length];
		for (ReplyOutcome outcome : OUTCOMES) {
			byOutcome[outcome.ordinal()] = Timer.builder("distributed.lock.node.requests")
				.description("From the beginning of a round to a node's reply")
				.tag("node", node)
				.tag("operation", operation)
				.tag("outcome", outcome.name().toLowerCase(Locale.ROOT).replace('_', '-'))
				.register(this.registry);
		}
		return byOutcome;
	}

}
