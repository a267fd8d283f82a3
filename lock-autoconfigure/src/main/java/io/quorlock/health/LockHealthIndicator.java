package io.quorlock.health;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;

import io.quorlock.engine.LockInspector;
import io.quorlock.store.NodeState;
import io.quorlock.store.StoreStatus;

/**
 * UP while a majority of the configured nodes is connected and votes, DOWN otherwise: no
 * lock can be acquired then. The details say why a node does not vote (R10).
 *
 * @since 0.1.0
 */
public class LockHealthIndicator extends AbstractHealthIndicator {

	private final LockInspector inspector;

	private final Supplier<Map<String, String>> notes;

	private final boolean local;

	/**
	 * Create an indicator for locks that instances share.
	 * @param inspector provides the state of the engine
	 * @param notes remarks on nodes, whether they vote or not, by the name of the node
	 */
	public LockHealthIndicator(LockInspector inspector, Supplier<Map<String, String>> notes) {
		this(inspector, notes, false);
	}

	/**
	 * Create an indicator.
	 * @param inspector provides the state of the engine
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
		StoreStatus status = this.inspector.status();
		status.nodes().forEach((node) -> nodes.put(node.name(), describe(node, notes.get(node.name()))));
		(status.available() ? builder.up() : builder.down()).withDetail("voting", status.voting())
			.withDetail("quorum", status.required())
			.withDetail("nodes", nodes);
		if (this.local) {
			builder.withDetail("scope", "this instance only: other instances do not see these locks");
		}
	}

	private static Map<String, Object> describe(NodeState node, @Nullable String note) {
		Map<String, Object> details = new LinkedHashMap<>();
		details.put("state", node.state());
		if (node.version() != null) {
			details.put("version", node.version());
		}
		if (!node.reason().isEmpty()) {
			details.put("reason", node.reason());
		}
		if (!node.votesIn().isZero()) {
			details.put("votesInSeconds", node.votesIn().plusMillis(999).toSeconds());
		}
		if (note != null) {
			details.put("note", note);
		}
		return details;
	}

}
