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

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

import org.apache.zookeeper.KeeperException.Code;
import org.jspecify.annotations.Nullable;

import io.quorlock.LockMode;
import io.quorlock.store.Claim;
import io.quorlock.store.ClaimFailure;
import io.quorlock.store.Contender;
import io.quorlock.store.Grant;

/**
 * A claim for one of several permits (R20), in the way of Curator's
 * {@code InterProcessSemaphoreV2}: claims queue for their turn, and the claim that has it
 * waits until a permit is free. The turn makes the number of the permit its holder's own.
 */
final class PermitContender implements Contender, Contender.Listener {

	private final StoreContext context;

	private final Claim claim;

	private final Contender.Listener listener;

	private final String name;

	private final String container;

	private final String owner;

	private final Mailbox mailbox = new Mailbox();

	private final List<Consumer<ClaimFailure>> asking = new ArrayList<>();

	private final List<Runnable> cleanUps = new ArrayList<>();

	private Runnable unwatch = () -> {
	};

	private Runnable endOfWait = () -> {
	};

	private volatile @Nullable Contender queue;

	private @Nullable ZooKeeperGrant turn;

	private @Nullable ClaimNodes entry;

	/** The request that the claim waits for. */
	private StoreContext.@Nullable Question open;

	private long startedNanos;

	private boolean waits;

	private boolean ended;

	private final AtomicInteger attempts = new AtomicInteger();

	private volatile ClaimFailure lastFailure = new ClaimFailure.Pending();

	PermitContender(StoreContext context, Claim claim, Contender.Listener listener) {
		this.context = context;
		this.claim = claim;
		this.listener = listener;
		this.name = claim.names().get(0);
		this.container = context.paths().permits(this.name);
		this.owner = context.newOwner();
	}

	@Override
	public void start() {
		run(() -> {
			this.startedNanos = this.context.now();
			if (this.claim.isImmediate()) {
				lookFirst();
			}
			else {
				queueForTurn();
			}
		});
	}

	/**
	 * While all permits are held, the turn belongs to a claim that waits. A claim that
	 * does not wait would have to wait for it.
	 */
	private void lookFirst() {
		if (!this.context.sessions().isStarted()) {
			fail(this.context.unavailable(this.open));
			return;
		}
		waitFor(this.context.operationTimeoutNanos());
		this.attempts.incrementAndGet();
		this.cleanUps.add(this.context.sessions().use((session) -> run(() -> {
			session.requests().sync(this.container, (code, synced) -> {
			});
			look(session);
		})));
	}

	private void queueForTurn() {
		long wait = this.claim.isImmediate() ? this.context.operationTimeoutNanos() : this.claim.waitNanos();
		Claim forTurn = Claim.builder(this.claim.names())
			.kind(LockMode.EXCLUSIVE, 0, true)
			.lease(this.claim.leaseNanos(), true)
			.waiting(this.claim.queuedAtNanos(), wait)
			.attempts(this.claim.maxAttempts(), this.claim.failFast())
			.build();
		Contender latest = new ZooKeeperContender(this.context, forTurn,
				List.of(this.context.paths().permitTurns(this.name)), this);
		this.attempts.incrementAndGet();
		this.queue = latest;
		if (!this.asking.isEmpty()) {
			latest.askFor(this::onTurnRefused);
		}
		latest.start();
	}

	@Override
	public void cancel() {
		run(() -> fail(new ClaimFailure.Cancelled()));
	}

	@Override
	public void askFor(Consumer<ClaimFailure> outcome) {
		run(() -> {
			this.asking.add(outcome);
			Contender latest = this.queue;
			ZooKeeperGrant held = this.turn;
			if (held != null) {
				look(held.session());
			}
			else if (latest != null) {
				latest.askFor(this::onTurnRefused);
			}
		});
	}

	/** If it gets the turn instead, what it sees then is the reply. */
	private void onTurnRefused(ClaimFailure failure) {
		run(() -> reply(failure));
	}

