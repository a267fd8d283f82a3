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

package io.quorlock.simulation.queue;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * An instance with one thread, which wants the name once or over and over.
 */
final class QueueInstance {

	enum State {

		IDLE, ASKING, WAITING, RAISING, HOLDING, DEAD

	}

	private final QueueModel model;

	private final QueueRules rules;

	private final int id;

	private int life;

	private State state = State.IDLE;

	private @Nullable Ticket ticket;

	private long deadline;

	private boolean lastAttempt;

	private int rank;

	private long attempt;

	private long timer;

	private int attempts;

	private boolean registered;

	private final @Nullable QueueReply[] replies;

	private final long[] offered;

	private final long[] seen;

	private int raised;

	private long token;

	private long lastHolder;

	private int sameHolder;

	private boolean refusedTruthfully;

	QueueInstance(QueueModel model, QueueRules rules, int id) {
		this.model = model;
		this.rules = rules;
		this.id = id;
		this.replies = new QueueReply[rules.nodes];
		this.offered = new long[rules.nodes];
		this.seen = new long[rules.nodes];
	}

	State state() {
		return this.state;
	}

	boolean isLife(int life) {
		return this.life == life && this.state != State.DEAD;
	}

	boolean claims(Ticket ticket) {
		return ticket.equals(this.ticket) && this.state != State.IDLE && this.state != State.DEAD;
	}

	void want() {
		if (this.state != State.IDLE) {
			return;
		}
		this.ticket = new Ticket(this.model.now(), this.id, this.life, this.model.nextNumber());
		this.deadline = this.model.now() + this.rules.wait;
		this.lastAttempt = false;
		this.rank = 0;
		this.attempts = 0;
		this.registered = false;
		this.lastHolder = 0;
		Arrays.fill(this.offered, 0);
		Arrays.fill(this.seen, 0);
		ask();
	}

	void crash() {
		move(State.DEAD);
		this.timer++;
	}

	void begin() {
		this.life++;
		move(State.IDLE);
		want();
	}

	private void ask() {
		move(State.ASKING);
		this.attempts++;
		this.model.asked(this.attempts);
		Arrays.fill(this.replies, null);
		long number = this.model.nextNumber();
		this.attempt = number;
		Ticket claim = claim();
		long wait = Math.max(0, this.deadline - this.model.now());
		int lives = this.life;
		for (int node = 0; node < this.rules.nodes; node++) {
			int at = node;
			this.model.acquire(this.id, node, claim, number, wait, (reply) -> {
				if (isLife(lives)) {
					replied(at, claim, number, reply);
				}
			});
		}
		later(this.rules.operationTimeout, this::failed);
	}

	private void replied(int node, Ticket claim, long number, QueueReply reply) {
		if (number == this.attempt && this.state == State.WAITING) {
			this.replies[node] = reply;
			if (!reply.granted()) {
				this.seen[node] = Math.max(this.seen[node], reply.offers());
			}
			offers();
			return;
		}
		if (number != this.attempt
				|| (this.state != State.ASKING && this.state != State.RAISING && this.state != State.HOLDING)) {
			if (!reply.granted() && this.rules.withdrawLate && (!claims(claim) || this.state == State.HOLDING)) {
				this.model.withdraw(this.id, node, claim);
			}
			return;
		}
		this.replies[node] = reply;
		if (!reply.granted()) {
			this.registered = true;
			this.seen[node] = Math.max(this.seen[node], reply.offers());
		}
		if (this.state != State.ASKING) {
			if (!reply.granted() && this.rules.withdrawLate) {
				this.model.withdraw(this.id, node, claim);
			}
			return;
		}
		int granted = 0;
		int refused = 0;
		for (int i = 0; i < this.replies.length; i++) {
			QueueReply one = this.replies[i];
			if (one != null && one.granted() && this.model.votes(i)) {
				granted++;
			}
			else if (one != null) {
				refused++;
			}
		}
		if (granted >= this.model.quorum()) {
			granted();
		}
		else if (refused > this.rules.nodes - this.model.quorum()) {
			failed();
		}
	}

	private void granted() {
		long greatest = 0;
		int stored = 0;
		for (int node = 0; node < this.replies.length; node++) {
			QueueReply reply = this.replies[node];
			if (reply != null && reply.granted() && this.model.votes(node)) {
				stored = (reply.fence() > greatest) ? 1 : (reply.fence() == greatest) ? stored + 1 : stored;
				greatest = Math.max(greatest, reply.fence());
			}
		}
		this.token = greatest;
		if (stored >= this.model.quorum()) {
			hold();
			return;
		}
		move(State.RAISING);
		this.raised = 0;
		long number = this.attempt;
		later(this.rules.operationTimeout, this::failed);
		for (int node = 0; node < this.rules.nodes; node++) {
			boolean counts = this.model.votes(node);
			this.model.raise(this.id, node, number, greatest, (done) -> {
				if (done && counts && number == this.attempt && this.state == State.RAISING
						&& ++this.raised == this.model.quorum()) {
					hold();
				}
			});
		}
	}

	private void hold() {
		move(State.HOLDING);
		Ticket claim = claim();
		this.timer++;
		this.model.granted(this.id, claim, this.token, this.deadline - this.rules.wait);
		for (int node = 0; node < this.rules.nodes; node++) {
			QueueReply reply = this.replies[node];
			boolean refused = reply != null && !reply.granted();
			if (this.rules.withdrawLate
					&& (refused || (this.registered && (reply == null || !this.rules.grantRemoves)))) {
				this.model.withdraw(this.id, node, claim);
			}
		}
		later(this.rules.hold, this::done);
	}

