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
import java.util.Comparator;
import java.util.List;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import io.quorlock.LogText;
import io.quorlock.quorum.membership.Membership;
import io.quorlock.quorum.membership.OtherLists.Use;

/**
 * Says, and logs once, which other lists of nodes instances have left on one node.
 */
final class ListMismatch {

	private static final Log logger = LogFactory.getLog(RecordUpdater.class);

	/** Instances confirm their list every five seconds. */
	private static final Duration STILL_THERE = Duration.ofSeconds(25);

	private final String node;

	private final Membership membership;

	private final RedisNodeOptions options;

	private volatile List<Use> uses = List.of();

	/** What was logged last. */
	private String logged = "";

	ListMismatch(String node, Membership membership, RedisNodeOptions options) {
		this.node = node;
		this.membership = membership;
		this.options = options;
	}

	/**
	 * Return which other list an instance uses.
	 * @return a text for people; empty if there is none
	 */
	String text() {
		Use use = use();
		return (use != null) ? describe(use) : "";
	}

	/**
	 * Return whether another list has other servers.
	 */
	boolean isMismatch() {
		Use use = use();
		return use != null && !isSameServers(use);
	}

	/**
	 * The record was read.
	 */
	void onRecord(List<Use> uses) {
		this.uses = List.copyOf(uses);
		log();
	}

	/** The latest of those with other servers, or else of all. */
	private @Nullable Use use() {
		return this.uses.stream()
			.min(Comparator.comparing(this::isSameServers).thenComparingLong(Use::ageSeconds))
			.orElse(null);
	}

	private boolean isSameServers(Use use) {
		return this.membership.isSameServers(use.text());
	}

	private String describe(Use use) {
		long left = Math.max(0, this.options.listsRemembered().toSeconds() - use.ageSeconds()) + 1;
		String differs = isSameServers(use) ? "the same servers under other names, which excludes as one list does"
				: "a different node list, " + (this.options.failOnMismatch() ? "and a majority of both is needed"
						: "and two may hold one lock (node-mismatch=warn)");
		return "another instance uses %s: %s (%sseen %d s ago; ignored in %d s unless it is seen again)"
			.formatted(differs, LogText.bounded(use.text()), author(use), use.ageSeconds(), left);
	}

	private String author(Use use) {
		if (use.user().equals("?")) {
			return "";
		}
		boolean alike = place(use.instance()).equals(place(this.options.instanceId()));
		return (alike ? "perhaps a former run of this one, " : "") + use.instance() + ", ";
	}

	/** An id ends with a colon and the process. */
	private static String place(String id) {
		return id.replaceFirst(":\\d+$", "");
	}

	/** Once it is known whether a list has the same servers. */
	synchronized void log() {
		Use use = use();
		if (use != null && this.membership.isComparing(use.text(), this.options.clock().nanoTime())) {
			return;
		}
		boolean same = use != null && isSameServers(use);
		boolean recent = use != null && !same && use.ageSeconds() <= STILL_THERE.toSeconds();
		String subject = (use != null) ? recent + " " + same + " " + use.text() : "";
		if (subject.equals(this.logged)) {
			return;
		}
		this.logged = subject;
		String message = "Lock node %s: %s; this instance uses %s%s".formatted(this.node,
				(use != null) ? describe(use) : "all instances use the same node list again",
				this.membership.identity(), (use != null) ? ". Use one list on all instances" : "");
		if (use == null || same) {
			logger.info(message);
		}
		else if (recent) {
			logger.error(message);
		}
		else {
			logger.warn(message);
		}
	}

}
