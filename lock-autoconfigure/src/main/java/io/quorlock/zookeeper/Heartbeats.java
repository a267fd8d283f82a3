package io.quorlock.zookeeper;

import java.util.function.BooleanSupplier;

import org.apache.zookeeper.KeeperException.Code;

import io.quorlock.engine.EngineClock;
import io.quorlock.engine.EngineTimer;

/**
 * Proves a session: one small write every sixth of its timeout, to a node of its own
 * (R22). Writes to the nodes of the locks would wake the claims that watch them.
 */
final class Heartbeats {

	private static final byte[] NOTHING = new byte[0];

	private final Requests requests;

	private final String path;

	private final SessionProof proof;

	private final long intervalNanos;

	private final EngineClock clock;

	private final EngineTimer timer;

	private final BooleanSupplier connected;

	private final Runnable restore;

	private final SessionMember listener;

	private volatile boolean stopped;

	Heartbeats(Requests requests, String path, SessionProof proof, long timeoutNanos, EngineClock clock,
			EngineTimer timer, BooleanSupplier connected, Runnable restore, SessionMember listener) {
		this.requests = requests;
		this.path = path;
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
		this.timer.schedule(delayToLapse(), this::watchLapse);
	}

	void stop() {
		this.stopped = true;
	}

	private void beat() {
		if (this.stopped) {
			return;
		}
		this.timer.schedule(this.intervalNanos, this::beat);
		// What is queued while there is no connection arrives in one bunch.
		if (this.connected.getAsBoolean()) {
			SessionProof.Heartbeat heartbeat = this.proof.sent(this.clock.nanoTime());
			this.requests.write("heartbeat", this.path, NOTHING, -1, (code, stat) -> replied(heartbeat, code));
		}
	}

	private void replied(SessionProof.Heartbeat heartbeat, Code code) {
		if (this.stopped) {
			return;
		}
		if (code == Code.OK) {
			this.listener.onHeartbeat(this.proof.replied(heartbeat, this.clock.nanoTime()));
		}
		else if (code == Code.NONODE) {
			// It was deleted, or the whole root. A later heartbeat finds it again.
			this.restore.run();
		}
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

}