	private void reply(ClaimFailure failure) {
		List<Consumer<ClaimFailure>> waiting = List.copyOf(this.asking);
		this.asking.clear();
		waiting.forEach((outcome) -> outcome.accept(failure));
	}

	@Override
	public int attempts() {
		return this.attempts.get();
	}

	@Override
	public ClaimFailure lastFailure() {
		ClaimFailure own = this.lastFailure;
		Contender latest = this.queue;
		return (own instanceof ClaimFailure.Pending && latest != null) ? latest.lastFailure() : own;
	}

	@Override
	public void onWaiting() {
		run(this::reportWaiting);
	}

	@Override
	public void onGranted(Grant granted) {
		ZooKeeperGrant latest = (ZooKeeperGrant) granted;
		this.mailbox.execute(() -> {
			if (this.ended) {
				latest.release(Duration.ZERO);
				return;
			}
			this.turn = latest;
			this.queue = null;
			if (!this.claim.isImmediate()) {
				waitFor(this.claim.remainingNanos(this.context.now()));
			}
			latest.keep((reason) -> run(() -> turnLost(latest)));
			look(latest.session());
		});
	}

	/** The turn ends with the proof of its session, and the wait does not. */
	private void turnLost(ZooKeeperGrant lost) {
		if (lost != this.turn) {
			return;
		}
		this.turn = null;
		this.unwatch.run();
		this.endOfWait.run();
		this.lastFailure = new ClaimFailure.Pending();
		ClaimNodes begun = this.entry;
		this.entry = null;
		if (begun != null) {
			this.context.removed(begun.remove());
		}
		queueForTurn();
	}

	@Override
	public void onFailed(ClaimFailure failure) {
		run(() -> fail(failure));
	}

	private void waitFor(long nanos) {
		this.endOfWait = this.context.timer().schedule(nanos, () -> run(this::waitIsOver))::cancel;
	}

	private void reportWaiting() {
		if (!this.waits && !this.claim.isImmediate()) {
			this.waits = true;
			this.listener.onWaiting();
		}
	}

	/** List the permits, whose numbers stand in their names. */
	private void look(Session session) {
		ZooKeeperGrant held = this.turn;
		boolean former = (held != null) ? held.session() != session : !this.claim.isImmediate();
		if (former || this.entry != null) {
			return;
		}
		this.unwatch.run();
		this.unwatch = session.watches().on(this.container, (event) -> run(() -> look(session)));
		this.open = this.context.asked("list " + this.container);
		session.requests().children(this.container, true, (code, children) -> run(() -> {
			this.open = null;
			switch (code) {
				case OK, NONODE -> looked(session, new ClaimQueue((children != null) ? children : List.of()));
				default -> interrupted(session, code);
			}
		}));
	}

	private void looked(Session session, ClaimQueue permits) {
		ZooKeeperGrant held = this.turn;
		QueueNode first = permits.head();
		if (first != null && permits.size() >= this.claim.permits()) {
			session.requests()
				.read(this.container + "/" + first.name(), false,
						(code, content) -> run(() -> full(session, code, content)));
		}
		else if (held != null) {
			if (this.entry == null) {
				take(session, permits.leastFreePermit());
			}
		}
		else if (this.queue == null) {
			queueForTurn();
		}
	}

	/** Create the permit, and see whether there are too many. */
	private void take(Session session, int number) {
		this.unwatch.run();
		ClaimNodes latest = new ClaimNodes(session, this.container, number, this.context.newNodeId(),
				NodeData.withPermit(this.owner, number));
		this.entry = latest;
		this.open = this.context.asked("create a node in " + this.container);
		Look look = new Look(this.context.tokens());
		long[] zxid = new long[1];
		latest.create((code, created) -> {
			zxid[0] = (created != null) ? created.zxid() : 0;
			look.note(code);
		});
		session.requests().look(List.of(this.container), this.context.paths().tokenBase(), (code, results) -> {
			look.received(code, results);
			run(() -> taken(session, latest, look, number, zxid[0]));
		});
	}

