/*
 * Copyright 2026-present the Quorlock authors.
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *      https://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */

package io.quorlock.redis.client;

import java.time.Duration;
import java.util.List;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import io.quorlock.LogText;
import io.quorlock.quorum.membership.Membership;
import io.quorlock.quorum.membership.Membership.Agreement;
import io.quorlock.redis.MembershipRecord.OtherList;

/**
 * Compares the lists of nodes that other instances left on one node with ours (R10), and
 * logs once what differs.
 */
final class OtherLists {

	private static final Log logger = LogFactory.getLog(RecordUpdater.class);

	/** Instances confirm their list every ten seconds. */
	private static final Duration STILL_THERE = Duration.ofSeconds(25);

	private final String node;

	private final Membership membership;

	private final RedisNodeOptions options;

	private final long rememberedSeconds;

	private volatile String mismatch = "";

	private volatile boolean different;

	/** What was logged last. */
	private String logged = "";

	OtherLists(String node, Membership membership, RedisNodeOptions options, long rememberedSeconds) {
		this.node = node;
		this.membership = membership;
		this.options = options;
		this.rememberedSeconds = rememberedSeconds;
	}

	/**
	 * Return how the list of nodes of another instance differs from ours.
	 * @return the difference, for people; empty if there is none
	 */
	String mismatch() {
		return this.mismatch;
	}

	/**
	 * Return whether the list of another instance contradicts ours.
	 * @return whether the two may not exclude each other
	 */
	boolean isDifferent() {
		return this.different;
	}

	/**
	 * Compare the lists.
	 * @param otherLists the lists of others
	 * @throws NodeUnavailableException if they differ, and that is to fail
	 */
	void compare(List<OtherList> otherLists) throws NodeUnavailableException {
		OtherList worst = null;
		Agreement agreement = Agreement.SAME;
		for (OtherList list : otherLists) {
			Agreement each = this.membership.compare(list.identity());
			boolean worse = each == Agreement.DIFFERENT
					&& (agreement != Agreement.DIFFERENT || worst == null || list.ageSeconds() < worst.ageSeconds());
			if (worse || (each != Agreement.SAME && agreement != Agreement.DIFFERENT)) {
				worst = list;
				agreement = each;
			}
		}
		this.different = agreement == Agreement.DIFFERENT;
		this.mismatch = (worst != null) ? describe(agreement, worst) : "";
		log(agreement, worst);
		if (this.different && this.options.failOnMismatch()) {
			throw NodeUnavailableException.rejected(this.mismatch);
		}
	}

	private String describe(Agreement agreement, OtherList list) {
		String what = switch (agreement) {
			case DIFFERENT -> "another instance uses a different node list; the two may not exclude each other: ";
			case ONE_REPLACED -> "a node is being replaced: another instance uses ";
			case ONE_FEWER -> "a node is being added or removed: another instance uses the list without it: ";
			case ONE_MORE -> "a node is being added or removed: another instance uses the list with it: ";
			case SAME -> "";
		};
		return what + LogText.bounded(list.identity()) + " (" + author(list)
				+ "seen %d s ago; ignored in %d s unless it is seen again)".formatted(list.ageSeconds(),
						Math.max(0, this.rememberedSeconds - list.ageSeconds()) + 1);
	}

	/** An id ends with a colon, the process, and what makes it unique. */
	private String author(OtherList list) {
		if (list.by().equals("?")) {
			return "";
		}
		String id = list.by().replaceFirst("#[0-9a-f]+$", "");
		boolean alike = place(id).equals(place(this.options.instanceId()));
		return (alike ? "perhaps a former run of this one, " : "") + LogText.bounded(id) + ", ";
	}

	private static String place(String id) {
		return id.replaceFirst(":\\d+$", "");
	}

	private synchronized void log(Agreement agreement, @Nullable OtherList list) {
		boolean recent = list != null && list.ageSeconds() <= STILL_THERE.toSeconds();
		String subject = (list != null) ? agreement + " " + recent + " " + list.identity() : "";
		if (subject.equals(this.logged)) {
			return;
		}
		this.logged = subject;
		String message = "Lock node %s: %s; this instance uses %s".formatted(this.node,
				(list != null) ? this.mismatch : "all instances use the same node list again",
				this.membership.identity());
		if (list == null) {
			logger.info(message);
		}
		else if (this.different && recent) {
			logger.error(message);
		}
		else {
			logger.warn(message);
		}
	}

}