	private void done() {
		release(this.attempt, null, 0, true);
		this.model.released(this.id);
		end();
	}

	private void end() {
		move(State.IDLE);
		this.timer++;
		this.model.ended(claim());
		if (!this.rules.once) {
			double spread = -Math.log(1 - this.model.random().nextDouble());
			int lives = this.life;
			this.model.at((long) (this.rules.think * spread), () -> {
				if (isLife(lives)) {
					want();
				}
			});
		}
	}

	private void failed() {
		this.timer++;
		int granted = 0;
		int held = 0;
		int[] ranks = new int[this.replies.length];
		int refusals = 0;
		long remaining = Long.MAX_VALUE;
		for (QueueReply reply : this.replies) {
			if (reply != null && !reply.granted()) {
				ranks[refusals++] = reply.rank();
				held++;
				remaining = (reply.holder() != 0) ? Math.min(remaining, reply.remaining()) : remaining;
			}
			else if (reply != null) {
				granted++;
			}
		}
		if (granted > 0 && held > 0) {
			this.model.divided();
		}
		this.refusedTruthfully = held >= this.model.quorum();
		if (refusals > 0) {
			Arrays.sort(ranks, 0, refusals);
			this.rank = ranks[(refusals - 1) / 2];
		}
		if (this.model.now() >= this.deadline || this.lastAttempt) {
			giveUp(true);
			return;
		}
		move(State.WAITING);
		release(this.attempt, claim(), this.deadline - this.model.now(), false);
		this.registered = true;
		compareHolder();
		sleep(remaining);
		offers();
	}

	private void compareHolder() {
		Map<Long, Integer> named = new HashMap<>();
		long holder = 0;
		for (QueueReply reply : this.replies) {
			if (reply != null && reply.holder() != 0
					&& named.merge(reply.holder(), 1, Integer::sum) >= this.model.quorum()) {
				holder = reply.holder();
			}
		}
		this.sameHolder = (holder != 0 && holder == this.lastHolder) ? this.sameHolder + 1 : 0;
		this.lastHolder = holder;
	}

	private void sleep(long remaining) {
		double share = 0.5 + this.model.random().nextDouble() / 2;
		double longest = this.rules.maxDelay * (1.0 + this.rank);
		if (this.rules.calm) {
			longest *= 1L << Math.min(this.sameHolder, 20);
		}
		long pause = (long) (Math.min(longest, this.rules.lease * 2 / 3.0) * share);
		if (this.rank <= 1) {
			pause = Math.min(pause, Math.max(remaining, 1_000));
		}
		long left = this.deadline - this.model.now();
		if (left <= pause) {
			later(left, this::lastChance);
		}
		else {
			later(pause, this::ask);
		}
	}

	private void lastChance() {
		if (this.refusedTruthfully) {
			giveUp(false);
			return;
		}
		this.lastAttempt = true;
		ask();
	}

	private void giveUp(boolean asked) {
		if (asked) {
			release(this.attempt, null, 0, true);
		}
		Ticket claim = claim();
		for (int node = 0; node < this.rules.nodes; node++) {
			this.model.withdraw(this.id, node, claim);
		}
		this.model.gaveUp(this.refusedTruthfully);
		end();
	}

	void offer(int node, Ticket offered, long number) {
		if (!claims(offered)) {
			if (this.rules.answerUnknown) {
				this.model.withdraw(this.id, node, offered);
			}
			return;
		}
		this.offered[node] = Math.max(this.offered[node], number);
		if (this.state == State.WAITING) {
			offers();
		}
	}

	/** Ask if enough nodes offer the name. */
	private void offers() {
		int offers = 0;
		boolean news = false;
		for (int node = 0; node < this.offered.length; node++) {
			boolean fresh = this.offered[node] > this.seen[node];
			QueueReply reply = this.replies[node];
			boolean own = !this.rules.ownReleaseWakes && (reply == null || reply.granted());
			if ((fresh || (own && reply != null)) && this.model.votes(node)) {
				offers++;
				news |= !own;
			}
		}
		if (news && offers >= this.model.quorum()) {
			forget();
			ask();
		}
		else if (news) {
			long number = this.attempt;
			int lives = this.life;
			this.model.at(4 * this.rules.far, () -> {
				if (isLife(lives) && this.state == State.WAITING && this.attempt == number) {
					forget();
					ask();
				}
			});
		}
	}

	private void forget() {
		System.arraycopy(this.offered, 0, this.seen, 0, this.offered.length);
	}

	void next(Ticket next, int place) {
		if (!claims(next) || this.state != State.WAITING) {
			return;
		}
		this.rank = place;
		double share = 1 + this.model.random().nextDouble() / 10;
		long left = this.deadline - this.model.now();
		if (left > 2.2 * this.rules.operationTimeout) {
			later((long) (2 * this.rules.operationTimeout * share), this::ask);
		}
	}

	private void release(long number, @Nullable Ticket claim, long wait, boolean all) {
		for (int node = 0; node < this.rules.nodes; node++) {
			QueueReply reply = this.replies[node];
			if (all || this.rules.releaseRefused || reply == null || reply.granted()) {
				this.model.release(this.id, node, number, claim, wait);
			}
		}
	}

	private Ticket claim() {
		Ticket claim = this.ticket;
		if (claim == null) {
			throw new IllegalStateException("no claim");
		}
		return claim;
	}

	private void later(long delay, Runnable action) {
		long number = ++this.timer;
		this.model.at(delay, () -> {
			if (this.timer == number && this.state != State.DEAD) {
				action.run();
			}
		});
	}

	private void move(State next) {
		this.model.moved(this.state, next);
		this.state = next;
	}

}
