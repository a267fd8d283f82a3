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

package io.quorlock.zookeeper;

import java.util.ArrayList;
import java.util.List;

import org.apache.zookeeper.KeeperException.Code;
import org.jspecify.annotations.Nullable;

/**
 * The place of one claim in the queues of its names, in one session: entering them,
 * finding out whether the claim is in after a lost connection, and looking at the claims
 * in front. Runs in the mailbox of the claim.
 */
final class QueuePlace {

	/** A request that is smaller is not what the connection is lost for. */
	private static final int LARGE = 65_536;

	private static final int MOST_LOSSES = 3;

	/** Between two attempts to begin a queue anew that is not empty. */
	private static final long RENEWAL_PAUSE_NANOS = 100_000_000;

	/** The client closes the connection behind a reply that is too large. */
	private static final int QUEUES_AT_ONCE = 16;

	private final StoreContext context;

	private final Session session;

	private final List<String> containers;

	private final QueueNode.Kind kind;

	private final String owner;

	private final Mailbox mailbox;

	private final Listener listener;

	private ClaimNodes entry;

	private ClaimNodes.@Nullable Created created;

	private long createdNanos;

	private @Nullable Look look;

	/** The request that the claim waits for. */
	private volatile StoreContext.@Nullable Question open;

	private boolean left;

	private @Nullable String first;

	/** Since when the first is known to be. */
	private long firstNanos;

	/** How often in a row the connection was lost behind the creation of the nodes. */
	private int losses;

	QueuePlace(StoreContext context, Session session, List<String> containers, QueueNode.Kind kind, String owner,
			Mailbox mailbox, Listener listener) {
		this.context = context;
		this.session = session;
		this.containers = containers;
		this.kind = kind;
		this.owner = owner;
		this.mailbox = mailbox;
		this.listener = listener;
		this.entry = newEntry();
	}

	private ClaimNodes newEntry() {
		return new ClaimNodes(this.session, this.containers, this.kind, this.context.newNodeId(), this.owner);
	}

	Session session() {
		return this.session;
	}

	StoreContext context() {
		return this.context;
	}

	/**
	 * For how long this claim has seen a node in front of all others. Used on the event
	 * thread of the session alone.
	 */
	long firstForMillis(String path) {
		long now = this.context.now();
		if (!path.equals(this.first)) {
			this.first = path;
			this.firstNanos = now;
		}
		return (now - this.firstNanos) / 1_000_000;
	}

	ClaimNodes entry() {
		return this.entry;
	}

	/** The transaction that created the nodes. Only while the claim is in the queues. */
	long zxid() {
		return (this.created != null) ? this.created.zxid() : 0;
	}

	/** The servers' clock, as far as it is known without asking. */
	long serverMillis() {
		long millis = (this.created != null) ? this.created.millis() : 0;
		return millis + (this.context.now() - this.createdNanos) / 1_000_000;
	}

	StoreContext.@Nullable Question open() {
		return this.open;
	}

	void asks(String what) {
		this.open = this.context.asked(what);
	}

	void isReplied() {
		this.open = null;
	}

	/** Create the nodes, and look at the queues if anything else is in them. */
	void enter() {
		ClaimNodes latest = this.entry;
		asks("create a node in " + queues());
		latest.create((code, reply) -> {
			Long base = this.session.tokenBase().value();
			this.mailbox.execute(() -> entered(latest, code, reply, base));
		});
	}

	/** Whether the claim is known to be in the queues. */
	boolean isEntered() {
		return this.created != null;
	}

	void look() {
		if (this.left) {
			return;
		}
		asks("list " + queues());
		Look latest = new Look(this.context.tokens());
		this.look = latest;
		int size = this.containers.size();
		for (int from = 0; from < size; from += QUEUES_AT_ONCE) {
			look(latest, from, Math.min(from + QUEUES_AT_ONCE, size));
		}
	}

	/** In front of a claim that is first nobody comes later: it may look bit by bit. */
	private void look(Look latest, int from, int to) {
		// With the base, so that it is as new as what is seen of the queues.
		this.session.requests()
			.look(this.containers.subList(from, to), this.context.paths().tokenBase(), (code, results) -> {
				latest.received(code, results);
				if (to == this.containers.size()) {
					this.mailbox.execute(() -> looked(latest));
				}
			});
	}

	/** A read alone may come from a server that has not heard of the latest release. */
	void lookBehindSync() {
		this.session.requests().sync(this.containers.get(0), (code, synced) -> {
		});
		look();
	}

	/** Leave the queues. Nothing is reported any more. */
	void leave() {
		this.left = true;
		this.context.removed(this.entry.remove());
	}

	/** Stay in the queues as a holder. Nothing is reported any more. */
	ClaimNodes keep() {
		this.left = true;
		return this.entry;
	}

	private void entered(ClaimNodes latest, Code code, ClaimNodes.@Nullable Created reply, @Nullable Long base) {
		if (this.left || latest != this.entry) {
			return;
		}
		isReplied();
		switch (code) {
			case OK -> {
				this.losses = 0;
				List<String> usedUp = latest.usedUp();
				if (!usedUp.isEmpty()) {
					replaceEntry();
					renew(usedUp);
					return;
				}
				created(reply);
				if (reply != null && reply.alone() && base != null) {
					this.listener.onSituation(new Look.Situation.First(base), this);
				}
				else {
					look();
				}
			}
			case NONODE -> createContainers();
			case CONNECTIONLOSS -> resume(this::find);
			default -> refused(code);
		}
	}

	private void created(ClaimNodes.@Nullable Created reply) {
		this.created = reply;
		this.createdNanos = this.context.now();
	}

