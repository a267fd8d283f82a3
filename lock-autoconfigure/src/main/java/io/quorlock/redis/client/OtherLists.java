package io.quorlock.redis.client;

import java.util.List;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import io.quorlock.quorum.membership.Membership;
import io.quorlock.quorum.membership.Membership.Agreement;
import io.quorlock.redis.SafeText;

/**
 * Compares the lists of nodes that other instances left on one node with ours (R10), and
 * logs once what differs.
 */
final class OtherLists {

	private static final Log logger = LogFactory.getLog(RecordUpdater.class);

	private final String node;

	private final Membership membership;

	private final boolean failOnMismatch;

	private volatile String mismatch = "";

	OtherLists(String node, Membership membership, boolean failOnMismatch) {
		this.node = node;
		this.membership = membership;
		this.failOnMismatch = failOnMismatch;
	}

	/**
	 * Return how the list of nodes of another instance differs from ours.
	 * @return the difference, for people; empty if there is none
	 */
	String mismatch() {
		return this.mismatch;
	}

	/**
	 * Compare the lists.
	 * @param otherLists the lists of others
	 * @param sealed the version below which the node refuses them
	 * @throws NodeUnavailableException if they differ, and that is to fail
	 */
	void compare(List<String> otherLists, int sealed) throws NodeUnavailableException {
		String mismatch = "";
		boolean different = false;
		for (String list : otherLists) {
			Agreement agreement = this.membership.compare(list, sealed);
			if (agreement == Agreement.DIFFERENT) {
				different = true;
				mismatch = "another instance uses a different node list; the two may not exclude each other: "
						+ SafeText.of(list);
			}
			else if (!different && agreement == Agreement.OTHER_VERSION) {
				mismatch = "another instance runs another layout version: " + SafeText.of(list);
			}
			else if (!different && agreement == Agreement.ONE_REPLACED) {
				mismatch = "a node is being replaced: another instance uses " + SafeText.of(list);
			}
		}
		log(mismatch, different);
		if (different && this.failOnMismatch) {
			throw NodeUnavailableException.rejected(mismatch);
		}
	}

	private void log(String mismatch, boolean different) {
		if (mismatch.equals(this.mismatch)) {
			return;
		}
		this.mismatch = mismatch;
		String message = "Lock node %s: %s; this instance uses %s".formatted(this.node,
				mismatch.isEmpty() ? "all instances use the same node list again" : mismatch,
				this.membership.identity());
		if (different) {
			logger.error(message);
		}
		else if (mismatch.isEmpty()) {
			logger.info(message);
		}
		else {
			logger.warn(message);
		}
	}

}
