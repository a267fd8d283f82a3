package io.quorlock.actuate;

import java.util.LinkedHashMap;
import java.util.Map;

import org.springframework.boot.actuate.info.Info;
import org.springframework.boot.actuate.info.InfoContributor;

import io.quorlock.engine.LockInspector;
import io.quorlock.quorum.node.LockNode;

/**
 * Tells which backend keeps the locks, on which nodes, and how many of them decide.
 *
 * @since 0.1.0
 */
public class LockInfoContributor implements InfoContributor {

	private final String backend;

	private final LockInspector inspector;

	/**
	 * Creates the contributor.
	 * @param backend the name of the backend
	 * @param inspector looks into the engine
	 */
	public LockInfoContributor(String backend, LockInspector inspector) {
		this.backend = backend;
		this.inspector = inspector;
	}

	@Override
	public void contribute(Info.Builder builder) {
		Map<String, Object> details = new LinkedHashMap<>();
		details.put("backend", this.backend);
		details.put("instance", this.inspector.instanceId());
		details.put("nodes", this.inspector.nodes().stream().map(LockNode::name).toList());
		details.put("quorum", this.inspector.majority());
		builder.withDetail("distributedLock", details);
	}

}
