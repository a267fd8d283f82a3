package io.quorlock.benchmarks.subject;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * The limit for a quorum: each thread has its own connection to every node, writes the
 * command to all of them at once and continues as soon as a majority has replied. There
 * is no retry, fencing, watchdog or queue.
 */
final class RawQuorum implements LockSubject {

	private final ThreadLocal<QuorumWire> wires;

	private final Queue<QuorumWire> opened = new ConcurrentLinkedQueue<>();

	private final String sha;

	RawQuorum(List<Integer> ports) {
		this.sha = ports.stream().map(RawScripts::load).toList().get(0);
		this.wires = ThreadLocal.withInitial(() -> open(ports));
	}

	private QuorumWire open(List<Integer> ports) {
		try {
			QuorumWire wire = new QuorumWire(ports);
			this.opened.add(wire);
			return wire;
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	@Override
	public Hold lock(String name) throws IOException {
		QuorumWire wire = this.wires.get();
		String token = RawScripts.token();
		if (!wire.round('+', "SET", name, token, "NX", "PX", Integer.toString(LEASE_MILLIS))) {
			throw new IllegalStateException("Held: " + name);
		}
		return () -> wire.round(':', "EVALSHA", this.sha, "1", name, token);
	}

	@Override
	public void close() {
		this.opened.forEach(QuorumWire::close);
	}

}
