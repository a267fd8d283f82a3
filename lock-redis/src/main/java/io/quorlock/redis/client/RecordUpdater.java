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
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import io.quorlock.LogText;
import io.quorlock.quorum.membership.Membership;
import io.quorlock.quorum.membership.Membership.RecordAction;
import io.quorlock.quorum.membership.NodeAdmission;
import io.quorlock.quorum.membership.OtherLists;
import io.quorlock.quorum.membership.OtherLists.Use;
import io.quorlock.quorum.node.OtherList;
import io.quorlock.redis.LockScript;
import io.quorlock.redis.MembershipRecord;
import io.quorlock.redis.RespError;
import io.quorlock.redis.ServerInfo;
import io.quorlock.redis.client.ScratchCommands.Refusals;

/**
 * Keeps the record of the node list on one node up to date (R10): writes it where it is
 * missing, notes there that our list is in use, and reports other lists in use.
 */
final class RecordUpdater {

	private static final Log logger = LogFactory.getLog(RecordUpdater.class);

	private static final long UNSETTLED_NANOS = Duration.ofMillis(250).toNanos();

	/** How soon our list is written if the node could not write. */
	private static final long UNLISTED_NANOS = Duration.ofSeconds(1).toNanos();

	/** A server that is flushed while we are connected is noticed no later than this. */
	private static final long SETTLED_NANOS = Duration.ofSeconds(5).toNanos();

	/** Instances confirm their list every five seconds. */
	private static final Duration STILL_THERE = Duration.ofSeconds(25);

	private final String node;

	private final int index;

	private final RedisNodeOptions options;

	private final Membership membership;

	private final NodeAdmission admission;

	private final NodeHealth health;

	private volatile Action action = Action.STAY;

	private volatile long dueNanos;

	/** How many other lists had turned up on any node when this one was asked last. */
	private volatile int listings;

	/** When the handshake asked, by the monotonic clock. */
	private volatile long askedNanos;

	/** Used by the thread that reads. */
	private final OtherLists otherLists;

	private final Consumer<List<OtherList>> onLists;

	private final Replication replication;

	/** The lists that others use. */
	private volatile List<Use> uses = List.of();

	/** What of them was logged last. */
	private String logged = "";

	/** Whether our list is in the record. */
	private volatile boolean listed;

	private final ClockReader clock;

	private final EvictionPolicy eviction;

	/** This run of this instance, without spaces. */
	private final String instance;

	/** Why the node may have lost leases, as others are to be told; empty if not. */
	private volatile String doubt = "";

	RecordUpdater(String node, int index, RedisNodeOptions options, Membership membership, NodeAdmission admission,
			NodeHealth health, Consumer<List<OtherList>> onLists) {
		this.node = node;
		this.index = index;
		this.options = options;
		this.membership = membership;
		this.admission = admission;
		this.health = health;
		this.otherLists = new OtherLists(membership, index, options.listsRemembered());
		this.onLists = onLists;
		this.replication = new Replication(node, options, admission, () -> onDoubt(MembershipRecord.REPLICA));
		this.clock = new ClockReader(node, index, options, membership.steps(), admission, this::onDoubt);
		this.eviction = new EvictionPolicy(node, options.nodeEviction(), options.clock(), admission, this::onDoubt);
		this.instance = options.instanceId().replaceAll("\\s", "_") + "#"
				+ Integer.toHexString(ThreadLocalRandom.current().nextInt());
	}

	private void onDoubt(String doubt) {
		this.doubt = doubt;
		this.dueNanos = this.options.clock().nanoTime();
	}

	/**
	 * Return which other list of nodes an instance uses, that the node evicts keys, or
	 * that it has replicas.
	 * @return a text for people; empty if there is nothing to say
	 */
	String note() {
		return LogText.remarks(this.replication.note(), this.eviction.note(), mismatch());
	}

	/**
	 * Return the node's wall clock less our monotonic clock, as it was reported last.
	 * @return microseconds; empty if the connection has not reported it yet
	 */
	OptionalLong clockOffsetMicros() {
		return this.clock.offsetMicros();
	}

	/**
	 * The handshake asked which server it is.
	 */
	void onServer(ServerInfo info) throws NodeUnavailableException {
		String twin = this.membership.claim(this.index, info.runId());
		if (twin != null) {
			throw NodeUnavailableException.rejected("is the same server as " + twin + ", which has one vote");
		}
		this.admission.onConnected(info.runId(), info.uptimeSeconds(), this.options.clock().minNanoTime());
		this.eviction.onServer(info);
		this.replication.onServer(info);
	}

	/**
	 * The handshake found a replica.
	 */
	void onReplica(ServerInfo info) {
		this.replication.onReplica(info);
	}

	/**
	 * The node refused a command.
	 */
	void onUnusable(RespError error) {
		this.health.onUnusable(error);
	}

	/**
	 * Return the command with which a handshake writes our list into the record, and
	 * reads those of others: at least one of two instances sees the other before the
	 * votes of the node count.
	 */
	byte[] stayCommand() {
		this.askedNanos = this.options.clock().nanoTime();
		return command(Action.STAY, this.options.keys().recordKey());
	}

