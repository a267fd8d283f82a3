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
 */
final class SessionProof {

	/** The granularity of the servers' clocks. */
	private static final long MARGIN_NANOS = 2_000_000;

	/** Older ones prove nothing that later ones do not. */
	private static final int REMEMBERED = 32;

	private final long timeoutNanos;

	private final long validityNanos;

	private final Deque<Heartbeat> heartbeats = new ArrayDeque<>();

	private long provenUntil;

	/** How often the proof ended before it was renewed. */
	private int lapses;

	private boolean lapsed;

	/**
	 * Create the proof of a new session.
	 * @param timeoutNanos the negotiated timeout
	 * @param driftFactor how much the rates of two clocks may differ, relatively
	 * @param connectNanos when the connect that created the session was begun
	 * @param connectedNanos when the session was reported
	 */
	SessionProof(long timeoutNanos, double driftFactor, long connectNanos, long connectedNanos) {
		this.timeoutNanos = timeoutNanos;
		this.validityNanos = timeoutNanos - (long) (timeoutNanos * driftFactor) - MARGIN_NANOS;
		Heartbeat creation = new Heartbeat(connectNanos);
		creation.replied(connectedNanos);
		this.heartbeats.addLast(creation);
		this.provenUntil = connectNanos + this.validityNanos;
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
		Heartbeat earlier = latestBefore(heartbeat);
		if (earlier != null) {
			long until = earlier.sentNanos + this.validityNanos;
			if (until - this.provenUntil > 0) {
				this.provenUntil = until;
				this.lapsed = this.lapsed && until - nowNanos <= 0;
			}
		}
		return !this.lapsed;
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

	/**
	 * Return the number of the uninterrupted proof that holds now.
	 * @param nowNanos the time
	 * @return the number, or -1 if the session is not proven
	 */
	synchronized int current(long nowNanos) {
		notice(nowNanos);
		return this.lapsed ? -1 : this.lapses;
	}

	/**
	 * Return whether the session was proven without interruption. Once this is
	 * {@code false}, it remains so (R7).
	 * @param proof a number that {@link #current} returned
	 * @param nowNanos the time
	 * @return whether that proof still holds
	 */
	boolean holds(int proof, long nowNanos) {
		return current(nowNanos) == proof;
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
