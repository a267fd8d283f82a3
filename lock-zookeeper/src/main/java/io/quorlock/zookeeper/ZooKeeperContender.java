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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

import org.apache.zookeeper.KeeperException.Code;
import org.jspecify.annotations.Nullable;

import io.quorlock.LogText;
import io.quorlock.store.Claim;
import io.quorlock.store.ClaimFailure;
import io.quorlock.store.Contender;
import io.quorlock.time.LockTimer;

/**
 * A claim from its start to its end (R22): it takes a place in the queues of its names in
 * each session that there is, which it keeps over lost connections. Everything happens in
 * its mailbox.
 */
final class ZooKeeperContender implements Contender, QueuePlace.Listener {

	/** How far the claim is. */
	private enum Phase {

		NEW,

		/** Nothing is known that keeps it from its names. */
		ASKING,

		/** Others are in front, and it was reported to wait for them. */
		WAITING,

		/** The wait is over: what is seen now decides. */
		LAST_LOOK,

		DONE

	}

	private final StoreContext context;

	private final Sessions sessions;

	private final Claim claim;

	private final Contender.Listener listener;

	private final String owner;

	private final Mailbox mailbox = new Mailbox();

	/** Those that want to know who holds the name, with what ends their wait. */
	private final Map<Consumer<ClaimFailure>, LockTimer.Timeout> asking = new LinkedHashMap<>();

	/** Those of the claim itself, a few at most. */
	private final List<LockTimer.Timeout> timers = new ArrayList<>(2);

	private final AtomicInteger attempts = new AtomicInteger();

	private Phase phase = Phase.NEW;

	private @Nullable QueuePlace place;

	/** Takes the wish for a session back. */
	private Runnable withdrawal = () -> {
	};

	private long startedNanos;

	/** Why the claim is in no queue, if that is what hinders it. */
	private @Nullable ClaimFailure usedUp;

	/** How late the timer is whose task runs now. */
	private long lateNanos;

	private volatile ClaimFailure lastFailure = new ClaimFailure.Pending();

	ZooKeeperContender(StoreContext context, Sessions sessions, Claim claim, Contender.Listener listener) {
		this.context = context;
		this.sessions = sessions;
		this.claim = claim;
		this.listener = listener;
		this.owner = context.newOwner();
	}

	@Override
	public void start() {
		run(() -> {
			this.phase = Phase.ASKING;
			this.startedNanos = this.context.now();
			if (!this.sessions.isStarted()) {
				fail(unavailable());
				return;
			}
			if (this.claim.isImmediate() || this.claim.failFast()) {
				after(this.context.operationTimeoutNanos, this::expectReply);
			}
			if (!this.claim.isImmediate()) {
				after(this.claim.remainingNanos(this.startedNanos), this::waitIsOver);
			}
			enterWhenReady();
		});
	}

	@Override
	public void cancel() {
		run(() -> fail(new ClaimFailure.Cancelled()));
	}

	@Override
	public void askFor(Consumer<ClaimFailure> outcome) {
		run(() -> {
			this.asking.put(outcome, schedule(this.context.operationTimeoutNanos, () -> {
				if (this.asking.remove(outcome) != null) {
					outcome.accept(unavailable());
				}
			}));
			if (this.place != null) {
				this.place.lookBehindSync();
			}
		});
	}

	@Override
	public int attempts() {
		return this.attempts.get();
	}

	@Override
	public ClaimFailure lastFailure() {
		return this.lastFailure;
	}

	private void enterWhenReady() {
		this.withdrawal = this.sessions.use((session) -> run(() -> {
			if (this.place == null) {
				this.attempts.incrementAndGet();
				this.place = (this.claim.permits() > 0)
						? new PermitPlace(this.context, session, this.claim, this.owner, this.mailbox, this)
						: new QueuePlace(this.context, session, this.claim, this.owner, this.mailbox, this);
				this.place.enter();
				session.join(this.place);
			}
		}));
	}

	@Override
	public void onSessionOver() {
		this.place = null;
		enterWhenReady();
	}

	@Override
	public void onUnproven() {
		this.lastFailure = unavailable();
	}

	@Override
	public void onGranted(ZooKeeperGrant grant) {
		this.place = null;
		end();
		this.listener.onGranted(grant);
	}

	@Override
	public boolean mustExplain() {
		return isDecided() || !this.asking.isEmpty();
	}