	/**
	 * Return the command that asks for an action on a record.
	 * @param more milliseconds after which a record expires that is not to stay behind if
	 * the connection breaks
	 */
	byte[] command(Action action, String key, String... more) {
		List<String> args = new ArrayList<>(List.of(action.name().toLowerCase(Locale.ROOT), this.membership.identity(),
				Long.toString(this.options.listsRemembered().toSeconds()), this.doubt, this.instance,
				this.replication.identity(), Long.toString(this.replication.startedSeconds())));
		args.addAll(List.of(more));
		return RespEncoder.evalsha(LockScript.RECORD, key, 0, args);
	}

	/**
	 * The handshake wrote and read the record.
	 * @param record the record; {@code null} if the node cannot write at present
	 * @param refusals what else it does not carry out at present
	 */
	void onConnected(@Nullable MembershipRecord record, Refusals refusals) {
		if (record != null) {
			onRecord(record, this.askedNanos);
		}
		else {
			this.dueNanos = this.options.clock().nanoTime() + UNLISTED_NANOS;
		}
		this.health.connected(refusals);
	}

	private void onRecord(MembershipRecord record, long askedNanos) {
		this.clock.onTime(record.timeMicros(), askedNanos);
		long now = this.options.clock().minNanoTime();
		boolean settled = this.action == Action.STAY && this.listed;
		this.listed = true;
		List<OtherList> lists = this.otherLists.onRecord(record.since(), record.uses(), now);
		onUses(record.uses());
		// Before the votes of the node count.
		this.onLists.accept(this.options.failOnMismatch() ? lists : List.of());
		this.admission.onListed(askedNanos + this.options.listConfirmedFor().toNanos());
		this.admission.onRecord(record.sinceSeconds(), record.ageSeconds(), now);
		if (record.exists() && record.doubtSeconds() >= 0) {
			this.admission.onDoubt(doubtOf(record), record.doubtSeconds(), now);
		}
		RecordAction next = this.membership.examine(this.index, record.exists(), now);
		this.action = switch (next) {
			case FOUND -> Action.FOUND;
			case JOIN -> Action.JOIN;
			case WAIT, NONE -> Action.STAY;
		};
		// A doubt that arose while the record was asked for is told at once.
		boolean upToDate = settled && record.exists() && this.doubt.isEmpty();
		long pause = this.membership.isComparing(now) ? UNSETTLED_NANOS : SETTLED_NANOS;
		long wait = (next == RecordAction.WAIT) ? UNSETTLED_NANOS : upToDate ? pause : 0;
		this.dueNanos = this.options.clock().nanoTime() + wait;
	}

	private static String doubtOf(MembershipRecord record) {
		return switch (record.doubt()) {
			case MembershipRecord.EVICTION -> "another instance saw that it evicted keys until";
			case MembershipRecord.REPLICA -> "its record shows that it was a copy of another server until";
			default -> "another instance saw that its clock was stepped forwards";
		};
	}

	/**
	 * A new connection begins with writing our list.
	 */
	void disconnected() {
		this.action = Action.STAY;
		this.listed = false;
		this.clock.disconnected();
	}

	/**
	 * Our list is no longer in use by this instance.
	 */
	void bye(Pipeline pipeline) {
		if (this.listed) {
			this.listed = false;
			pipeline.submit(new PendingCommand(command(Action.BYE, this.options.keys().recordKey())));
		}
	}

	/**
	 * Send what is due.
	 */
	void update(Pipeline pipeline, long nowNanos) {
		int listings = this.membership.listingsSeen();
		if (nowNanos - this.dueNanos >= 0 || listings != this.listings) {
			this.listings = listings;
			this.dueNanos = nowNanos + (this.listed ? SETTLED_NANOS : UNLISTED_NANOS);
			long asked = this.options.clock().nanoTime();
			String doubt = this.doubt;
			pipeline.submit(PendingCommand.of(command(this.action, this.options.keys().recordKey()),
					(reply, queuedNanos) -> onReply(reply, pipeline, asked, doubt)));
		}
		logMismatch();
		this.clock.update(pipeline, nowNanos);
		this.eviction.update(pipeline, nowNanos);
		this.replication.update(pipeline, nowNanos);
	}

	/**
	 * What the script is asked to do, in lower case on the wire.
	 */
	enum Action {

		STAY, FOUND, JOIN, BYE

	}

	private void onReply(@Nullable Object reply, Pipeline pipeline, long askedNanos, String doubt) {
		if (reply instanceof RespError error) {
			onError(error, pipeline);
			return;
		}
		try {
			MembershipRecord record = MembershipRecord.of(reply);
			if (record.exists() && doubt.equals(this.doubt)) {
				this.doubt = "";
			}
			onRecord(record, askedNanos);
		}
		catch (IllegalArgumentException ex) {
			pipeline.close(Handshake.noRecord(this.options.keys().recordKey()));
		}
	}

	private void onError(RespError error, Pipeline pipeline) {
		if (error.isNoScript()) {
			pipeline.submit(PendingCommand.loading(LockScript.RECORD));
			this.dueNanos = this.options.clock().nanoTime();
		}
		else if (error.isUnusable() || error.isDenied()) {
			this.health.onUnusable(error);
			pipeline.close(error.describe());
		}
		else {
			// Held locks still need the connection. It is written later.
			this.health.onError();
		}
	}

	/**
	 * Return which other list an instance uses.
	 * @return a text for people; empty if there is none
	 */
	String mismatch() {
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
	 * The record was read, with the lists of others.
	 */
	void onUses(List<Use> uses) {
		this.uses = List.copyOf(uses);
		logMismatch();
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
	private synchronized void logMismatch() {
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
