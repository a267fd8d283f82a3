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
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.Stat;

import io.quorlock.embedded.EmbeddedZooKeeper;
import io.quorlock.embedded.EmbeddedZooKeeperEnsemble;
import io.quorlock.embedded.LoopbackProxy;

/**
 * Processes that take locks on an ensemble of three ZooKeeper servers behind proxies.
 */
final class ZooKeeperChaos extends ChaosCluster {

	private static final String ROOT = "/quorlock";

	private final EmbeddedZooKeeperEnsemble ensemble = EmbeddedZooKeeperEnsemble.start(3);

	private final List<LoopbackProxy> proxies = new ArrayList<>();

	ZooKeeperChaos() throws IOException {
		this.ensemble.awaitServing();
		this.ensemble.servers().forEach((server) -> this.proxies.add(LoopbackProxy.to(server.port())));
		startProcesses(List.of(ChaosClient.ZOOKEEPER
				+ this.proxies.stream().map((proxy) -> "127.0.0.1:" + proxy.port()).collect(Collectors.joining(","))));
	}

	/**
	 * It goes on replying to pings and reads, while the sessions of its clients expire.
	 */
	void cutFollower() throws Exception {
		phase("follower cut off from the leader", () -> {
			EmbeddedZooKeeper leader = this.ensemble.leader();
			List<EmbeddedZooKeeper> followers = this.ensemble.followers();
			LoopbackProxy link = this.ensemble.link(followers.get(random(followers.size())), leader);
			link.blackhole();
			Thread.sleep(2 * ChaosClient.SESSION_TIMEOUT.toMillis());
			link.restore();
		});
	}

	void tormentConnections(Duration time) throws Exception {
		phase("connections", () -> {
			long end = System.nanoTime() + time.toNanos();
			while (System.nanoTime() - end < 0) {
				LoopbackProxy proxy = this.proxies.get(random(this.proxies.size()));
				switch (random(4)) {
					case 0 -> proxy.cut();
					case 1 -> proxy.blackhole();
					case 2 -> proxy.holdReplies();
					default -> proxy.delay(Duration.ofMillis(5 + random(400)));
				}
				Thread.sleep(200 + random(2_000));
				proxy.restore();
				Thread.sleep(random(500));
			}
		});
	}

	/** Up to one and a half session timeouts. */
	void pauseProcesses(Duration time) throws Exception {
		phase("processes paused", () -> {
			long end = System.nanoTime() + time.toNanos();
			int timeout = (int) ChaosClient.SESSION_TIMEOUT.toMillis();
			while (System.nanoTime() - end < 0) {
				processes().get(random(processes().size()))
					.pause(Duration.ofMillis(timeout / 10 + random(timeout * 14 / 10)));
				Thread.sleep(100 + random(900));
			}
		});
	}

	void stopLeader() throws Exception {
		phase("leader stopped", () -> {
			EmbeddedZooKeeper leader = this.ensemble.leader();
			leader.stop();
			Thread.sleep(5_000);
			leader.restart();
		});
	}

	void stopServers(String phase, int count) throws Exception {
		phase(phase, () -> {
			List<EmbeddedZooKeeper> stopped = this.ensemble.servers().subList(0, count);
			stopped.forEach(EmbeddedZooKeeper::stop);
			Thread.sleep(2_000 + random(4_000));
			stopped.forEach(EmbeddedZooKeeper::restart);
		});
	}

	void recover() throws Exception {
		phase("recovery", () -> {
			this.ensemble.awaitServing();
			Thread.sleep(5_000);
		});
	}

	/** Nodes of claims, permits and cool-downs. The processes are still connected. */
	@Override
	List<String> left() throws Exception {
		return left(this.ensemble.leader().connectString());
	}

	static List<String> left(String connectString) throws Exception {
		List<String> left = new ArrayList<>();
		ZooKeeper client = new ZooKeeper(connectString, 10_000, (event) -> {
		});
		try {
			client.sync(ROOT);
			client.getChildren(ROOT, false)
				.stream()
				.filter((name) -> !name.startsWith("%"))
				.forEach((name) -> left.addAll(claims(client, ROOT + "/" + name)));
		}
		finally {
			client.close();
		}
		return left;
	}

	private static List<String> claims(ZooKeeper client, String container) {
		List<String> claims = new ArrayList<>();
		for (String child : children(client, container)) {
			String path = container + "/" + child;
			boolean inner = child.equals("locks") || child.equals("leases");
			(inner ? children(client, path).stream().map((one) -> path + "/" + one) : Stream.of(path))
				.forEach((claim) -> claims.add(describe(client, claim)));
		}
		return claims;
	}

	private static String describe(ZooKeeper client, String path) {
		try {
			Stat stat = new Stat();
			byte[] data = client.getData(path, false, stat);
			return "%s of session 0x%x for %d ms: %s".formatted(path, stat.getEphemeralOwner(),
					System.currentTimeMillis() - stat.getCtime(),
					(data != null) ? new String(data, StandardCharsets.UTF_8) : "");
		}
		catch (KeeperException.NoNodeException ex) {
			return path + ", deleted meanwhile";
		}
		catch (KeeperException | InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	/** A container that is empty may be deleted meanwhile. */
	private static List<String> children(ZooKeeper client, String container) {
		try {
			return client.getChildren(container, false);
		}
		catch (KeeperException.NoNodeException ex) {
			return List.of();
		}
		catch (KeeperException | InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private static int random(int bound) {
		return ThreadLocalRandom.current().nextInt(bound);
	}

	@Override
	public void close() throws Exception {
		super.close();
		this.proxies.forEach(LoopbackProxy::close);
		this.ensemble.close();
	}

}
