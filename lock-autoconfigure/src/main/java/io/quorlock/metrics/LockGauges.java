package io.quorlock.metrics;

import java.util.HashMap;
import java.util.Map;
import java.util.function.Supplier;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;

import io.quorlock.engine.LockInspector;
import io.quorlock.store.NodeState;
import io.quorlock.store.StoreStatus;

/**
 * Gauges of the locks that are held and waited for, and of the nodes. Their values are
 * read from the engine when they are scraped.
 *
 * @since 0.1.0
 */
public final class LockGauges implements MeterBinder {

	private final LockInspector inspector;

	private final LockTags tags;

	private final BaseNameCounts active;

	private final BaseNameCounts waiting;

	private final BaseNameCounts permits;

	/**
	 * Create the gauges.
	 * @param inspector provides the state of the engine
	 * @param tags limits the values of the tag {@code lock}
	 */
	public LockGauges(LockInspector inspector, LockTags tags) {
		this.inspector = inspector;
		this.tags = tags;
		this.active = new BaseNameCounts(inspector::heldByBaseName, tags);
		this.waiting = new BaseNameCounts(inspector::waitingByBaseName, tags);
		this.permits = new BaseNameCounts(inspector::permitsByBaseName, tags);
	}

	@Override
	public void bindTo(MeterRegistry registry) {
		for (NodeState node : this.inspector.status().nodes()) {
			Gauge.builder("distributed.lock.node.available", this.inspector, (each) -> isVoting(each, node.name()))
				.description("1 if the node is connected and votes")
				.tag("node", node.name())
				.register(registry);
		}
		for (String group : this.inspector.status().groups().keySet()) {
			Gauge.builder("distributed.lock.group.available", this.inspector, (each) -> isAvailable(each, group))
				.description("1 if a quorum of the group votes")
				.tag("group", group)
				.register(registry);
		}
		this.tags.forEach((lock) -> {
			register("distributed.lock.active", "Locks that this instance holds", lock, this.active, registry);
			register("distributed.lock.waiting", "Requests of this instance that wait for a lock", lock, this.waiting,
					registry);
		});
		this.tags.forEachWithPermits((lock) -> register("distributed.lock.permits", "Permits that this instance holds",
				lock, this.permits, registry));
	}

	private static int isAvailable(LockInspector inspector, String group) {
		StoreStatus status = inspector.status().groups().get(group);
		return (status != null && status.available()) ? 1 : 0;
	}

	private static int isVoting(LockInspector inspector, String node) {
		return inspector.status().nodes().stream().anyMatch((each) -> each.voting() && each.name().equals(node)) ? 1
				: 0;
	}

	private static void register(String name, String description, String lock, BaseNameCounts counts,
			MeterRegistry registry) {
		Gauge.builder(name, counts, (each) -> each.of(lock))
			.description(description)
			.tag("lock", lock)
			.register(registry);
	}

	/** All gauges of a scrape use the same snapshot of the engine. */
	private static final class BaseNameCounts {

		private static final long MAX_AGE_NANOS = 100_000_000;

		private final Supplier<Map<String, Integer>> source;

		private final LockTags tags;

		private volatile Counts counts = new Counts(Map.of(), System.nanoTime() - MAX_AGE_NANOS);

		private BaseNameCounts(Supplier<Map<String, Integer>> source, LockTags tags) {
			this.source = source;
			this.tags = tags;
		}

		private int of(String lock) {
			long now = System.nanoTime();
			Counts counts = this.counts;
			if (now - counts.takenNanos() >= MAX_AGE_NANOS) {
				counts = new Counts(take(), now);
				this.counts = counts;
			}
			return counts.byTag().getOrDefault(lock, 0);
		}

		private Map<String, Integer> take() {
			Map<String, Integer> byTag = new HashMap<>();
			this.source.get()
				.forEach((baseName, count) -> byTag.merge(this.tags.valueOf(baseName), count, Integer::sum));
			return byTag;
		}

		private record Counts(Map<String, Integer> byTag, long takenNanos) {
		}

	}

}
