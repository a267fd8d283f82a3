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
import java.util.Objects;
import java.util.function.Consumer;

import org.apache.zookeeper.KeeperException.Code;
import org.jspecify.annotations.Nullable;

import io.quorlock.LockMode;
import io.quorlock.store.Claim;
import io.quorlock.store.ClaimFailure;
import io.quorlock.store.Grant;
import io.quorlock.zookeeper.SessionRequests.Reply;

/**
 * The place of one claim in the queues of its names, in one session: entering them,
 * looking at the claims in front, and watching the nearest. Runs in the claim's mailbox.
 */
class QueuePlace implements Session.Member {

	/** A node in front may be about to give up: a refusal would not be true (R4). */
	private static final long SETTLING_MILLIS = 100;

	/** A request that is smaller is not what the connection is lost for. */
	private static final int LARGE = 65_536;

	private static final int MAX_LOSSES = 3;

	/** Between two attempts to begin a queue anew that is not empty. */
	private static final long RENEWAL_PAUSE_NANOS = 100_000_000;

	/** The client closes the connection behind a reply that is too large. */
	private static final int QUEUES_AT_ONCE = 16;

	final StoreContext context;

	final Session session;

	final Claim claim;

	final String owner;

	final Listener listener;

	private final Mailbox mailbox;

	private final List<String> containers;

	ClaimNodes entry;

	private ClaimNodes.@Nullable Created created;

	private long createdNanos;

	/** The request that the claim waits for. */
	@Nullable Question open;

	/** Whether the next proof of the session is waited for. */
	private volatile boolean unproven;

	private boolean left;

	/** Takes back what waits for an obstacle: a watch, a timer. */
	private final List<Runnable> obstacle = new ArrayList<>(2);

	private @Nullable String first;

	/** Since when the first is known to be. */
	private long firstNanos;

	/** How often in a row the connection was lost behind the creation of the nodes. */
	private int losses;

	QueuePlace(StoreContext context, Session session, Claim claim, String owner, Mailbox mailbox, Listener listener) {
		this.context = context;
		this.session = session;
		this.claim = claim;
		this.containers = (claim.permits() > 0) ? List.of(context.paths.permitTurns(claim.names().get(0)))
				: claim.names().stream().map(context.paths::container).toList();
		this.owner = owner;
		this.mailbox = mailbox;
		this.listener = listener;
		this.entry = newEntry();
	}

	private ClaimNodes newEntry() {
		ClaimQueue.Kind kind = (this.claim.mode() == LockMode.SHARED) ? ClaimQueue.Kind.READ : ClaimQueue.Kind.LOCK;
		return new ClaimNodes(this.session, this.containers, ClaimQueue.Node.prefix(this.context.newNodeId(), kind),
				this.owner);
	}

	/** Whether the claim is known to be in the queues. */
	final boolean isEntered() {
		return this.created != null;
	}

	/** Whether a claim that does not wait is refused by what is seen from here. */
	boolean isDecisive() {
		return true;
	}

	/**
	 * Receive the reply to a request that the claim waits for. With the next such
	 * request, the reply means nothing any more. With a lost connection, go on again.
	 */
	final <T> Reply<T> ask(String what, Runnable again, Reply<T> reply) {
		Question asked = new Question(what, this.context.now());
		this.open = asked;
		return (code, value) -> this.mailbox.execute(() -> {
			if (this.open == asked) {
				this.open = null;
				switch (code) {
					case OK, NONODE, NOTEMPTY -> reply.received(code, value);
					case CONNECTIONLOSS -> resume(again);
					default -> this.listener.onRefused(code, code.toString());
				}
			}
		});
	}

	final void resume(Runnable task) {
		this.session.resume(() -> run(task));
	}

	final void run(Runnable task) {
		this.mailbox.execute(() -> {
			if (!this.left) {
				task.run();
			}
		});
	}

	/** Create the nodes, and look at the queues if anything else is in them. */
	void enter() {
		this.entry.create(ask("create a node in " + queues(), this::find, this::entered));
	}

	private void entered(Code code, ClaimNodes.@Nullable Created reply) {
		if (code != Code.OK) {
			create(this.containers, this::enterAgain);
			return;
		}
		this.losses = 0;
		String usedUp = this.entry.usedUp();
		if (usedUp != null) {
			replaceEntry();
			renew(usedUp);
			return;
		}
		created(reply);
		if (reply != null && reply.base() != null) {
			first(reply.base());
		}
		else {
			look();
		}
	}

	private void created(ClaimNodes.@Nullable Created reply) {
		this.created = reply;
		this.createdNanos = this.context.now();
	}

	private void find() {
		this.entry.find(ask("look for its node in " + queues(), this::find, (code, found) -> {
			if (code == Code.OK) {
				entered(code, null);
			}
			else if (!isTooLarge()) {
				enterAgain();
			}
		}));
	}

