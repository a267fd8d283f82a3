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
import java.io.InputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

import org.apache.zookeeper.server.quorum.QuorumPeerMain;
import org.awaitility.Awaitility;

import io.quorlock.system.Network.Host;
import io.quorlock.system.Network.Link;

/**
 * {@link NetworkChaos} with an ensemble of three ZooKeeper servers.
 */
final class ZooKeeperNetworkChaos extends NetworkChaos {

	private static final int SERVERS = 3;

	private static final int PORT = 2181;

	/** Shorter than the session timeout, and longer. */
	private static final List<Duration> CUTS = List.of(Duration.ofSeconds(2), Duration.ofSeconds(6));

	private final String connectString;

	ZooKeeperNetworkChaos(Network network, Path directory) throws Exception {
		super(network, SERVERS, 3, directory);
		this.connectString = this.servers.stream()
			.map((host) -> host.address() + ":" + PORT)
			.collect(Collectors.joining(","));
		for (int i = 0; i < SERVERS; i++) {
			configure(i);
			startServer(this.servers.get(i));
		}
		Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> leaders().size() == 1);
		startProcesses(ChaosClient.ZOOKEEPER + this.connectString);
	}

	private void configure(int index) throws IOException {
		Path data = Files.createDirectory(file(this.servers.get(index).address()));
		Files.writeString(data.resolve("myid"), String.valueOf(index));
		List<String> lines = new ArrayList<>(List.of("dataDir=" + data, "clientPort=" + PORT, "tickTime=1000",
				"initLimit=10", "syncLimit=4", "admin.enableServer=false", "4lw.commands.whitelist=srvr"));
		for (int i = 0; i < SERVERS; i++) {
			lines.add("server.%d=%s:2888:3888".formatted(i, this.servers.get(i).address()));
		}
		Files.write(data.resolve("zoo.cfg"), lines);
	}

	private void startServer(Host host) {
		Path data = file(host.address());
		host.startServer(List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-Xmx128m",
				"-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-cp",
				System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
				QuorumPeerMain.class.getName(), data.resolve("zoo.cfg").toString()), data.resolve("log"));
	}

	/** Those that say so. */
	private List<Host> leaders() {
		return this.servers.stream().filter((host) -> mode(host).contains("Mode: leader")).toList();
	}

	private static String mode(Host host) {
		try (Socket socket = new Socket(host.address(), PORT); InputStream input = socket.getInputStream()) {
			socket.setSoTimeout(1_000);
			socket.getOutputStream().write("srvr".getBytes(StandardCharsets.US_ASCII));
			return new String(input.readAllBytes(), StandardCharsets.US_ASCII);
		}
		catch (IOException ex) {
			return "";
		}
	}

	@Override
	int allUsable() {
		return 1;
	}

	/** All kinds of cuts, one after the other. */
	void cutEverything(Duration longest) throws Exception {
		for (Duration time : CUTS) {
			String seconds = ", " + time.toSeconds() + " s";
			cut("one server" + seconds, bothWays(any(1)), time);
			cut("all servers" + seconds, bothWays(this.servers), time);
			cut("all servers, requests" + seconds, requests(this.servers), time);
			cut("all servers, replies" + seconds, replies(this.servers), time);
			cut("leader from a follower" + seconds, List.of(new Link(leader(), follower())), time);
			cut("follower from the leader" + seconds, List.of(new Link(follower(), leader())), time);
		}
		cut("all servers, a client stopped", bothWays(this.servers), pausing(0, CUTS.get(1)));
		Host killed = leader();
		cut("all clients from the leader, killed", bothWays(List.of(killed)), () -> {
			killed.killServer();
			Thread.sleep(2_000);
			startServer(killed);
		});
		cutForLong("all servers, for " + longest.toSeconds() + " s", bothWays(this.servers), longest);
	}

	private Host leader() {
		Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> leaders().size() == 1);
		return leaders().get(0);
	}

	private Host follower() {
		Host leader = leader();
		return this.servers.stream().filter((host) -> host != leader).findFirst().orElseThrow();
	}

	@Override
	List<String> left() throws Exception {
		return ZooKeeperChaos.left(this.connectString);
	}

}
