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

package io.quorlock.embedded;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Several real ZooKeeper servers in this JVM that form one ensemble. It needs
 * {@code org.apache.zookeeper:zookeeper} on the class path. A follower reaches its leader
 * through a {@link #link proxy}, so that the two can be cut from each other. Close it:
 * running servers keep the JVM from ending when {@code main} does.
 *
 * @since 0.1.0
 */
public final class EmbeddedZooKeeperEnsemble implements AutoCloseable {

	private final List<EmbeddedZooKeeper> servers;

	private final Map<Link, LoopbackProxy> links = new HashMap<>();

	EmbeddedZooKeeperEnsemble(int servers, EmbeddedZooKeeperBuilder options) {
		this.servers = IntStream.rangeClosed(1, servers)
			.mapToObj((id) -> new EmbeddedZooKeeper(id, options.properties))
			.toList();
		try {
			this.servers.forEach((server) -> server.start(membersSeenBy(server)));
			this.servers.forEach(EmbeddedZooKeeper::awaitServing);
		}
		catch (RuntimeException ex) {
			close();
			throw ex;
		}
	}

	/**
	 * Start an ensemble with the defaults on free ports.
	 * @param servers how many; an odd number, as a rule
	 * @return the ensemble, every server ready for connections
	 * @throws EmbeddedServerException if it does not start; then no server is left
	 */
	public static EmbeddedZooKeeperEnsemble start(int servers) {
		return EmbeddedZooKeeper.builder().startEnsemble(servers);
	}

	/**
	 * Return the addresses of all servers for clients.
	 * @return {@code 127.0.0.1:12345,127.0.0.1:12346,...}, in the order of the servers
	 */
	public String connectString() {
		return this.servers.stream().map(EmbeddedZooKeeper::connectString).collect(Collectors.joining(","));
	}

	/**
	 * Return the servers.
	 * @return all of them, also those that are stopped
	 */
	public List<EmbeddedZooKeeper> servers() {
		return this.servers;
	}

	/**
	 * Return one server.
	 * @param index from 0
	 * @return the server
	 */
	public EmbeddedZooKeeper server(int index) {
		return this.servers.get(index);
	}

	/**
	 * Return the server that leads, after waiting until one does.
	 * @return the leader
	 * @throws EmbeddedServerException if there is none within 30 s
	 */
	public EmbeddedZooKeeper leader() {
		Readiness.await("A leader", () -> this.servers.stream().anyMatch(EmbeddedZooKeeper::isLeader));
		return this.servers.stream().filter(EmbeddedZooKeeper::isLeader).findFirst().orElseThrow();
	}

	/**
	 * Return the servers that follow the {@link #leader()}.
	 * @return the running servers but the leader
	 */
	public List<EmbeddedZooKeeper> followers() {
		EmbeddedZooKeeper leader = leader();
		return this.servers.stream().filter((server) -> server != leader && server.isRunning()).toList();
	}

	/**
	 * Return the proxy through which one server follows another. With its
	 * {@link LoopbackProxy#blackhole()} the follower is cut off. It notices only after
	 * some seconds, during which it still replies to pings and reads of its clients.
	 * @param follower one server
	 * @param leader another
	 * @return the proxy; unused while {@code leader} does not lead
	 */
	public LoopbackProxy link(EmbeddedZooKeeper follower, EmbeddedZooKeeper leader) {
		LoopbackProxy proxy = this.links.get(new Link(follower.id(), leader.id()));
		if (proxy == null) {
			throw new IllegalArgumentException("No link from " + follower + " to " + leader);
		}
		return proxy;
	}

	/**
	 * Wait until every running server accepts requests of clients.
	 * @throws EmbeddedServerException if one does not within 30 s
	 */
	public void awaitServing() {
		this.servers.stream().filter(EmbeddedZooKeeper::isRunning).forEach(EmbeddedZooKeeper::awaitServing);
	}

	/** Stop all servers and delete their data. */
	@Override
	public void close() {
		this.servers.forEach(EmbeddedZooKeeper::close);
		this.links.values().forEach(LoopbackProxy::close);
	}

	private Map<String, String> membersSeenBy(EmbeddedZooKeeper server) {
		Map<String, String> members = new HashMap<>();
		for (EmbeddedZooKeeper other : this.servers) {
			members.put("server." + other.id(),
					(other == server) ? server.ownAddress() : other.addressThrough(newLink(server, other).port()));
		}
		return members;
	}

	private LoopbackProxy newLink(EmbeddedZooKeeper from, EmbeddedZooKeeper to) {
		LoopbackProxy proxy = LoopbackProxy.to(to.quorumPort());
		this.links.put(new Link(from.id(), to.id()), proxy);
		return proxy;
	}

	private record Link(int from, int to) {
	}

}
