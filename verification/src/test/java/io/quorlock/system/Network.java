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

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.net.InetAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;

/**
 * Hosts on a switch: network namespaces of Linux, joined by a bridge. A link is cut by a
 * wrong hardware address of the neighbour, which loses packets without a word, as a
 * broken switch does: TCP repeats them, more and more rarely. Namespaces and what runs in
 * them end with the shells that hold them, and these with this JVM, however it ends.
 */
final class Network implements AutoCloseable {

	/** For benchmarks of networks (RFC 2544). Two runs at once rarely share one. */
	private static final String NET = "198.18." + ProcessHandle.current().pid() % 256 + ".";

	private static final String OWN_ADDRESS = NET + "254";

	private final Host bridge = new Host(0);

	private final List<Host> hosts = new ArrayList<>();

	Network() {
		Host here = new Host(List.of("sh"), 254);
		try (here) {
			this.bridge.run("ip link add switch type bridge && ip link set switch up");
			String name = "quorlock" + ProcessHandle.current().pid() % 1_000_000;
			here.run("ip link add %1$s type veth peer name here netns %2$d && ip addr add %3$s/24 dev %1$s"
				.formatted(name, this.bridge.pid(), OWN_ADDRESS) + " && ip link set %s up".formatted(name));
			this.bridge.run("ip link set here master switch up");
		}
	}

	/** Whether there can be one: on Linux, as root, with the usual tools. */
	static boolean isPossible() {
		try {
			Process process = new ProcessBuilder("unshare", "--net", "sh", "-c",
					"ip link add end0 type veth peer name end1 && ip link add bridge0 type bridge && nsenter -t $$ -n true")
				.redirectErrorStream(true)
				.start();
			return process.waitFor(10, TimeUnit.SECONDS) && process.exitValue() == 0;
		}
		catch (IOException ex) {
			return false;
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			return false;
		}
	}

	/** Where the hosts reach this JVM. */
	InetAddress ownAddress() throws IOException {
		return InetAddress.getByName(OWN_ADDRESS);
	}

	List<Host> addHosts(int count) {
		List<Host> added = new ArrayList<>();
		for (int i = 0; i < count; i++) {
			Host host = new Host(this.hosts.size() + 1);
			this.hosts.add(host);
			added.add(host);
			this.bridge
				.run("ip link add port%1$d type veth peer name eth0 netns %2$d && ip link set port%1$d master switch up"
					.formatted(host.number, host.pid()));
			host.run(
					"ip link set lo up && ip link set eth0 address %s && ip addr add %s/24 dev eth0 && ip link set eth0 up"
						.formatted(host.hardwareAddress(), host.address()));
		}
		return added;
	}

	/** What goes from a host to another one is lost from now on. */
	void cut(Collection<Link> links) {
		change(links, (host, to) -> host.neighbour(to, "02:00:00:00:ff:ff"));
	}

	void heal(Collection<Link> links) {
		change(links, (host, to) -> host.neighbour(to, to.hardwareAddress()));
	}

	/** All hosts at once. */
	private void change(Collection<Link> links, BiFunction<Host, Host, String> command) {
		List<Host> changed = this.hosts.stream()
			.filter((host) -> links.stream().anyMatch((link) -> link.from == host))
			.toList();
		changed.forEach((host) -> host.send(String.join(" && ",
				links.stream()
					.filter((link) -> link.from == host)
					.map((link) -> command.apply(host, link.to))
					.toList())));
		changed.forEach(Host::await);
	}

	@Override
	public void close() {
		this.hosts.forEach(Host::close);
		this.bridge.close();
	}

	/**
	 * One way from a host to another one.
	 */
	record Link(Host from, Host to) {

		/** Each host of some with each host of others. */
		static List<Link> all(List<Host> from, List<Host> to) {
			return from.stream().flatMap((one) -> to.stream().map((other) -> new Link(one, other))).toList();
		}

	}

	/**
	 * A namespace, held by a shell in it, in which at most one server runs.
	 */
	static final class Host implements AutoCloseable {

		private final int number;

		private final Process shell;

		private final Writer commands;

		private final BufferedReader output;

		private Host(int number) {
			this(List.of("unshare", "--net", "sh"), number);
		}

		private Host(List<String> command, int number) {
			this.number = number;
			try {
				this.shell = new ProcessBuilder(command).redirectErrorStream(true).start();
			}
			catch (IOException ex) {
				throw new UncheckedIOException(ex);
			}
			this.commands = this.shell.outputWriter();
			this.output = this.shell.inputReader();
			run("server=; trap '[ -z \"$server\" ] || kill -9 $server' EXIT");
		}

		private long pid() {
			return this.shell.pid();
		}

		String address() {
			return NET + this.number;
		}

		private String hardwareAddress() {
			return "02:00:00:00:00:%02x".formatted(this.number);
		}

		private String neighbour(Host other, String hardwareAddress) {
			return "ip neigh replace %s lladdr %s dev eth0 nud permanent".formatted(other.address(), hardwareAddress);
		}

		/** What a command needs in front of it to run here and find this JVM. */
		List<String> launcher(Path log) {
			return List.of("nsenter", "-t", String.valueOf(pid()), "-n", "env",
					ChaosClient.SERVER_VARIABLE + "=" + OWN_ADDRESS, ChaosClient.LOG_VARIABLE + "=" + log);
		}

		void startServer(List<String> command, Path log) {
			run("'%s' >>'%s' 2>&1 & server=$!".formatted(String.join("' '", command), log));
		}

		/** SIGKILL. */
		void killServer() {
			run("kill -9 $server; wait $server; server=");
		}

		private void run(String command) {
			send(command);
			await();
		}

		private void send(String command) {
			try {
				this.commands.write("{ " + command + "\n} 2>&1\necho \"=$?\"\n");
				this.commands.flush();
			}
			catch (IOException ex) {
				throw new UncheckedIOException(ex);
			}
		}

		private void await() {
			StringBuilder said = new StringBuilder();
			try {
				for (String line = this.output.readLine(); !"=0".equals(line); line = this.output.readLine()) {
					said.append(line).append('\n');
					if (line == null || line.startsWith("=")) {
						throw new IllegalStateException("Host " + this.number + ": " + said);
					}
				}
			}
			catch (IOException ex) {
				throw new UncheckedIOException(ex);
			}
		}

		@Override
		public void close() {
			try {
				this.commands.close();
				this.shell.waitFor();
			}
			catch (IOException ex) {
				this.shell.destroyForcibly();
			}
			catch (InterruptedException ex) {
				this.shell.destroyForcibly();
				Thread.currentThread().interrupt();
			}
		}

	}

}
