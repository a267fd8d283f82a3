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

package io.quorlock.quorum.membership;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import org.jspecify.annotations.Nullable;

import io.quorlock.quorum.membership.ClockHistory.Advance;
import io.quorlock.quorum.membership.ClockHistory.Sample;

/**
 * Finds the nodes of a list whose wall clocks were stepped forwards: the leases on such a
 * node ended early, as if it had restarted. A clock was stepped if between two replies it
 * advanced by more than the time from sending the first question to the second reply, and
 * the drift.
 * <p>
 * If a majority of the nodes stepped alike, that is not the nodes' doing: this machine
 * was suspended, or its monotonic clock is wrong. So a step is judged once other nodes
 * replied to later questions. A step that a majority contradicts may be told to others;
 * one that cannot be judged, since too few nodes reply, is believed by this instance
 * alone. Safe for use by several threads.
 *
 * @since 0.1.0
 */
public final class ClockSteps {

	/** How long others may take to reply before a step is believed without them. */
	static final Duration PATIENCE = Duration.ofSeconds(2);

	/** Validities are shorter than leases by the drift and by this. */
	static final long TOLERANCE_MICROS = 2_000;

	/** One step of this machine shows on each node. */
	private static final Duration SAME_STEP = Duration.ofSeconds(5);

	private final ClockHistory[] histories;

	private final @Nullable Listener[] listeners;

	private final @Nullable Advance[] suspicions;

	private final int majority;

	private final boolean enabled;

	private volatile boolean suspecting;

	private boolean ownReported;

	private long ownReportedNanos;

	/**
	 * Create the detection for a list of nodes.
	 * @param size how many nodes are configured
	 * @param window how far apart two replies may be to be compared, at least the longest
	 * lease; zero to compare none
	 * @param driftFactor by how much the rates of two clocks may differ, relatively
	 */
	public ClockSteps(int size, Duration window, double driftFactor) {
		this.histories = new ClockHistory[size];
		for (int i = 0; i < size; i++) {
			this.histories[i] = new ClockHistory(window.toNanos(), driftFactor);
		}
		this.listeners = new Listener[size];
		this.suspicions = new Advance[size];
		this.majority = size / 2 + 1;
		this.enabled = !window.isZero();
	}

	/**
	 * Set who is notified of the steps of a node's clock.
	 * @param node its index
	 * @param listener is called by the thread that reads a time, of any node
	 */
	public synchronized void listen(int node, Listener listener) {
		this.listeners[node] = listener;
	}

	/** The node is another server than before. */
	synchronized void forget(int node) {
		this.histories[node].clear();
		this.suspicions[node] = null;
	}

	/**
	 * Return whether a step is to be judged as soon as the other nodes report their time.
	 * @return whether there is reason to ask them at once
	 */
	public boolean isSuspecting() {
		return this.suspecting;
	}

	/**
	 * A node reported the time of its wall clock.
	 * @param node its index
	 * @param sentNanos a monotonic time before it was asked
	 * @param receivedNanos the monotonic time after its reply
	 * @param timeMicros its wall clock, in microseconds since any moment
	 */
	public void read(int node, long sentNanos, long receivedNanos, long timeMicros) {
		if (!this.enabled) {
			return;
		}
		List<Runnable> news = new ArrayList<>();
		synchronized (this) {
			Advance advance = this.histories[node].add(new Sample(sentNanos, receivedNanos, timeMicros));
			if (advance != null && advance.minMicros() > TOLERANCE_MICROS && this.suspicions[node] == null) {
				this.suspicions[node] = advance;
			}
			judge(receivedNanos, news);
		}
		news.forEach(Runnable::run);
	}

	/**
	 * Believe steps that could not be judged for too long.
	 * @param nowNanos the monotonic time
	 */
	public void check(long nowNanos) {
		if (this.suspecting) {
			List<Runnable> news = new ArrayList<>();
			synchronized (this) {
				judge(nowNanos, news);
			}
			news.forEach(Runnable::run);
		}
	}

	private void judge(long nowNanos, List<Runnable> news) {
		boolean suspecting = false;
		for (int node = 0; node < this.suspicions.length; node++) {
			Advance suspicion = this.suspicions[node];
			if (suspicion != null && !isJudged(node, suspicion, nowNanos, news)) {
				suspecting = true;
			}
		}
		this.suspecting = suspecting;
	}

	/** Return whether it could be judged. */
	private boolean isJudged(int node, Advance suspicion, long nowNanos, List<Runnable> news) {
		int alike = 1;
		int contradicting = 0;
		for (int other = 0; other < this.histories.length; other++) {
			Advance advance = (other != node) ? this.histories[other].advanceDuring(suspicion) : null;
			if (advance == null) {
				continue;
			}
			if (advance.maxMicros() < suspicion.minMicros()) {
				contradicting++;
			}
			else if (advance.minMicros() > TOLERANCE_MICROS && advance.minMicros() <= suspicion.maxMicros()) {
				alike++;
			}
		}
		boolean overdue = nowNanos - suspicion.after().receivedNanos() > PATIENCE.toNanos();
		if (alike >= this.majority) {
			acquit(node, suspicion, news);
		}
		else if (overdue || this.histories.length - contradicting < this.majority || contradicting >= this.majority) {
			convict(node, suspicion, contradicting >= this.majority, news);
		}
		else {
			return false;
		}
		return true;
	}

	private void convict(int node, Advance suspicion, boolean proven, List<Runnable> news) {
		close(node, suspicion);
		Listener listener = this.listeners[node];
		if (listener != null) {
			news.add(() -> listener.onStep(suspicion.min(), proven, suspicion.after().receivedNanos()));
		}
	}

	private void acquit(int node, Advance suspicion, List<Runnable> news) {
		close(node, suspicion);
		long since = suspicion.after().receivedNanos() - this.ownReportedNanos;
		Listener listener = this.listeners[node];
		if (listener != null && (!this.ownReported || since > SAME_STEP.toNanos())) {
			this.ownReported = true;
			this.ownReportedNanos = suspicion.after().receivedNanos();
			news.add(() -> listener.onOwnStep(suspicion.min()));
		}
	}

	private void close(int node, Advance suspicion) {
		this.suspicions[node] = null;
		this.histories[node].compareSince(suspicion.after());
	}

	/**
	 * Is notified of steps.
	 */
	public interface Listener {

		/**
		 * The clock of the node was stepped forwards.
		 * @param ahead by how much at least
		 * @param proven whether a majority of the other nodes contradicts, so that it
		 * must be the node, and other instances may be told
		 * @param noticedNanos the monotonic time at which it was noticed
		 */
		void onStep(Duration ahead, boolean proven, long noticedNanos);

		/**
		 * The clocks of a majority of the nodes were stepped alike. Called for one of
		 * them.
		 * @param ahead by how much at least
		 */
		void onOwnStep(Duration ahead);

	}

}
