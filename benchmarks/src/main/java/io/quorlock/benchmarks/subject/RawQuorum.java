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

	private final ThreadLocal<QuorumConnections> connections;

	private final Queue<QuorumConnections> opened = new ConcurrentLinkedQueue<>();

	private final String sha;

	RawQuorum(List<Integer> ports) {
		this.sha = ports.stream().map(RawScripts::load).toList().get(0);
		this.connections = ThreadLocal.withInitial(() -> open(ports));
	}

	private QuorumConnections open(List<Integer> ports) {
		try {
			QuorumConnections connections = new QuorumConnections(ports);
			this.opened.add(connections);
			return connections;
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	@Override
	public Hold lock(String name) throws IOException {
		QuorumConnections connections = this.connections.get();
		String token = RawScripts.token();
		if (!connections.round('+', "SET", name, token, "NX", "PX", Integer.toString(LEASE_MILLIS))) {
			throw new IllegalStateException("Held: " + name);
		}
		return () -> connections.round(':', "EVALSHA", this.sha, "1", name, token);
	}

	@Override
	public void close() {
		this.opened.forEach(QuorumConnections::close);
	}

}
