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

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;

import org.jspecify.annotations.Nullable;

/**
 * Until when a session is known to be alive (R22). Only the reply to a write proves
 * anything: a follower that is cut off from its leader goes on replying to pings and
 * reads while the leader lets the session expire.
 * <p>
 * A write that a follower forwards does not touch the session at the leader. The touch of
 * an <em>earlier</em> message travels with the reply to the leader's next ping, every
 * half tick, on the same connection as the forwarded writes. So the reply to a heartbeat
 * sent at {@code y} proves that the leader knew of an earlier heartbeat {@code x}, if
 * there was time for a ping between the two <em>at the follower</em>: {@code x} was sent
 * a third of the timeout before {@code y}, and replied to a quarter before it. Half a
 * tick is at most a quarter of the timeout, and what was replied to had arrived, so that
 * heartbeats that the network delivers together prove nothing.
 * <p>
 * A reconnect needs no ping: the leader touches the session when it lets it move to
 * another connection. A leader that was cut off from all others does that as well, but
 * replies to no write. So the first reply to a heartbeat on the new connection proves
 * that the session was touched after the reconnect was begun.
 */
final class SessionProof {

	/** The granularity of the servers' clocks. */
	private static final long MARGIN_NANOS = 2_000_000;

	/** Older ones prove nothing that later ones do not. */
	private static final int REMEMBERED = 32;

	private final long timeoutNanos;

	private final long validityNanos;

	private final Deque<Heartbeat> heartbeats = new ArrayDeque<>();

	/** The latest reconnect. */
	private @Nullable Heartbeat move;

	private long provenUntil;

	/** When the heartbeat was sent from which the proof counts. */
	private long provenSince;

	/** How often the proof ended before it was renewed. */
	private int lapses;

	private boolean lapsed;

	/**
	 * Create the proof of a new session.
	 * @param timeoutNanos the negotiated timeout
	 * @param driftFactor how much the rates of two clocks may differ, relatively
	 * @param connectNanos when the connect that created the session was begun
	 */
	SessionProof(long timeoutNanos, double driftFactor, long connectNanos) {
		this.timeoutNanos = timeoutNanos;
		this.validityNanos = timeoutNanos - (long) (timeoutNanos * driftFactor) - MARGIN_NANOS;
		this.provenUntil = connectNanos + this.validityNanos;
		this.provenSince = connectNanos;
	}

	/**
	 * Record that the session moved to another connection.
	 * @param connectNanos when the connect was begun
	 * @param connectedNanos when it was reported, before a heartbeat is sent on the new
	 * connection
	 */
	synchronized void moved(long connectNanos, long connectedNanos) {
		Heartbeat latest = new Heartbeat(connectNanos);
		latest.replied(connectedNanos);
		this.move = latest;
	}

	/**
	 * Record that a heartbeat is sent now.
	 * @param nowNanos the time before the first byte is sent
	 * @return the heartbeat
	 */
	synchronized Heartbeat sent(long nowNanos) {
		Heartbeat heartbeat = new Heartbeat(nowNanos);
		this.heartbeats.addLast(heartbeat);
		if (this.heartbeats.size() > REMEMBERED) {
			this.heartbeats.removeFirst();
		}
		return heartbeat;
	}

	/**
	 * Record that a heartbeat was replied to, and move the proof as far as that shows.
	 * @param heartbeat the heartbeat
	 * @param nowNanos the time
	 * @return whether the proof holds now
	 */
	synchronized boolean replied(Heartbeat heartbeat, long nowNanos) {
		notice(nowNanos);
		heartbeat.replied(nowNanos);
		touched(latestBefore(heartbeat), nowNanos);
		Heartbeat latest = this.move;
		if (latest != null && heartbeat.sentNanos - latest.repliedNanos >= 0) {
			touched(latest, nowNanos);
		}
		return !this.lapsed;
	}

	private void touched(@Nullable Heartbeat proven, long nowNanos) {
		if (proven != null) {
			long until = proven.sentNanos + this.validityNanos;
			if (until - this.provenUntil > 0) {
				this.provenUntil = until;
				this.provenSince = proven.sentNanos;
				this.lapsed = this.lapsed && until - nowNanos <= 0;
			}
		}
	}

	private @Nullable Heartbeat latestBefore(Heartbeat heartbeat) {
		for (Iterator<Heartbeat> latest = this.heartbeats.descendingIterator(); latest.hasNext();) {
			Heartbeat candidate = latest.next();
			if (heartbeat.sentNanos - candidate.sentNanos >= this.timeoutNanos / 3 && candidate.replied
					&& heartbeat.sentNanos - candidate.repliedNanos >= this.timeoutNanos / 4) {
				return candidate;
			}
		}
		return null;
	}

	/** Return the end of the proof, which only the reply to a heartbeat moves. */
	synchronized long provenUntil() {
		return this.provenUntil;
	}

	/** Return when the heartbeat was sent from which the proof counts. */
	synchronized long provenSince() {
		return this.provenSince;
	}

	/** R26: when only a third of the proof is left. */
	synchronized long riskNanos() {
		return this.provenUntil - this.validityNanos / 3;
	}

	/**
	 * Return the number of the uninterrupted proof that holds now. Once it is another, it
	 * remains so (R7).
	 * @param nowNanos the time
	 * @return the number, or -1 if the session is not proven
	 */
	synchronized int current(long nowNanos) {
		notice(nowNanos);
		return this.lapsed ? -1 : this.lapses;
	}

	private void notice(long nowNanos) {
		if (!this.lapsed && nowNanos - this.provenUntil >= 0) {
			this.lapsed = true;
			this.lapses++;
		}
	}

	/**
	 * One write that is sent to prove the session.
	 */
	static final class Heartbeat {

		private final long sentNanos;

		private long repliedNanos;

		private boolean replied;

		private Heartbeat(long sentNanos) {
			this.sentNanos = sentNanos;
		}

		private void replied(long nowNanos) {
			this.replied = true;
			this.repliedNanos = nowNanos;
		}

	}

}
