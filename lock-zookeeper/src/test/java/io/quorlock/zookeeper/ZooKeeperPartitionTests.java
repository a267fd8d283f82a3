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

package io.quorlock.zookeeper;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.framework.recipes.locks.InterProcessMutex;
import org.apache.curator.retry.RetryOneTime;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import io.quorlock.embedded.EmbeddedZooKeeper;
import io.quorlock.embedded.EmbeddedZooKeeperEnsemble;
import io.quorlock.store.Grant;
import io.quorlock.store.TestClaim;
import io.quorlock.store.TestContender;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A holder whose follower is cut off from its leader, and a leader that ends (R22).
 * {@code -Dzookeeper.cuts=20} repeats the cut.
 */
@Tag("proof")
class ZooKeeperPartitionTests extends AbstractStoreTests {

	private static final Duration TIMEOUT = Duration.ofSeconds(4);

	private final EmbeddedZooKeeperEnsemble ensemble = opened(EmbeddedZooKeeperEnsemble.start(3));

	@Override
	String connectString() {
		return this.ensemble.connectString();
	}

	@Test
	void saysLostBeforeAnotherIsGrantedWhenItsFollowerIsCutFromTheLeader() throws Exception {
		List<Duration> margins = new ArrayList<>();
		List<Duration> overlaps = new ArrayList<>();
		for (int i = 0; i < Integer.getInteger("zookeeper.cuts", 2); i++) {
			this.ensemble.awaitServing();
			EmbeddedZooKeeper leader = this.ensemble.leader();
			EmbeddedZooKeeper follower = this.ensemble.followers().get(0);
			Cut cut = new Cut(follower, leader, "cut:" + i);
			cut.awaitOurs(margins);
			cut.awaitCurator(overlaps);
			cut.end();
		}
		System.out.printf("lost before the other was granted, by %s; Curator overlapped for %s%n", margins, overlaps);
		assertThat(margins).allSatisfy((margin) -> assertThat(margin).isPositive());
	}

	@Test
	void excludesOthersWhileTheLeaderIsReplaced() throws Exception {
		EmbeddedZooKeeper leader = this.ensemble.leader();
		List<EmbeddedZooKeeper> followers = this.ensemble.followers();
		ZooKeeperLeaseStore holding = store(followers.get(0).connectString(), "a");
		ZooKeeperLeaseStore asking = store(followers.get(1).connectString(), "b");
		TestContender holder = contend(holding, TestClaim.of("a"));
		Grant grant = holder.granted();
		TestContender waiter = contend(asking, TestClaim.of("a").waiting(WAIT)).waits();
		leader.stop();
		Awaitility.await()
			.atMost(WAIT)
			.until(() -> waiter.isGranted() || (holding.status().available() && asking.status().available()));
		if (grant.isValid()) {
			assertThat(waiter.isGranted()).isFalse();
			holder.release();
		}
		waiter.granted();
		assertThat(grant.isValid()).isFalse();
		assertThat(tokenOf(waiter.granted())).isGreaterThan(tokenOf(grant));
	}

	private ZooKeeperLeaseStore store(String connectString, String instanceId) {
		return store(connectString, instanceId, (settings) -> settings.set(ZooKeeperSettings::sessionTimeout, TIMEOUT));
	}

	/**
	 * A holder on a follower that is cut off, another claim on the leader; and the same
	 * with Curator at the same time.
	 */
	private final class Cut {

		private final ZooKeeperLeaseStore holding;

		private final ZooKeeperLeaseStore asking;

		private final TestContender waiter;

		private final Grant grant;

		private final TestContender holder;

		private final CuratorFramework theirHolding;

		private final CuratorFramework theirAsking;

		private final InterProcessMutex theirs;

		private final CompletableFuture<Long> theirGrant = new CompletableFuture<>();

		private final CompletableFuture<Long> ourGrant = new CompletableFuture<>();

		private final CompletableFuture<Long> theirLoss = new CompletableFuture<>();

		private final EmbeddedZooKeeper follower;

		private final EmbeddedZooKeeper leader;

		Cut(EmbeddedZooKeeper follower, EmbeddedZooKeeper leader, String name) throws Exception {
			this.follower = follower;
			this.leader = leader;
			this.holding = store(follower.connectString(), "holder");
			this.asking = store(leader.connectString(), "asker");
			this.holder = contend(this.holding, TestClaim.of(name));
			this.grant = this.holder.granted();
			this.waiter = contend(this.asking, TestClaim.of(name).waiting(WAIT));
			Awaitility.await().until(() -> this.waiter.waitingReports() == 1);
			this.theirHolding = curator(follower);
			this.theirAsking = curator(leader);
			this.theirs = new InterProcessMutex(this.theirHolding, "/curator/" + name);
			this.theirs.acquire();
			this.theirHolding.getConnectionStateListenable().addListener((client, state) -> {
				if (!state.isConnected()) {
					this.theirLoss.complete(System.nanoTime());
				}
			});
			InterProcessMutex other = new InterProcessMutex(this.theirAsking, "/curator/" + name);
			inThread(() -> {
				if (other.acquire(60, TimeUnit.SECONDS)) {
					this.theirGrant.complete(System.nanoTime());
				}
			});
			inThread(() -> {
				this.waiter.granted();
				this.ourGrant.complete(ZooKeeperStores.CLOCK.nanoTime());
			});
			// Heartbeats are on their regular course.
			Thread.sleep(TIMEOUT.toMillis() / 2);
			ZooKeeperPartitionTests.this.ensemble.link(follower, leader).blackhole();
		}

		void awaitOurs(List<Duration> margins) throws InterruptedException {
			while (this.grant.isValid()) {
				assertThat(this.waiter.isGranted()).isFalse();
				Thread.sleep(1);
			}
			long end = this.grant.validUntilNanos();
			margins.add(Duration.ofNanos(TestContender.await(this.ourGrant) - end)
				.truncatedTo(java.time.temporal.ChronoUnit.MILLIS));
			assertThat(this.holder.lost()).isDone();
		}

		/**
		 * From the grant to the other until the first is notified of a lost connection.
		 */
		void awaitCurator(List<Duration> overlaps) {
			long granted = TestContender.await(this.theirGrant);
			overlaps.add(Duration.ofNanos(TestContender.await(this.theirLoss) - granted)
				.truncatedTo(java.time.temporal.ChronoUnit.MILLIS));
		}

		void end() {
			ZooKeeperPartitionTests.this.ensemble.link(this.follower, this.leader).restore();
			this.holding.close();
			this.asking.close();
			this.theirHolding.close();
			this.theirAsking.close();
		}

		private CuratorFramework curator(EmbeddedZooKeeper server) throws Exception {
			CuratorFramework client = CuratorFrameworkFactory.newClient(server.connectString(),
					(int) TIMEOUT.toMillis(), 10_000, new RetryOneTime(100));
			client.start();
			client.blockUntilConnected();
			return client;
		}

		private void inThread(Work work) {
			Thread thread = new Thread(() -> {
				try {
					work.run();
				}
				catch (Exception ex) {
					throw new IllegalStateException(ex);
				}
			});
			thread.setDaemon(true);
			thread.start();
		}

	}

	private interface Work {

		void run() throws Exception;

	}

}