	/** Whether the claim is refused if the name is held. */
	private boolean isDecided() {
		return this.phase == Phase.LAST_LOOK
				|| (this.claim.isImmediate() && this.place != null && this.place.isDecisive());
	}

	@Override
	public void onBlocked(String why) {
		this.usedUp = null;
		this.lastFailure = new ClaimFailure.Held(null, why);
		reportWaiting();
	}

	@Override
	public void onHeld(ClaimFailure.Held held) {
		this.usedUp = null;
		this.lastFailure = held;
		Map<Consumer<ClaimFailure>, LockTimer.Timeout> replied = new LinkedHashMap<>(this.asking);
		this.asking.clear();
		replied.forEach((outcome, timeout) -> {
			timeout.cancel();
			outcome.accept(held);
		});
		decide(held);
	}

	@Override
	public void onUsedUp(String container) {
		ClaimFailure failure = new ClaimFailure.Unavailable(
				"ZooKeeper has numbered %,d claims in queue %s, where its numbers end at 2,147,483,647. The queue is begun anew as soon as it is empty: let the clients in it finish, also those of other libraries"
					.formatted(ClaimQueue.Node.LAST, LogText.escape(container)));
		this.usedUp = failure;
		this.lastFailure = failure;
		decide(failure);
	}

	private void decide(ClaimFailure failure) {
		if (isDecided()) {
			fail(failure);
		}
		else {
			reportWaiting();
		}
	}

	@Override
	public void onRefused(Code code, String reason) {
		// The end of the session is reported next, and the claim queues in another.
		if (code != Code.SESSIONEXPIRED) {
			fail(new ClaimFailure.Unavailable("ZooKeeper %s replied with %s to a claim below '%s'"
				.formatted(this.context.settings.connectString(), reason, this.context.settings.root())));
		}
	}

	private void reportWaiting() {
		if (this.phase == Phase.ASKING && !this.claim.isImmediate()) {
			this.phase = Phase.WAITING;
			this.listener.onWaiting();
		}
	}

	/** A reply is due, or it is not coming. */
	private void expectReply() {
		boolean held = this.lastFailure instanceof ClaimFailure.Held;
		if (this.claim.isImmediate()) {
			fail((held && this.claim.permits() > 0) ? this.lastFailure : unavailable());
		}
		else if (!held) {
			fail(unavailable());
		}
	}

	private void waitIsOver() {
		this.phase = Phase.LAST_LOOK;
		long left = this.context.operationTimeoutNanos;
		if (this.place != null && this.place.isEntered()) {
			this.place.lookBehindSync();
		}
		else {
			// A short wait gives the servers no less time to reply than none.
			left -= this.context.now() - this.startedNanos;
		}
		if (left > 0) {
			after(left, () -> fail(unavailable()));
		}
		else {
			fail(unavailable());
		}
	}

	/** It is not known whether another claim is in the way, as a rule. */
	private ClaimFailure unavailable() {
		if (this.usedUp != null) {
			return this.usedUp;
		}
		String session = this.sessions.describe();
		QueuePlace.Question open = (this.place != null) ? this.place.open : null;
		return ClaimFailure.Unavailable.unanswered((open != null)
				? "no reply for %d ms to the request to %s; %s".formatted(
						(this.context.now() - open.sentNanos()) / 1_000_000, LogText.escape(open.what()), session)
				: session, this.lateNanos);
	}

	private void fail(ClaimFailure failure) {
		this.lastFailure = failure;
		if (this.place != null) {
			this.place.leave();
			this.place = null;
		}
		end();
		this.listener.onFailed(failure);
	}

	private void end() {
		this.phase = Phase.DONE;
		this.withdrawal.run();
		this.timers.forEach(LockTimer.Timeout::cancel);
		this.asking.values().forEach(LockTimer.Timeout::cancel);
		this.asking.clear();
	}

	private void after(long nanos, Runnable task) {
		this.timers.add(schedule(nanos, task));
	}

	private LockTimer.Timeout schedule(long nanos, Runnable task) {
		long due = this.context.now() + nanos;
		return this.context.timer.schedule(nanos, () -> run(() -> {
			this.lateNanos = this.context.now() - due;
			task.run();
			this.lateNanos = 0;
		}));
	}

	private void run(Runnable task) {
		this.mailbox.execute(() -> {
			if (this.phase != Phase.DONE) {
				task.run();
			}
		});
	}

}
