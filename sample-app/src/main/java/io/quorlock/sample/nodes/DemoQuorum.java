package io.quorlock.sample.nodes;

import java.util.List;

import io.quorlock.autoconfigure.LockConnectionDetails;

/**
 * The servers as one quorum, without groups.
 */
final class DemoQuorum extends DemoNodes implements LockConnectionDetails {

	DemoQuorum(int count) {
		super(count);
	}

	@Override
	public List<String> getNodes() {
		return uris();
	}

	@Override
	public boolean isNewlyStarted() {
		return true;
	}

}
