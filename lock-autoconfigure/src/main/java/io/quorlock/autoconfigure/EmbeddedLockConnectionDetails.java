package io.quorlock.autoconfigure;

import java.util.List;

/**
 * Details of servers that live inside the application.
 *
 * @param nodes the URIs of the servers
 */
record EmbeddedLockConnectionDetails(List<String> nodes) implements LockConnectionDetails {

	@Override
	public List<String> getNodes() {
		return this.nodes;
	}

	@Override
	public boolean isNewlyStarted() {
		return true;
	}

}