	private void taken(Session session, ClaimNodes latest, Look look, int number, long zxid) {
		if (latest != this.entry) {
			return;
		}
		this.open = null;
		int proof = session.currentProof();
		ZooKeeperGrant held = this.turn;
		if (look.code() == Code.OK && !look.lacksBase() && look.queue(0).inOrder().size() <= this.claim.permits()
				&& proof >= 0 && held != null && held.isValid()) {
			this.entry = null;
			end();
			long @Nullable [] tokens = this.context.tokens().of(look.base(), zxid, 1);
			this.listener
				.onGranted(new ZooKeeperGrant(this.context, this.claim, latest, this.owner, tokens, number, proof));
			return;
		}
		this.context.removed(latest.remove());
		this.entry = null;
		if (look.code() == Code.NONODE) {
			Containers.create(session.requests(), this.context.paths(), List.of(this.container),
					(code, done) -> run(() -> prepared(session, code)));
		}
		else if (look.lacksBase()) {
			TokenBase.raise(session.requests(), this.context.paths(), this.context.tokens(), zxid,
					(code) -> run(() -> prepared(session, code)));
		}
		else if (look.code() == Code.OK) {
			session.resume(() -> run(() -> look(session)));
		}
		else {
			interrupted(session, look.code());
		}
	}

	/** What was missing is there, or the servers refuse it. */
	private void prepared(Session session, Code code) {
		if (code == Code.OK) {
			look(session);
		}
		else {
			interrupted(session, code);
		}
	}

	private void full(Session session, Code code, SessionRequests.@Nullable Content content) {
		if (content == null && code != Code.NONODE) {
			interrupted(session, code);
			return;
		}
		if (content == null) {
			// It was released meanwhile.
			look(session);
			return;
		}
		String instance = Grant.instanceOf(NodeData.holderOf(content.text()));
		ClaimFailure failure = new ClaimFailure.Held(instance,
				"all %d permits are held, one of them by %s".formatted(this.claim.permits(), instance));
		this.lastFailure = failure;
		reply(failure);
		if (this.claim.isImmediate() || this.claim.remainingNanos(this.context.now()) <= 0) {
			fail(failure);
		}
		else {
			reportWaiting();
		}
	}

	private void interrupted(Session session, Code code) {
		if (code == Code.CONNECTIONLOSS) {
			session.resume(() -> run(() -> look(session)));
		}
		// With the session ends the turn, which is queued for again.
		else if (code != Code.SESSIONEXPIRED) {
			fail(this.context.refusal(code.toString()));
		}
	}

	private void waitIsOver() {
		long left = this.context.operationTimeoutNanos() - (this.context.now() - this.startedNanos);
		ZooKeeperGrant latest = this.turn;
		if (lastFailure() instanceof ClaimFailure.Held held) {
			if (latest == null || this.claim.isImmediate()) {
				fail(held);
			}
			else {
				lookOnceMore(latest.session());
			}
		}
		else if (left > 0) {
			// A short wait gives the servers no less time to reply than none.
			waitFor(left);
		}
		else {
			fail(this.context.unavailable(this.open));
		}
	}

	/** What was seen last may be long over: the connection may have been lost since. */
	private void lookOnceMore(Session session) {
		this.lastFailure = new ClaimFailure.Pending();
		session.requests().sync(this.container, (code, synced) -> {
		});
		look(session);
		waitFor(this.context.operationTimeoutNanos());
	}

	private void fail(ClaimFailure failure) {
		this.lastFailure = failure;
		end();
		this.listener.onFailed(failure);
	}

	/**
	 * Whatever was begun is undone: the turn, the place in its queue, a half-taken
	 * permit.
	 */
	private void end() {
		this.ended = true;
		this.unwatch.run();
		this.endOfWait.run();
		this.cleanUps.forEach(Runnable::run);
		Contender latest = this.queue;
		if (this.turn != null) {
			this.turn.release(Duration.ZERO);
		}
		else if (latest != null) {
			latest.cancel();
		}
		if (this.entry != null) {
			this.context.removed(this.entry.remove());
		}
	}

	private void run(Runnable task) {
		this.mailbox.execute(() -> {
			if (!this.ended) {
				task.run();
			}
		});
	}

}
