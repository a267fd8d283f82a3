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
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.quorlock.system.Network.Host;
import io.quorlock.system.Network.Link;
import io.quorlock.system.NetworkReport.Cut;
import io.quorlock.system.NetworkReport.Status;
import io.quorlock.system.NetworkReport.Usage;

/**
 * Processes and servers on hosts of their own, between which links are cut. Beside what
 * {@link ChaosCluster} finds, it is measured what comes back when after each cut.
 */
abstract class NetworkChaos extends ChaosCluster {

	/** Much longer than anything should take. */
	private static final Duration PATIENCE = Duration.ofSeconds(20);

	/** One of each role, and one that is alone. */
	private static final int ROLES = 4;

	private final Network network;

	private final Path directory;

	private final List<Cut> cuts = new ArrayList<>();

	private final List<Usage> usages = new ArrayList<>();

	final List<Host> servers;

	final List<Host> clients;

	NetworkChaos(Network network, int servers, int clients, Path directory) throws IOException {
		super(network.ownAddress());
		this.network = network;
		this.directory = directory;
		this.servers = network.addHosts(servers);
		this.clients = network.addHosts(clients);
	}

	final void startProcesses(String... uris) throws Exception {
		List<List<String>> launchers = IntStream.range(0, this.clients.size())
			.mapToObj((client) -> this.clients.get(client).launcher(log(client)))
			.toList();
		startProcesses(List.of(uris), launchers, ROLES);
	}

	final Path file(String name) {
		return this.directory.resolve(name);
	}

	private Path log(int client) {
		return file("client-" + (client + 1) + ".log");
	}

	/** How much a process says can be used when all is well. */
	abstract int allUsable();

	/** Until all is well at first. */
	final void begin() throws Exception {
		awaitUsed(System.nanoTime());
		beWell(Duration.ofSeconds(2));
	}

	/** Cuts links for some time, heals them, and waits until all is used again. */
	final void cut(String name, List<Link> links, Duration time) throws Exception {
		cut(name, links, () -> Thread.sleep(time.toMillis()));
	}

	final void cut(String name, List<Link> links, Work meanwhile) throws Exception {
		flap(name, links, () -> {
			this.network.cut(links);
			meanwhile.run();
		});
	}

	/** The same again and again. */
	final void flap(String name, List<Link> links, int times, Duration cut, Duration healed) throws Exception {
		flap(name, links, () -> {
			for (int i = 0; i < times; i++) {
				this.network.heal(links);
				Thread.sleep(healed.toMillis());
				this.network.cut(links);
				Thread.sleep(cut.toMillis());
			}
		});
	}

	private void flap(String name, List<Link> links, Work faults) throws Exception {
		long from = System.nanoTime();
		phase(name, () -> {
			faults.run();
			this.network.heal(links);
		});
		long healed = System.nanoTime();
		phase("recovery", () -> this.cuts.add(new Cut(name, from, healed, awaitUsed(healed))));
		beWell(Duration.ofMillis(1_500));
	}

	/** Also counts what each process uses and logs meanwhile. */
	final void cutForLong(String name, List<Link> links, Duration time) throws Exception {
		cut(name, links, () -> {
			Thread.sleep(2_000);
			List<Usage> before = usage();
			Thread.sleep(time.toMillis() - 2_000);
			List<Usage> after = usage();
			for (int i = 0; i < before.size(); i++) {
				this.usages.add(after.get(i).since(before.get(i), time.minusSeconds(2)));
			}
		});
	}

	private List<Usage> usage() throws IOException {
		List<Usage> usages = new ArrayList<>();
		List<Status> statuses = status(ChaosClient.COLLECT);
		for (int client = 0; client < this.clients.size(); client++) {
			String process = "/proc/" + processes().get(client).pid();
			try (Stream<String> lines = Files.lines(log(client))) {
				usages.add(new Usage(entries(process + "/fd"), entries(process + "/task"), statuses.get(client).heap(),
						lines.filter((line) -> !line.startsWith(ChaosClient.FAILED)).count()));
			}
		}
		return usages;
	}

	private static int entries(String directory) {
		String[] names = Path.of(directory).toFile().list();
		return (names != null) ? names.length : 0;
	}

	/** A process that is stopped for as long. */
	final Work pausing(int client, Duration time) {
		return () -> processes().get(client).pause(time);
	}

	/** How long each process took until it used all and locked, in milliseconds. */
	private List<Long> awaitUsed(long since) throws Exception {
		Long[] used = new Long[this.clients.size()];
		while (Stream.of(used).anyMatch((each) -> each == null)) {
			List<Status> statuses = status("status");
			long millis = (System.nanoTime() - since) / 1_000_000;
			for (int i = 0; i < used.length; i++) {
				boolean all = statuses.get(i).usable() == allUsable() && statuses.get(i).lockedAt() >= since;
				used[i] = (used[i] == null && (all || millis > PATIENCE.toMillis())) ? Long.valueOf(millis) : used[i];
			}
			Thread.sleep(20);
		}
		return List.of(used);
	}

	private List<Status> status(String command) throws IOException {
		List<Status> statuses = new ArrayList<>();
		for (ChildJvm process : processes()) {
			process.send(command);
		}
		for (ChildJvm process : processes()) {
			statuses.add(Status.parse(process.awaitLine("STATUS")));
		}
		return statuses;
	}

	/** Ends the processes. */
	final NetworkReport report() throws Exception {
		List<Status> statuses = status("status");
		ChaosReport report = end();
		List<String> failures = new ArrayList<>();
		for (int client = 0; client < this.clients.size(); client++) {
			try (Stream<String> lines = Files.lines(log(client))) {
				lines.filter((line) -> line.startsWith(ChaosClient.FAILED)).forEach(failures::add);
			}
		}
		return new NetworkReport(report, this.cuts, statuses, this.usages, failures);
	}

	/** Some of the servers, not always the same. */
	final List<Host> any(int count) {
		int first = ThreadLocalRandom.current().nextInt(this.servers.size());
		return IntStream.range(first, first + count).mapToObj(this::server).toList();
	}

	/** Counted around. */
	final Host server(int index) {
		return this.servers.get(index % this.servers.size());
	}

	final List<Link> requests(List<Host> servers) {
		return Link.all(this.clients, servers);
	}

	final List<Link> replies(List<Host> servers) {
		return Link.all(servers, this.clients);
	}

	final List<Link> bothWays(List<Host> servers) {
		return Stream.concat(requests(servers).stream(), replies(servers).stream()).toList();
	}

}