	private void find() {
		ClaimNodes latest = this.entry;
		asks("look for its node in " + queues());
		latest.find((code, reply) -> this.mailbox.execute(() -> {
			if (code != Code.NONODE) {
				entered(latest, code, reply, null);
			}
			else if (!isTooLarge()) {
				enterAgain();
			}
		}));
	}

	/** Each time that the connection is lost, all locks of the process lose it. */
	private boolean isTooLarge() {
		this.losses++;
		int size = RequestSize.enqueue(this.context.settings(), this.containers);
		if (this.left || this.losses < MOST_LOSSES || size < LARGE) {
			return false;
		}
		this.listener.onRefused(Code.CONNECTIONLOSS,
				"the connection was lost %d times behind a request of about %,d bytes; is jute.maxbuffer of the servers less?"
					.formatted(this.losses, size));
		return true;
	}

	private void enterAgain() {
		if (!this.left) {
			replaceEntry();
			enter();
		}
	}

	private void replaceEntry() {
		this.context.removed(this.entry.remove());
		this.entry = newEntry();
		this.created = null;
	}

	/**
	 * Numbers begin anew in a new queue, and a queue can only be deleted when nobody is
	 * in it any more, who would be overtaken.
	 */
	private void renew(List<String> usedUp) {
		List<Code> replies = new ArrayList<>();
		for (String container : usedUp) {
			this.session.requests().delete(container, (code, deleted) -> {
				replies.add((code == Code.NONODE) ? Code.OK : code);
				if (replies.size() == usedUp.size()) {
					this.mailbox.execute(() -> renewed(usedUp, replies));
				}
			});
		}
	}

	private void renewed(List<String> usedUp, List<Code> replies) {
		Code first = replies.stream().filter((code) -> code != Code.OK).findFirst().orElse(Code.OK);
		switch (first) {
			case OK -> enterAgain();
			case NOTEMPTY -> {
				if (!this.left) {
					this.listener.onUsedUp(usedUp.get(replies.indexOf(first)));
				}
				this.session.later(RENEWAL_PAUSE_NANOS, () -> this.mailbox.execute(() -> {
					if (!this.left) {
						renew(usedUp);
					}
				}));
			}
			case CONNECTIONLOSS -> resume(() -> renew(usedUp));
			default -> refused(first);
		}
	}

	private String queues() {
		String first = this.containers.get(0);
		return (this.containers.size() == 1) ? first
				: "%s and %d more queues".formatted(first, this.containers.size() - 1);
	}

	private void createContainers() {
		asks("create " + queues());
		Containers.create(this.session.requests(), this.context.paths(), this.containers,
				(code, done) -> this.mailbox.execute(() -> containersCreated(code)));
	}

	private void containersCreated(Code code) {
		isReplied();
		switch (code) {
			case OK -> enterAgain();
			case CONNECTIONLOSS -> resume(this::enterAgain);
			default -> refused(code);
		}
	}

	private void looked(Look latest) {
		if (this.left || latest != this.look) {
			return;
		}
		isReplied();
		switch (latest.code()) {
			case OK -> {
				if (latest.lacksBase()) {
					restoreBase();
				}
				else {
					report(latest);
				}
			}
			// The queue itself is gone.
			case NONODE -> enterAgain();
			case CONNECTIONLOSS -> resume(this::look);
			default -> refused(latest.code());
		}
	}

	/** It was deleted: tokens go on from the wall clock. */
	private void restoreBase() {
		asks("read " + this.context.paths().tokenBase());
		TokenBase.raise(this.session.requests(), this.context.paths(), this.context.tokens(), zxid(),
				(code) -> this.mailbox.execute(() -> {
					isReplied();
					switch (code) {
						case OK -> look();
						case CONNECTIONLOSS -> resume(this::look);
						default -> refused(code);
					}
				}));
	}

	private void report(Look latest) {
		if (this.created == null) {
			inspect(latest);
			return;
		}
		Look.Situation situation = latest.situation(this.entry);
		if (situation instanceof Look.Situation.Evicted) {
			enterAgain();
		}
		else {
			this.listener.onSituation(situation, this);
		}
	}

	/**
	 * The transaction is not known of several nodes created together, and of a node
	 * found.
	 */
	private void inspect(Look latest) {
		asks("read its node in " + queues());
		this.entry.inspect((code, reply) -> this.mailbox.execute(() -> {
			if (this.left || latest != this.look) {
				return;
			}
			isReplied();
			switch (code) {
				case OK -> {
					created(reply);
					report(latest);
				}
				case NONODE -> enterAgain();
				case CONNECTIONLOSS -> resume(this::look);
				default -> refused(code);
			}
		}));
	}

	private void refused(Code code) {
		if (!this.left) {
			this.listener.onRefused(code, code.toString());
		}
	}

	private void resume(Runnable task) {
		this.session.resume(() -> this.mailbox.execute(() -> {
			if (!this.left) {
				task.run();
			}
		}));
	}

	/**
	 * Is notified in the mailbox of the claim.
	 */
	interface Listener {

		/**
		 * The claim has looked at the queues.
		 * @param situation what it saw
		 * @param place where it stands
		 */
		void onSituation(Look.Situation situation, QueuePlace place);

		/**
		 * The claim cannot queue yet: the servers have hardly a number left for the
		 * queue, and others are in it.
		 * @param container the queue
		 */
		void onUsedUp(String container);

		/**
		 * The servers refused a request.
		 * @param code why
		 * @param reason why, as a text
		 */
		void onRefused(Code code, String reason);

	}

}
