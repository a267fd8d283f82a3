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

package io.quorlock.quorum;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import io.quorlock.quorum.node.JointRenewal;
import io.quorlock.quorum.node.NodeCommand;
import io.quorlock.time.LockClock;
import io.quorlock.time.LockTimer;

/**
 * When each lease of a store is looked at next: one timer for all of them, in place of
 * one each. Renewals that are due about the same time are sent together (R28).
 */
final class RenewalSchedule {

	/** A lease in the schedule. */
	abstract static class Entry extends Submissions {

		/** When it is due; {@link #update} follows each change. */
		volatile long dueNanos;

		/** Its place in the heap, -1 for none. Guarded by the lock of the schedule. */
		private int place = -1;

		/** Return whether it is still to be looked at. */
		abstract boolean isWatched();

		/** Return how much sooner it may be renewed together with others. */
		abstract long jointNanos();

		/**
		 * Look at it, and add the renewal to the batch if it may be sent with others.
		 * @return whether the batch has it
		 */
		abstract boolean look(Batch batch);

	}

	private static final Log logger = LogFactory.getLog(RenewalSchedule.class);

	/**
	 * How many are looked at in one go: ten commands behind each other, since a node that
	 * has just carried out one needs a fifth less time for the next.
	 */
	static final int MAX_AT_ONCE = 10 * JointRenewal.MAX_SIZE;

	private final Messenger messenger;

	private final LockClock clock;

	private final LockTimer timer;

	private final Timing timing;

	private final ReentrantLock lock = new ReentrantLock();

	// Guarded by the lock: a heap, and the times by which it is ordered.

	private @Nullable Entry[] entries = new Entry[16];

	private long[] times = new long[16];

	private int size;

	private LockTimer.@Nullable Timeout timeout;

	private long timeoutNanos;

	RenewalSchedule(Messenger messenger, LockClock clock, LockTimer timer, Timing timing) {
		this.messenger = messenger;
		this.clock = clock;
		this.timer = timer;
		this.timing = timing;
	}

	/** Called without a lock after a lease became due at another time, or ended. */
	void update(Entry entry) {
		this.lock.lock();
		try {
			place(entry);
			setTimer();
		}
		finally {
			this.lock.unlock();
		}
	}

	private void update(List<Entry> entries, Predicate<Entry> which) {
		this.lock.lock();
		try {
			for (Entry entry : entries) {
				if (which.test(entry)) {
					place(entry);
				}
			}
			setTimer();
		}
		finally {
			this.lock.unlock();
		}
	}

	/** Called under the lock. */
	private void place(Entry entry) {
		// Read here: of two threads that changed it, the second sees both changes.
		boolean watched = entry.isWatched();
		long due = entry.dueNanos;
		if (entry.place >= 0) {
			if (watched && this.times[entry.place] == due) {
				return;
			}
			remove(entry.place);
		}
		if (watched) {
			add(entry, due);
		}
	}

	/** A timer that is too early stays: most leases end before they are due. */
	private void setTimer() {
		LockTimer.Timeout timeout = this.timeout;
		if (timeout != null && (this.size == 0 || this.timeoutNanos - this.times[0] > 0)) {
			timeout.cancel();
			this.timeout = null;
		}
		if (this.timeout == null && this.size > 0) {
			this.timeoutNanos = this.times[0];
			this.timeout = this.timer.schedule(this.timeoutNanos - this.clock.nanoTime(), this::onTimer);
		}
	}

	private void onTimer() {
		List<Entry> due;
		this.lock.lock();
		try {
			this.timeout = null;
			due = takeDue();
			setTimer();
		}
		finally {
			this.lock.unlock();
		}
		Batch batch = new Batch();
		List<Entry> others = new ArrayList<>();
		for (Entry entry : due) {
			// A lease that cannot be looked at must not keep the others from it.
			try {
				if (!entry.look(batch)) {
					others.add(entry);
				}
			}
			catch (RuntimeException | Error ex) {
				logger.error("A lease is not renewed any more; report it with what follows", ex);
			}
		}
		try {
			batch.send();
		}
		finally {
			update(others, (entry) -> true);
		}
	}

