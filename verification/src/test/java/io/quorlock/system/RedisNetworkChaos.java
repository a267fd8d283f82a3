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

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

import org.awaitility.Awaitility;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.exceptions.JedisException;
import redis.embedded.RedisExecProvider;

import io.quorlock.system.Network.Host;
import io.quorlock.system.Network.Link;

/**
 * {@link NetworkChaos} with five Redis nodes.
 */
final class RedisNetworkChaos extends NetworkChaos {

	private static final int NODES = 5;

	private static final int PORT = 6379;

	private static final Duration CUT = Duration.ofMillis(3_300);

	private final File executable = RedisExecProvider.defaultProvider().get();

	RedisNetworkChaos(Network network, Path directory) throws Exception {
		super(network, NODES, 4, directory);
		this.servers.forEach(this::startNode);
		startProcesses(
				this.servers.stream().map((host) -> "redis://" + host.address() + ":" + PORT).toArray(String[]::new));
	}

	private void startNode(Host host) {
		host.startServer(List.of(this.executable.getPath(), "--port", String.valueOf(PORT), "--protected-mode", "no",
				"--save", "", "--maxmemory-policy", "noeviction"), file(host.address() + ".log"));
		Awaitility.await()
			.ignoreExceptionsInstanceOf(JedisException.class)
			.until(() -> !execute(host, "return {1}").isEmpty());
	}

	private static List<?> execute(Host host, String script) {
		try (Jedis node = new Jedis(host.address(), PORT)) {
			return (List<?>) node.eval(script);
		}
	}

	@Override
	int allUsable() {
		return NODES;
	}

	/** All kinds of cuts, one after the other. */
	void cutEverything(Duration longest) throws Exception {
		cut("one node, requests", requests(any(1)), CUT);
		cut("one node, replies", replies(any(1)), CUT);
		cut("two nodes", bothWays(any(2)), CUT);
		cut("majority, requests", requests(any(3)), CUT);
		cut("majority, replies", replies(any(3)), CUT);
		cut("majority", bothWays(any(3)), CUT);
		cut("each client another minority", minorities(), CUT);
		cut("ring", ring(), CUT);
		cut("majority, a client stopped", bothWays(any(3)), pausing(0, CUT));
		cut("one node, killed and restarted", bothWays(any(1)), Duration.ofMillis(1_200));
		Host killed = any(1).get(0);
		cut("one node, killed and restarted", bothWays(List.of(killed)), () -> {
			Thread.sleep(1_200);
			killed.killServer();
			startNode(killed);
		});
		flap("majority, every 200 ms", bothWays(any(3)), 10, Duration.ofMillis(200), Duration.ofMillis(200));
		flap("majority, for 150 ms", bothWays(any(3)), 4, Duration.ofMillis(150), Duration.ofMillis(500));
		cutForLong("majority, for " + longest.toSeconds() + " s", bothWays(any(3)), longest);
	}

	private List<Link> minorities() {
		List<Link> links = new ArrayList<>();
		for (int client = 0; client < this.clients.size(); client++) {
			List<Host> one = List.of(this.clients.get(client));
			List<Host> minority = List.of(server(client), server(client + 1));
			Stream.of(Link.all(one, minority), Link.all(minority, one)).forEach(links::addAll);
		}
		return links;
	}

	/** Requests to one node are lost, and replies of the next one. */
	private List<Link> ring() {
		List<Link> links = new ArrayList<>();
		for (int client = 0; client < this.clients.size(); client++) {
			links.add(new Link(this.clients.get(client), server(client)));
			links.add(new Link(server(client + 1), this.clients.get(client)));
		}
		return links;
	}

	@Override
	List<String> left() {
		return this.servers.stream()
			.flatMap((host) -> execute(host, RedisChaos.LEFT).stream().map((key) -> host.address() + " " + key))
			.toList();
	}

	/** One lease later. */
	@Override
	List<String> leftInTheEnd() throws InterruptedException {
		Thread.sleep(ChaosClient.LEASE.toMillis());
		return left();
	}

	@Override
	public void close() throws Exception {
		super.close();
		Files.delete(this.executable.toPath());
		Files.delete(this.executable.toPath().getParent());
	}

}