	/** Each time that the connection is lost, all locks of the process lose it. */
	private boolean isTooLarge() {
		this.losses++;
		int size = SessionRequests.sizeOfEnqueue(this.context.settings, this.containers);
		if (this.losses < MAX_LOSSES || size < LARGE) {
			return false;
		}
		this.listener.onRefused(Code.CONNECTIONLOSS,
				"the connection was lost %d times behind a request of about %,d bytes; is jute.maxbuffer of the servers less?"
					.formatted(this.losses, size));
		return true;
	}

	final void enterAgain() {
		replaceEntry();
		enter();
	}

	private void replaceEntry() {
		abandon();
		this.entry = newEntry();
		this.created = null;
	}

	/** Take back what was begun. */
	void abandon() {
		clearObstacle();
		this.context.removed(this.entry.remove());
	}

	/** Numbers begin anew in a new queue, once nobody is left who would be overtaken. */
	private void renew(String usedUp) {
		this.session.requests().delete(usedUp, ask("delete " + usedUp, () -> renew(usedUp), (code, deleted) -> {
			if (code == Code.NOTEMPTY) {
				this.listener.onUsedUp(usedUp);
				clearObstacle();
				goOnAfter(RENEWAL_PAUSE_NANOS, () -> run(() -> renew(usedUp)));
			}
			else {
				enterAgain();
			}
		}));
	}

	private String queues() {
		int more = this.containers.size() - 1;
		return this.containers.get(0) + ((more > 0) ? " and %d more queues".formatted(more) : "");
	}

	final void create(List<String> missing, Runnable next) {
		this.session.requests()
			.createContainers(this.context.paths.withParents(missing),
					ask("create " + missing.get(0), next, (code, done) -> {
						if (code == Code.OK) {
							next.run();
						}
						else {
							this.listener.onRefused(code, code.toString());
						}
					}));
	}

	void look() {
		Look latest = new Look(this.context.tokens);
		Reply<Look> reply = ask("list " + queues(), this::look, (code, done) -> looked(code, latest));
		int size = this.containers.size();
		for (int from = 0; from < size; from += QUEUES_AT_ONCE) {
			int to = Math.min(from + QUEUES_AT_ONCE, size);
			// Nobody comes in front of a claim that is first: it may look bit by bit.
			look(latest, this.containers.subList(from, to), (to == size) ? reply : Reply.ignored());
		}
	}

	final void look(Look latest, List<String> containers, Reply<Look> reply) {
		this.session.requests().look(containers, this.context.paths.tokenBase(), (code, results) -> {
			latest.received(code, results);
			reply.received(latest.code(), latest);
		});
	}

	/** A read alone may come from a server that has not heard of the latest release. */
	final void lookBehindSync() {
		if (isEntered()) {
			sync();
			look();
		}
	}

	final void sync() {
		this.session.requests().sync(this.containers.get(0), Reply.ignored());
	}

	private void looked(Code code, Look latest) {
		if (code != Code.OK) {
			// The queue itself is gone.
			enterAgain();
		}
		else if (latest.lacksBase()) {
			restoreBase((this.created != null) ? this.created.zxid() : 0);
		}
		else if (this.created == null) {
			inspect(latest);
		}
		else {
			report(latest);
		}
	}

	/** It was deleted: tokens go on from the wall clock. */
	final void restoreBase(long zxid) {
		Reply<Void> reply = ask("read " + this.context.paths.tokenBase(), this::look, (code, done) -> look());
		this.session.tokenBase().raise(zxid, (code) -> reply.received(code, null));
	}

	/** It is not known when a node was created that was found. */
	private void inspect(Look latest) {
		this.entry.inspect(ask("read its node in " + queues(), this::look, (code, reply) -> {
			if (code == Code.OK) {
				created(reply);
				report(latest);
			}
			else {
				enterAgain();
			}
		}));
	}

	private void report(Look latest) {
		clearObstacle();
		int blocked = latest.blocked(this.entry);
		int cooling = latest.coolingDown();
		if (!latest.shows(this.entry)) {
			enterAgain(); // it was deleted from outside
		}
		else if (blocked >= 0) {
			blocked(this.containers.get(blocked) + "/", this.entry.node(blocked), latest.queue(blocked));
		}
		else if (cooling >= 0) {
			String path = this.containers.get(cooling) + "/" + LockPaths.COOLDOWN;
			this.listener.onBlocked("the last holder keeps others out for a while");
			watch(path, (content) -> coolingDown(path, content));
		}
		else {
			first(latest.base());
		}
	}

	/** The claim is first in all of its queues. */
	void first(long base) {
		ZooKeeperGrant granted = grant(this.entry, base, (this.created != null) ? this.created.zxid() : 0, 0);
		if (granted != null) {
			stop();
			this.listener.onGranted(granted);
		}
	}

	/**
	 * Grant the claim, unless the session may be over by now, whatever its server shows.
	 */
	final @Nullable ZooKeeperGrant grant(ClaimNodes held, long base, long zxid, int permit) {
		int proof = this.session.currentProof();
		if (proof < 0) {
			lacksProof();
			return null;
		}
		long @Nullable [] tokens = this.context.tokens.of(base, zxid, this.claim.names().size());
		return new ZooKeeperGrant(this.context, this.claim, held, this.owner, tokens, permit, proof);
	}

