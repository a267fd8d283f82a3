package io.quorlock.autoconfigure;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.format.annotation.DurationFormat;
import org.springframework.format.datetime.standard.DurationFormatterUtils;

import io.quorlock.quorum.node.LockNode;

/**
 * Says once at start where locks are kept, and how.
 */
final class LockStartupReport implements SmartInitializingSingleton {

	private static final Log logger = LogFactory.getLog(LockStartupReport.class);

	private final LockProperties properties;

	private final LockBackend backend;

	LockStartupReport(LockProperties properties, LockBackend backend) {
		this.properties = properties;
		this.backend = backend;
	}

	@Override
	public void afterSingletonsInstantiated() {
		int nodes = this.backend.nodes().size();
		logger.info("Distributed locks: backend %s, nodes %s, quorum %d of %d, lease %s, fencing %s%s".formatted(
				this.backend.name(), this.backend.nodes().stream().map(LockNode::name).toList(), nodes / 2 + 1, nodes,
				DurationFormatterUtils.print(this.properties.getLeaseTime(), DurationFormat.Style.COMPOSITE),
				this.properties.getFencing().isEnabled() ? "on" : "off",
				this.backend.local() ? "; other instances do not see these locks" : ""));
	}

}
