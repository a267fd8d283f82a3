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

package io.quorlock.system;

import java.io.IOException;
import java.net.InetAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

import io.quorlock.system.ChaosHistory.Phase;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The processes of a chaos run, what they report to, and what is done to them and to the
 * servers, in phases.
 */
abstract class ChaosCluster implements AutoCloseable {

	static final int PROCESSES = 3;

	static final int THREADS = 8;

	private final ChaosServer server;

	private final List<ChildJvm> processes = new ArrayList<>();

	private final List<Phase> phases = new ArrayList<>();

	ChaosCluster() throws IOException {
		this(InetAddress.getLoopbackAddress());
	}

	ChaosCluster(InetAddress server) throws IOException {
		this.server = new ChaosServer(server);
	}

	/** Starts the processes. Arguments: node URIs, as clients have them. */
	final void startProcesses(List<String> uris) throws IOException {
		startProcesses(uris, Collections.nCopies(PROCESSES, List.of()), THREADS);
	}

	/** Starts processes by programs that become them. */
	final void startProcesses(List<String> uris, List<List<String>> launchers, int threads) throws IOException {
		for (List<String> launcher : launchers) {
			List<String> arguments = new ArrayList<>(List.of("chaos@test:" + (this.processes.size() + 1),
					String.valueOf(this.server.port()), String.valueOf(threads)));
			arguments.addAll(uris);
			this.processes.add(ChildJvm.start(launcher, ChaosClient.class, "-Xmx256m", arguments));
		}
		for (ChildJvm process : this.processes) {
			process.awaitLine("READY");
		}
	}

	final ChaosServer server() {
		return this.server;
	}

	/** Those that run at present. */
	List<ChildJvm> processes() {
		return this.processes;
	}

	final void phase(String name, Work work) throws Exception {
		long from = System.nanoTime();
		work.run();
		this.phases.add(new Phase(name, from, System.nanoTime()));
	}

	final void beWell(Duration time) throws Exception {
		phase("all well", () -> Thread.sleep(time.toMillis()));
	}

	/** Ends the processes and reports what was found. */
	final ChaosReport end() throws Exception {
		this.server.stopClients();
		for (ChildJvm process : processes()) {
			process.awaitLine("IDLE");
		}
		int atOnce = left().size();
		List<String> left = leftInTheEnd();
		for (ChildJvm process : processes()) {
			process.endInput();
		}
		for (ChildJvm process : processes()) {
			assertThat(process.awaitEnd(Duration.ofSeconds(30))).isZero();
		}
		return new ChaosReport(this.server.history(), this.phases, this.server.resource(), atOnce, left);
	}

	/** What there is of locks on the servers. */
	abstract List<String> left() throws Exception;

	/**
	 * The same when nothing may be left: a release is repeated until there is a reply.
	 */
	List<String> leftInTheEnd() throws Exception {
		List<String> left = left();
		for (int i = 0; !left.isEmpty() && i < 10; i++) {
			Thread.sleep(500);
			left = left();
		}
		return left;
	}

	@Override
	public void close() throws Exception {
		processes().forEach(ChildJvm::close);
		this.server.close();
	}

	/** For how long a run repeats its faults. */
	static Duration duration() {
		return Duration.ofMinutes(Integer.getInteger("chaos.minutes", 1));
	}

	interface Work {

		void run() throws Exception;

	}

}