	/** With those that are due come those that soon will be. */
	private List<Entry> takeDue() {
		List<Entry> due = new ArrayList<>();
		long until = this.clock.nanoTime();
		while (this.size > 0 && this.times[0] - until <= 0 && due.size() < MAX_AT_ONCE) {
			Entry entry = Objects.requireNonNull(this.entries[0]);
			until += due.isEmpty() ? entry.jointNanos() : 0;
			due.add(entry);
			remove(0);
		}
		return due;
	}

	private void add(Entry entry, long due) {
		if (this.size == this.times.length) {
			this.entries = Arrays.copyOf(this.entries, 2 * this.size);
			this.times = Arrays.copyOf(this.times, 2 * this.size);
		}
		moveUp(this.size++, entry, due);
	}

	private void remove(int place) {
		Objects.requireNonNull(this.entries[place]).place = -1;
		Entry last = Objects.requireNonNull(this.entries[--this.size]);
		long due = this.times[this.size];
		this.entries[this.size] = null;
		if (place < this.size) {
			moveUp(moveDown(place, due), last, due);
		}
	}

	private void moveUp(int from, Entry entry, long due) {
		int place = from;
		for (int above = (place - 1) / 2; place > 0 && due - this.times[above] < 0; above = (place - 1) / 2) {
			put(place, Objects.requireNonNull(this.entries[above]), this.times[above]);
			place = above;
		}
		put(place, entry, due);
	}

	/** Make room further down for what is due then. */
	private int moveDown(int from, long due) {
		int place = from;
		for (int below = 2 * place + 1; below < this.size; below = 2 * place + 1) {
			if (below + 1 < this.size && this.times[below + 1] - this.times[below] < 0) {
				below++;
			}
			if (due - this.times[below] <= 0) {
				break;
			}
			put(place, Objects.requireNonNull(this.entries[below]), this.times[below]);
			place = below;
		}
		return place;
	}

	private void put(int place, Entry entry, long due) {
		this.entries[place] = entry;
		this.times[place] = due;
		entry.place = place;
	}

	/**
	 * Renewals that were decided and are sent together. Until then nothing else of their
	 * leases is sent (R3): a release that is decided meanwhile follows them.
	 */
	final class Batch {

		private final List<Joint> joints = new ArrayList<>();

		/**
		 * Add a renewal.
		 * @param lease its lease, whose {@linkplain Submissions#beginSubmissions()
		 * submissions} the caller has begun and the batch ends
		 */
		void add(Renewal renewal, long slots, Entry lease) {
			Joint joint = jointFor(renewal, slots);
			joint.renewals.add(renewal);
			joint.leases.add(lease);
		}

		private Joint jointFor(Renewal renewal, long slots) {
			for (int i = this.joints.size() - 1; i >= 0; i--) { // those before are full
				if (this.joints.get(i).takes(renewal, slots)) {
					return this.joints.get(i);
				}
			}
			Joint joint = new Joint(slots, renewal.command);
			this.joints.add(joint);
			return joint;
		}

		private void send() {
			try {
				this.joints.forEach(Joint::send);
			}
			finally {
				this.joints.forEach(Joint::sent);
				this.joints.forEach((joint) -> joint.leases.forEach(Batch::end));
			}
		}

		/** What one lease cannot send must not keep the others from sending theirs. */
		private static void end(Entry lease) {
			try {
				lease.endSubmissions();
			}
			catch (RuntimeException | Error ex) {
				logger.error("A command of a lease was not sent; report it with what follows", ex);
			}
		}

	}

	/** Renewals that share a command, and their leases. */
	private final class Joint {

		private final long slots;

		private final NodeCommand.Renew first;

		private final List<Renewal> renewals = new ArrayList<>(JointRenewal.MAX_SIZE);

		private final List<Entry> leases = new ArrayList<>(JointRenewal.MAX_SIZE);

		/** Until then the leases are out of the schedule. */
		private boolean awaited;

		private long timeoutNanos;

		private Joint(long slots, NodeCommand.Renew first) {
			this.slots = slots;
			this.first = first;
		}

