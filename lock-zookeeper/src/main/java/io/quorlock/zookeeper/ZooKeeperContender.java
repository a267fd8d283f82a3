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
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

import org.apache.zookeeper.KeeperException.Code;
import org.jspecify.annotations.Nullable;

import io.quorlock.LockMode;
import io.quorlock.LogText;
import io.quorlock.store.Claim;
import io.quorlock.store.ClaimFailure;
import io.quorlock.store.Contender;
import io.quorlock.zookeeper.Look.Situation;

/**
 * A claim that queues with one node per name until it is first in all of them (R22). It
 * keeps its place while it waits, over lost connections too; only the end of the session
 * costs it. Everything happens in its mailbox.
 */
final class ZooKeeperContender implements Contender, SessionMember, QueuePlace.Listener, Obstacle.Listener {

	/**
	 * For how long a node may stand in front without holding anything, because it is
	 * about to give up. A refusal on its account would not be true (R4).
	 */
	private static final long SETTLING_MILLIS = 100;

	private final StoreContext context;

	private final Claim claim;

	private final Contender.Listener listener;

	private final List<String> containers;

	private final String owner;

	private final Mailbox mailbox = new Mailbox();

	private final List<Consumer<ClaimFailure>> asking = new ArrayList<>();

	private final List<Runnable> cleanUps = new ArrayList<>();

	private final long settlingMillis;

	private @Nullable Obstacle obstacle;

	private @Nullable QueuePlace place;

	private long startedNanos;

	private boolean waits;

	/** Why the claim is in no queue, if that is what hinders it. */
	private @Nullable ClaimFailure usedUp;

	private boolean lastLook;

	private boolean needsProof;

	private boolean ended;

	private final AtomicInteger attempts = new AtomicInteger();

	private volatile ClaimFailure lastFailure = new ClaimFailure.Pending();

	ZooKeeperContender(StoreContext context, Claim claim, List<String> containers, Contender.Listener listener) {
		this.context = context;
		this.claim = claim;
		this.containers = containers;
		this.listener = listener;
		this.owner = context.newOwner();
		this.settlingMillis = Math.min(SETTLING_MILLIS, context.operationTimeoutNanos() / 2_000_000);
	}

