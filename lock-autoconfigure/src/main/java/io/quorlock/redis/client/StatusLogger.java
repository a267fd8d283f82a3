package io.quorlock.redis.client;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import io.quorlock.quorum.node.NodeStatus;
import io.quorlock.quorum.node.NodeStatus.State;
import io.quorlock.redis.SafeText;
import io.quorlock.redis.ServerInfo;

/**
 * Logs once what changed about a node.
 */
final class StatusLogger {

	private static final Log logger = LogFactory.getLog(JedisLockNode.class);

	private final String node;

	private @Nullable State state;

	private String reason = "";

	private @Nullable String evictionWarnedOf;

	StatusLogger(String node) {
		this.node = node;
	}

	synchronized void onServer(ServerInfo info) {
		String policy = info.evictionPolicy();
		if (!policy.isEmpty() && !policy.equals("noeviction") && !info.runId().equals(this.evictionWarnedOf)) {
			this.evictionWarnedOf = info.runId();
			logger.warn(
					"Lock node %s evicts keys when its memory is full (maxmemory-policy %s), locks among them; use noeviction"
						.formatted(this.node, SafeText.of(policy)));
		}
	}

	synchronized void onStatus(NodeStatus status) {
		// The reason of a quarantine, and of slowness, changes all the time.
		boolean timeless = status.state() == State.DOWN || status.state() == State.REJECTED;
		if (status.state() == this.state && (!timeless || status.reason().equals(this.reason))) {
			return;
		}
		this.state = status.state();
		this.reason = status.reason();
		switch (status.state()) {
			case VOTING -> logger.info("Lock node %s (%s) votes".formatted(this.node, status.version()));
			case QUARANTINED -> logger.info("Lock node %s (%s) is connected but does not vote yet: %s"
				.formatted(this.node, status.version(), status.reason()));
			case FAILING ->
				logger.error("Lock node %s is connected but fails: it %s".formatted(this.node, status.reason()));
			case SEALED -> logger.error("Lock node %s refuses this instance: %s".formatted(this.node, status.reason()));
			case DOWN -> logger.warn("Lock node %s is down: %s".formatted(this.node, status.reason()));
			case REJECTED -> logger.error("Lock node %s cannot be used: it %s".formatted(this.node, status.reason()));
		}
	}

}