	/** Look again once the session is proven. */
	final void lacksProof() {
		this.unproven = true;
		this.listener.onUnproven();
	}

	@Override
	public void onHeartbeat(boolean proven) {
		if (proven && this.unproven) {
			this.unproven = false;
			run(this::look);
		}
	}

	/** The nearest claim in front alone is watched; the first holds the name. */
	private void blocked(String container, ClaimQueue.Node own, ClaimQueue queue) {
		boolean explain = this.listener.mustExplain();
		String next = container + Objects.requireNonNull(queue.obstacle(own)).name();
		String first = container + queue.firstObstacle(own).name();
		this.listener.onBlocked("others stand in front of this claim");
		watch(next, (content) -> {
			if (next.equals(first)) {
				held(first, content, explain);
			}
			else if (explain) {
				read(first, false, (holder) -> held(first, holder, true));
			}
		});
	}

	private void coolingDown(String path, SessionRequests.Content content) {
		Cooldown cooldown = Cooldown.parse(content.text());
		long remaining = cooldown.remainingMillis(ageMillis(content),
				this.context.cooldowns.ageMillis(path, content.stat().getCzxid(), cooldown.millis()));
		if (remaining <= 0) {
			clearObstacle();
			this.context.cooldowns.forget(path);
			Cooldown.delete(this.session.requests(), LockPaths.parent(path));
			look();
			return;
		}
		lookAfter(remaining);
		String instance = Grant.instanceOf(cooldown.owner());
		this.listener.onHeld(new ClaimFailure.Held(instance,
				"%s released it, and keeps others out for another %d ms".formatted(instance, remaining)));
	}

	private void watch(String path, Consumer<SessionRequests.Content> reader) {
		watch(path);
		read(path, true, reader);
	}

	/** Look again when a node is gone; no other claim is woken by it. */
	final void watch(String path) {
		clearObstacle();
		this.obstacle.add(this.session.events().onChange(path, (event) -> lookIfEntered()));
	}

	final void read(String path, boolean watched, Consumer<SessionRequests.Content> reader) {
		this.session.requests().read(path, watched, ask("read " + path, this::look, (code, content) -> {
			if (content != null) {
				reader.accept(content);
			}
			else {
				look();
			}
		}));
	}

	private void held(String path, SessionRequests.Content content, boolean explain) {
		long now = this.context.now();
		if (!path.equals(this.first)) {
			this.first = path;
			this.firstNanos = now;
		}
		// The servers' clocks may have been set since: what was seen counts as well.
		long age = Math.max(ageMillis(content), (now - this.firstNanos) / 1_000_000);
		long settling = Math.min(SETTLING_MILLIS, this.context.operationTimeoutNanos / 2_000_000);
		if (explain && age < settling) {
			lookAfter(settling - age);
		}
		else {
			String owner = Grant.instanceOf(content.text());
			this.listener.onHeld(
					new ClaimFailure.Held(owner, "%s is first in the queue, for %d ms so far".formatted(owner, age)));
		}
	}

	/** By the servers' clock, as far as it is known without asking. */
	private long ageMillis(SessionRequests.Content content) {
		long millis = (this.created != null) ? this.created.millis() : 0;
		return millis + (this.context.now() - this.createdNanos) / 1_000_000 - content.stat().getCtime();
	}

	private void lookIfEntered() {
		run(() -> {
			if (isEntered()) {
				look();
			}
		});
	}

	private void lookAfter(long millis) {
		goOnAfter(millis * 1_000_000, this::lookIfEntered);
	}

	private void goOnAfter(long nanos, Runnable task) {
		this.obstacle.add(this.context.timer.schedule(nanos, task)::cancel);
	}

	final void clearObstacle() {
		this.obstacle.forEach(Runnable::run);
		this.obstacle.clear();
	}

	@Override
	public void onOver(String reason) {
		run(() -> {
			leave();
			this.listener.onSessionOver();
		});
	}

	/** Leave the queues. Nothing is reported any more. */
	final void leave() {
		stop();
		abandon();
	}

	private void stop() {
		this.left = true;
		this.open = null;
		clearObstacle();
		this.session.leave(this);
	}

	/**
	 * A request that a claim waits for the reply to.
	 *
	 * @param what it asks for, a clause behind "the request to"
	 * @param sentNanos when it was sent
	 */
	record Question(String what, long sentNanos) {
	}

	/**
	 * Is notified of what becomes of a claim at its place, in the mailbox of the claim.
	 */
	interface Listener {

		/** Whether somebody waits for the name of the holder. */
		boolean mustExplain();

		/** The claim has to wait: others are in front, or the name cools down. */
		void onBlocked(String why);

		/** The holder of the name is known. */
		void onHeld(ClaimFailure.Held held);

		/** The claim is first, but the session is not known to be alive. */
		void onUnproven();

		/** The claim has come to its end. */
		void onGranted(ZooKeeperGrant grant);

		/** The queue has hardly a number left, and others are in it. */
		void onUsedUp(String container);

		/** The servers refused a request. */
		void onRefused(Code code, String reason);

		/** The session is over, and the place lost. */
		void onSessionOver();

	}

}