	@Override
	public void start() {
		run(() -> {
			this.startedNanos = this.context.now();
			if (!this.context.sessions().isStarted()) {
				fail(unavailable());
				return;
			}
			if (this.claim.isImmediate() || this.claim.failFast()) {
				after(this.context.operationTimeoutNanos(), this::expectReply);
			}
			if (!this.claim.isImmediate()) {
				after(this.claim.remainingNanos(this.context.now()), this::waitIsOver);
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
			this.asking.add(outcome);
			after(this.context.operationTimeoutNanos(), () -> {
				if (this.asking.remove(outcome)) {
					outcome.accept(unavailable());
				}
			});
			if (this.place != null && this.place.isEntered()) {
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

	@Override
	public void onHeartbeat(boolean proven) {
		if (proven) {
			run(() -> {
				if (this.needsProof && this.place != null) {
					this.needsProof = false;
					this.place.look();
				}
			});
		}
	}

	@Override
	public void onOver(String reason) {
		run(() -> {
			forgetObstacle();
			this.needsProof = false;
			QueuePlace former = this.place;
			this.place = null;
			if (former != null) {
				former.leave();
			}
			enterWhenReady();
		});
	}

	@Override
	public void onSituation(Situation situation, QueuePlace from) {
		forgetObstacle();
		if (situation instanceof Situation.First first) {
			grant(first.base(), from);
			return;
		}
		this.usedUp = null;
		reportWaiting();
		Obstacle latest = new Obstacle(from, this.settlingMillis, this);
		this.obstacle = latest;
		if (situation instanceof Situation.Blocked blocked) {
			this.lastFailure = new ClaimFailure.Held(null, "others stand in front of this claim");
			latest.blocked(blocked, mustExplain());
		}
		else if (situation instanceof Situation.CoolingDown cooling) {
			latest.coolingDown(cooling);
		}
	}

	@Override
	public void onUsedUp(String container) {
		this.usedUp = new ClaimFailure.Unavailable(
				"ZooKeeper has numbered %,d claims in queue %s, where its numbers end at 2,147,483,647. The queue is begun anew as soon as it is empty: let the clients in it finish, also those of other libraries"
					.formatted(QueueNode.LAST, LogText.escape(container)));
		this.lastFailure = this.usedUp;
		if (this.claim.isImmediate() || this.lastLook) {
			fail(this.usedUp);
		}
		else {
			reportWaiting();
		}
	}

	@Override
	public void onRefused(Code code, String reason) {
		if (code != Code.SESSIONEXPIRED) {
			fail(this.context.refusal(reason));
		}
	}

	private void reportWaiting() {
		if (!this.claim.isImmediate() && !this.waits) {
			this.waits = true;
			this.listener.onWaiting();
		}
	}

	private void enterWhenReady() {
		this.cleanUps.add(this.context.sessions().use((session) -> run(() -> {
			if (this.place == null) {
				this.attempts.incrementAndGet();
				QueueNode.Kind kind = (this.claim.mode() == LockMode.SHARED) ? QueueNode.Kind.READ
						: QueueNode.Kind.LOCK;
				this.place = new QueuePlace(this.context, session, this.containers, kind, this.owner, this.mailbox,
						this);
				this.place.enter();
				session.join(this);
			}
		})));
	}

	@Override
	public void onHeld(ClaimFailure.Held held) {
		run(() -> refuse(held));
	}

	@Override
	public void onUnreadable(QueuePlace from, Code code) {
		run(() -> {
			if (from == this.place) {
				onRefused(code, code.toString());
			}
		});
	}

	@Override
	public void lookAgain(QueuePlace from, long delayNanos) {
		run(() -> {
			if (delayNanos > 0) {
				after(delayNanos, () -> lookAgain(from, 0));
			}
			else if (from == this.place) {
				from.look();
			}
		});
	}

	private boolean mustExplain() {
		return this.claim.isImmediate() || this.lastLook || !this.asking.isEmpty();
	}

	/**
	 * The name is held: the end of a claim that does not wait, and the reply to others.
	 */
	private void refuse(ClaimFailure.Held held) {
		this.lastFailure = held;
		List<Consumer<ClaimFailure>> waiting = List.copyOf(this.asking);
		this.asking.clear();
		waiting.forEach((outcome) -> outcome.accept(held));
		if (this.claim.isImmediate() || this.lastLook) {
			fail(held);
		}
	}

	private void grant(long base, QueuePlace from) {
		int proof = from.session().currentProof();
		if (proof < 0) {
			// First in a queue that this server shows, but the session may be over.
			this.needsProof = true;
			this.lastFailure = unavailable();
			return;
		}
		ClaimNodes entry = from.keep();
		long @Nullable [] tokens = this.context.tokens().of(base, from.zxid(), this.claim.names().size());
		end();
		this.listener.onGranted(new ZooKeeperGrant(this.context, this.claim, entry, this.owner, tokens, 0, proof));
	}

	/** A reply is due, or it is not coming. */
	private void expectReply() {
		if (this.claim.isImmediate() || !(this.lastFailure instanceof ClaimFailure.Held)) {
			fail(unavailable());
		}
	}

	private void waitIsOver() {
		this.lastLook = true;
		if (this.place != null && this.place.isEntered()) {
			this.place.lookBehindSync();
			after(this.context.operationTimeoutNanos(), () -> fail(unavailable()));
			return;
		}
		// A short wait gives the servers no less time to reply than none.
		long left = this.context.operationTimeoutNanos() - (this.context.now() - this.startedNanos);
		if (left > 0) {
			after(left, () -> fail(unavailable()));
		}
		else {
			fail(unavailable());
		}
	}

	private ClaimFailure unavailable() {
		ClaimFailure known = this.usedUp;
		return (known != null) ? known : this.context.unavailable((this.place != null) ? this.place.open() : null);
	}

	private void fail(ClaimFailure failure) {
		this.lastFailure = failure;
		QueuePlace former = this.place;
		end();
		if (former != null) {
			former.leave();
		}
		this.listener.onFailed(failure);
	}

	private void end() {
		this.ended = true;
		forgetObstacle();
		this.cleanUps.forEach(Runnable::run);
		this.cleanUps.clear();
		if (this.place != null) {
			this.place.session().leave(this);
		}
		this.place = null;
	}

	private void forgetObstacle() {
		if (this.obstacle != null) {
			this.obstacle.forget();
			this.obstacle = null;
		}
	}

	/** Return how much is undone at the end. */
	int cleanUps() {
		return this.cleanUps.size();
	}

	/** A timer is forgotten once it has run: a claim may wait, and be asked, for long. */
	private void after(long nanos, Runnable task) {
		Runnable[] cleanUp = new Runnable[1];
		cleanUp[0] = this.context.timer().schedule(nanos, () -> run(() -> {
			this.cleanUps.remove(cleanUp[0]);
			task.run();
		}))::cancel;
		this.cleanUps.add(cleanUp[0]);
	}

	private void run(Runnable task) {
		this.mailbox.execute(() -> {
			if (!this.ended) {
				task.run();
			}
		});
	}

}
