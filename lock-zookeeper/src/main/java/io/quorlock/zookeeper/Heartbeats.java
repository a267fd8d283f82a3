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

import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.data.Stat;
import org.jspecify.annotations.Nullable;

import io.quorlock.time.LockClock;
import io.quorlock.time.LockTimer;
import io.quorlock.zookeeper.SessionRequests.Reply;

/**
 * Proves a session: one small write every sixth of its timeout, to a node of its own
 * (R22). Writes to the nodes of the locks would wake the claims that watch them.
 */
final class Heartbeats {

	/** How long replies that have arrived take at most to be read. */
	private static final long READING_NANOS = 50_000_000;

	/** A timer that is so late had to wait for the process, as the replies had. */
	private static final long LATE_NANOS = 5_000_000;

	private final Consumer<Reply<Stat>> write;

	private final SessionProof proof;

	private final long intervalNanos;

	private final LockClock clock;

	private final LockTimer timer;

	private final BooleanSupplier connected;

	private final Runnable restore;

	private final Listener listener;

	/** How often the risk began or ended: odd while there is one. */
	private final AtomicInteger risks = new AtomicInteger();

	private volatile boolean stopped;

	/**
	 * Create the heartbeats of a session.
	 * @param write writes to the session's own node
	 * @param proof is moved by the replies
	 * @param timeoutNanos the negotiated timeout
	 * @param clock the clock
	 * @param timer runs what is due later
	 * @param connected whether there is a connection
	 * @param restore creates the session's node anew
	 * @param listener is notified of the replies
	 */
	Heartbeats(Consumer<Reply<Stat>> write, SessionProof proof, long timeoutNanos, LockClock clock, LockTimer timer,
			BooleanSupplier connected, Runnable restore, Listener listener) {
		this.write = write;
		this.proof = proof;
		this.intervalNanos = timeoutNanos / 6;
		this.clock = clock;
		this.timer = timer;
		this.connected = connected;
		this.restore = restore;
		this.listener = listener;
	}

	void start() {
		beat();
		watchRisk(this.proof.riskNanos(), true);
		this.timer.schedule(delayToLapse(), this::watchLapse);
	}

	SessionProof proof() {
		return this.proof;
	}

	/** The number of the risk that there is, 0 if there is none. */
	int risk() {
		int latest = this.risks.get();
		return (latest % 2 == 1) ? latest : 0;
	}

	private boolean changeRisk(boolean begins) {
		int latest = this.risks.get();
		return (latest % 2 == 0) == begins && this.risks.compareAndSet(latest, latest + 1);
	}

	void stop() {
		this.stopped = true;
	}

	private void beat() {
		if (this.stopped) {
			return;
		}
		this.timer.schedule(this.intervalNanos, this::beat);
		send();
	}

	/** One more, because a reconnect made it worth while. */
	void send() {
		// What is queued while there is no connection arrives in one bunch.
		if (!this.stopped && this.connected.getAsBoolean()) {
			SessionProof.Heartbeat heartbeat = this.proof.sent(this.clock.nanoTime());
			this.write.accept((code, stat) -> replied(heartbeat, code, stat));
		}
	}

	private void replied(SessionProof.Heartbeat heartbeat, Code code, @Nullable Stat stat) {
		if (this.stopped) {
			return;
		}
		if (stat != null) {
			long now = this.clock.nanoTime();
			this.listener.onHeartbeat(this.proof.replied(heartbeat, now));
			if (now - this.proof.riskNanos() < 0 && changeRisk(false)) {
				this.listener.onRisk();
			}
		}
		else if (code == Code.NONODE) {
			// It was deleted, or the whole root. A later heartbeat finds it again.
			this.restore.run();
		}
	}

	/** R26: looks when a third of the proof is left, unless a reply moved it. */
	private void watchRisk(long atNanos, boolean first) {
		this.timer.schedule(Math.max(1, atNanos - this.clock.nanoTime()), () -> {
			long now = this.clock.nanoTime();
			long risk = this.proof.riskNanos();
			if (this.stopped) {
				return;
			}
			if (now - risk < 0) {
				watchRisk(risk, true);
			}
			else if (first && now - atNanos > LATE_NANOS) {
				watchRisk(now + READING_NANOS, false); // what is there is read first
			}
			else {
				boolean lapsed = this.proof.current(now) < 0;
				if (!lapsed && changeRisk(true)) {
					this.listener.onRisk();
				}
				watchRisk(now + this.intervalNanos, true);
			}
		});
	}

	/**
	 * R7: the end of the proof is computed; this only notifies members that do not ask.
	 */
	private void watchLapse() {
		if (this.stopped) {
			return;
		}
		boolean lapsed = this.proof.current(this.clock.nanoTime()) < 0;
		this.timer.schedule(lapsed ? this.intervalNanos : delayToLapse(), this::watchLapse);
		if (lapsed) {
			this.listener.onLapse();
		}
	}

	private long delayToLapse() {
		return Math.max(1, this.proof.provenUntil() - this.clock.nanoTime());
	}

	/**
	 * Is notified of what becomes of heartbeats, on threads of the store.
	 */
	interface Listener {

		/**
		 * A heartbeat was replied to.
		 * @param proven whether the session is proven now
		 */
		default void onHeartbeat(boolean proven) {
		}

		/**
		 * The proof is about to end unless a heartbeat is replied to, or was moved since
		 * it was about to end.
		 */
		default void onRisk() {
		}

		/**
		 * The proof ended: the session may have expired, and another may have been
		 * granted what it held.
		 */
		default void onLapse() {
		}

	}

}