		private boolean takes(Renewal renewal, long slots) {
			NodeCommand.Renew other = renewal.command;
			return this.renewals.size() < JointRenewal.MAX_SIZE && slots == this.slots
					&& other.leaseMillis() == this.first.leaseMillis()
					&& other.fenceMillis() == this.first.fenceMillis() && other.prolong() == this.first.prolong()
					&& (other.fences() != null) == (this.first.fences() != null);
		}

		private void send() {
			long timeoutNanos = RenewalSchedule.this.timing.operationTimeoutNanos;
			if (this.renewals.size() == 1) {
				this.renewals.get(0).start(this.slots, RenewalSchedule.this.timer, timeoutNanos);
				return;
			}
			List<JointRenewal.Member> members = new ArrayList<>(this.renewals.size());
			for (Renewal renewal : this.renewals) {
				renewal.asks(this.slots);
				members.add(new JointRenewal.Member(renewal.command, renewal));
			}
			this.timeoutNanos = RenewalSchedule.this.clock.nanoTime() + timeoutNanos;
			RenewalSchedule.this.timer.schedule(timeoutNanos, this::onTimeout);
			this.awaited = true;
			RenewalSchedule.this.messenger.submit(this.slots, new JointRenewal(members),
					this.renewals.get(0).sentNanos);
		}

		/**
		 * Most are confirmed in a moment, and due again at another time: only those that
		 * are due before the timeout go into the schedule until then.
		 */
		private void sent() {
			update(this.leases, (lease) -> !this.awaited || lease.place >= 0 || lease.dueNanos - this.timeoutNanos < 0);
		}

		private void onTimeout() {
			try {
				this.renewals.forEach(Renewal::onTimeout);
			}
			finally {
				update(this.leases, (lease) -> true);
			}
		}

	}

	/**
	 * The commands of one lease, which are sent in the order in which they were decided
	 * (R3). A decision is made under a lock and adds the command there; the command is
	 * sent by {@link #drainSubmissions()} outside of it, by one thread at a time. A
	 * superclass, to make no object for each of many leases.
	 */
	static class Submissions {

		private static final AtomicIntegerFieldUpdater<Submissions> PENDING = AtomicIntegerFieldUpdater
			.newUpdater(Submissions.class, "pending");

		/** Not made before the first: most leases are renewed together with others. */
		private volatile @Nullable ConcurrentLinkedQueue<Runnable> decided;

		@SuppressWarnings("unused") // read by its updater
		private volatile int pending;

		/** Called under the lock that guards the decision. */
		final void addSubmission(Runnable submission) {
			ConcurrentLinkedQueue<Runnable> queue = this.decided;
			if (queue == null) {
				queue = new ConcurrentLinkedQueue<>();
				this.decided = queue;
			}
			queue.add(submission);
		}

		/** Called without a lock. */
		final void drainSubmissions() {
			if (PENDING.getAndIncrement(this) == 0) {
				endSubmissions();
			} // otherwise the thread that drains already looks again
		}

		/**
		 * Become the only thread that sends, unless another one is.
		 * @return whether nothing is sent until this thread calls
		 * {@link #endSubmissions()}
		 */
		final boolean beginSubmissions() {
			return PENDING.getAndIncrement(this) == 0;
		}

		/** Return whether nothing waits to be sent. Called under the lock. */
		final boolean hasNoSubmissions() {
			return this.decided == null || this.decided.isEmpty();
		}

		private @Nullable Runnable poll() {
			ConcurrentLinkedQueue<Runnable> queue = this.decided;
			return (queue != null) ? queue.poll() : null;
		}

		/** Send what was decided. */
		final void endSubmissions() {
			Throwable failure = null;
			int seen = 1;
			do {
				for (Runnable next = poll(); next != null; next = poll()) {
					try {
						next.run();
					}
					catch (RuntimeException | Error ex) {
						failure = ex; // those behind it are sent all the same
					}
				}
				seen = PENDING.addAndGet(this, -seen);
			}
			while (seen != 0);
			if (failure instanceof Error error) {
				throw error;
			}
			if (failure instanceof RuntimeException exception) {
				throw exception;
			}
		}

	}

}
