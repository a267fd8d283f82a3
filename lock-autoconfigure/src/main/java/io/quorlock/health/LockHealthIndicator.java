package io.quorlock.health;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;

import io.quorlock.engine.LockInspector;
import io.quorlock.quorum.node.LockNode;
import io.quorlock.quorum.node.NodeStatus;

/**
 * UP while a majority of the configured nodes is connected and counts, DOWN otherwise:
 * then no lock can be had. A node that does not count says why (R10).
 *
 * @since 0.1.0
 */
public class LockHealthIndicator extends AbstractHealthIndicator {

	private final LockInspector inspector;

	private final Supplier<Map<String, String>> notes;

	private final boolean local;

	/**
	 * Create an indicator for locks that instances share.
	 * @param inspector looks into the engine
	 * @param notes remarks on nodes, whether they vote or not, by the name of the node
	 */
	public LockHealthIndicator(LockInspector inspector, Supplier<Map<String, String>> notes) {
		this(inspector, notes, false);
	}

	/**
	 * Create an indicator.
	 * @param inspector looks into the engine
	 * @param notes remarks on nodes, whether they vote or not, by the name of the node
	 * @param local whether no other instance can see the locks
	 */
	public LockHealthIndicator(LockInspector inspector, Supplier<Map<String, String>> notes, boolean local) {
		super("Distributed lock health check failed");
		this.inspector = inspector;
		this.notes = notes;
		this.local = local;
	}

	@Override
	protected void doHealthCheck(Health.Builder builder) {
		Map<String, Object> nodes = new LinkedHashMap<>();
		Map<String, String> notes = this.notes.get();
		int counted = 0;
		for (LockNode node : this.inspector.nodes()) {
			NodeStatus status = node.status();
			counted += status.isVoting() ? 1 : 0;
			nodes.put(node.name(), describe(status, notes.get(node.name())));
		}
		boolean available = counted >= this.inspector.majority();
		(available ? builder.up() : builder.down()).withDetail("counted", counted)
			.withDetail("quorum", this.inspector.majority())
			.withDetail("nodes", nodes);
		if (this.local) {
			builder.withDetail("scope", "this instance only: other instances do not see these locks");
		}
	}

	private static Map<String, Object> describe(NodeStatus status, @Nullable String note) {
		Map<String, Object> details = new LinkedHashMap<>();
		details.put("state", status.state().name().toLowerCase(Locale.ROOT));
		if (status.version() != null) {
			details.put("version", status.version());
		}
		if (!status.reason().isEmpty()) {
			details.put("reason", status.reason());
		}
		if (!status.votesIn().isZero()) {
			details.put("countsInSeconds", status.votesIn().plusMillis(999).toSeconds());
		}
		if (note != null) {
			details.put("note", note);
		}
		return details;
	}

}
