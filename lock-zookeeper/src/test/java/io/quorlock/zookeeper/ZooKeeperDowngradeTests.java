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
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.framework.recipes.locks.InterProcessReadWriteLock;
import org.apache.curator.retry.RetryOneTime;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

import io.quorlock.LockMode;
import io.quorlock.Settings;
import io.quorlock.embedded.LoopbackProxy;
import io.quorlock.store.Grant;
import io.quorlock.store.NodeReport;
import io.quorlock.store.TestClaim;
import io.quorlock.store.TestContender;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * R19 on ZooKeeper: a writer becomes a reader where it stands, so that no writer who
 * waited behind it is let in beside it.
 */
class ZooKeeperDowngradeTests extends AbstractServerTests {

	@Override
	void customize(Settings<ZooKeeperSettings> settings) {
		settings.set(ZooKeeperSettings::sessionTimeout, Duration.ofSeconds(30));
	}

	@Test
	void letsReadersInAndKeepsAWriterOutThatWaitsBetweenThem() throws Exception {
		ZooKeeperLeaseStore store = store("a");
		ZooKeeperLeaseStore other = store("a");
		TestContender holder = contend(store, TestClaim.of("a"));
		Grant grant = holder.granted();
		TestContender reader = waiting(other, TestClaim.of("a").shared());
		TestContender writer = waiting(other, TestClaim.of("a"));
		assertThat(TestContender.await(grant.downgrade(0).toCompletableFuture())).isTrue();
		assertThat(grant.mode()).isEqualTo(LockMode.SHARED);
		reader.granted();
		reader.release();
		// Whatever the release let in, it would be in by the time of these replies.
		contend(other, TestClaim.of("a")).refused();
		contend(other, TestClaim.of("a").shared()).refused();
		assertThat(writer.isGranted()).isFalse();
		assertThat(grant.isValid()).isTrue();
		holder.release();
		assertThat(tokenOf(writer.granted())).isGreaterThan(tokenOf(reader.granted())).isGreaterThan(tokenOf(grant));
		writer.release();
		Awaitility.await().until(() -> this.admin.queue("a").isEmpty());
	}

	@Test
	void turnsAllNamesAtOnce() throws Exception {
		ZooKeeperLeaseStore store = store("a");
		TestContender holder = contend(store, TestClaim.of("a", "b"));
		Grant grant = holder.granted(); // otherwise the reader may be first
		TestContender both = waiting(store, TestClaim.of("a", "b").shared());
		assertThat(TestContender.await(grant.downgrade(0).toCompletableFuture())).isTrue();
		both.granted();
		contend(store, TestClaim.of("b")).refused();
		holder.release();
		both.release();
		contend(store, TestClaim.of("a", "b")).granted();
	}

	@Test
	void keepsItsNodeWhenTheReplyToTheDowngradeIsLost() throws Exception {
		LoopbackProxy proxy = proxy();
		ZooKeeperLeaseStore store = store(proxy);
		TestContender holder = contend(store, TestClaim.of("a"));
		Grant grant = holder.granted();
		long token = tokenOf(grant);
		proxy.holdReplies();
		CompletableFuture<Boolean> turned = grant.downgrade(0).toCompletableFuture();
		Awaitility.await().until(() -> this.admin.queue("a").stream().anyMatch((node) -> node.contains("__READ__")));
		assertThat(grant.mode()).isEqualTo(LockMode.SHARED);
		proxy.cut();
		proxy.restore();
		assertThat(TestContender.await(turned)).isTrue();
		assertThat(this.admin.queue("a")).hasSize(1);
		assertThat(tokenOf(grant)).isEqualTo(token);
		Awaitility.await().atMost(WAIT).until(() -> store.status().available());
		assertThat(grant.isValid()).isTrue();
		this.admin.deleteQueue("a");
		assertThat(TestContender.await(holder.lost())).contains("its node is gone");
	}

	@Test
	void downgradesWhenItIsConnectedAgain() throws Exception {
		LoopbackProxy proxy = proxy();
		ZooKeeperLeaseStore store = store(proxy);
		TestContender holder = contend(store, TestClaim.of("a"));
		Grant grant = holder.granted();
		proxy.blackhole();
		CompletableFuture<Boolean> turned = grant.downgrade(0).toCompletableFuture();
		assertThat(grant.mode()).isEqualTo(LockMode.SHARED);
		proxy.cut();
		proxy.restore();
		assertThat(TestContender.await(turned)).isTrue();
		contend(store("a"), TestClaim.of("a").shared()).granted();
		holder.release();
		Awaitility.await().until(() -> this.admin.queue("a").size() == 1);
	}

	@Test
	void leavesNothingWhenItIsReleasedBeforeTheReply() throws Exception {
		LoopbackProxy proxy = proxy();
		ZooKeeperLeaseStore store = store(proxy);
		TestContender holder = contend(store, TestClaim.of("a"));
		Grant grant = holder.granted();
		proxy.holdReplies();
		grant.downgrade(0);
		CompletableFuture<?> released = CompletableFuture.runAsync(holder::release);
		Awaitility.await().until(() -> this.admin.queue("a").stream().anyMatch((node) -> node.contains("__READ__")));
		proxy.cut();
		proxy.restore();
		TestContender.await(released);
		Awaitility.await().atMost(WAIT).until(() -> this.admin.queue("a").isEmpty());
	}

	@Test
	void losesTheLeaseWhenTheNodeWasDeletedBefore() throws Exception {
		LoopbackProxy proxy = proxy();
		ZooKeeperLeaseStore store = store(proxy);
		TestContender holder = contend(store, TestClaim.of("a"));
		Grant grant = holder.granted();
		proxy.holdReplies();
		this.admin.deleteQueue("a");
		CompletableFuture<Boolean> turned = grant.downgrade(0).toCompletableFuture();
		proxy.releaseReplies();
		assertThat(TestContender.await(turned)).isFalse();
		assertThat(TestContender.await(holder.lost())).contains("its node is gone");
		assertThat(this.admin.queue("a")).isEmpty();
	}

	@Test
	void leaseOfAFormerHolderIsNotDowngraded() throws Exception {
		Grant grant = contend(store("a"), TestClaim.of("a")).granted();
		assertThat(grant.passOn()).isTrue();
		assertThat(TestContender.await(grant.downgrade(0).toCompletableFuture())).isFalse();
		assertThat(grant.mode()).isEqualTo(LockMode.EXCLUSIVE);
		assertThat(TestContender.await(grant.downgrade(1).toCompletableFuture())).isTrue();
		assertThat(grant.passOn()).isFalse();
	}

	@Test
	void reportNamesTheOwnerAndTheTokenOfTheWriterItWas() throws Exception {
		ZooKeeperLeaseStore store = store("a");
		Grant grant = contend(store, TestClaim.of("a")).granted();
		TestContender.await(grant.downgrade(0).toCompletableFuture());
		NodeReport report = TestContender.await(store.inspect("a").toCompletableFuture()).get(0);
		assertThat(report.owner()).isEqualTo(grant.owner());
		assertThat(report.holders()).extracting(NodeReport.Holder::mode).containsExactly(LockMode.SHARED);
		assertThat(report.fence()).isEqualTo(tokenOf(grant));
	}

	@Test
	void excludesCuratorsWritersAndLetsItsReadersIn() throws Exception {
		CuratorFramework curator = opened(
				CuratorFrameworkFactory.newClient(server.connectString(), new RetryOneTime(100)));
		curator.start();
		InterProcessReadWriteLock theirs = new InterProcessReadWriteLock(curator, "/quorlock/a");
		InterProcessReadWriteLock another = new InterProcessReadWriteLock(curator, "/quorlock/a");
		ZooKeeperLeaseStore store = store("a");
		TestContender holder = contend(store, TestClaim.of("a"));
		TestContender.await(holder.granted().downgrade(0).toCompletableFuture());
		assertThat(theirs.writeLock().acquire(300, TimeUnit.MILLISECONDS)).isFalse();
		assertThat(theirs.readLock().acquire(10, TimeUnit.SECONDS)).isTrue();
		theirs.readLock().release();
		holder.release();
		// And the other way round.
		assertThat(theirs.writeLock().acquire(10, TimeUnit.SECONDS)).isTrue();
		TestContender writer = waiting(store, TestClaim.of("a"));
		assertThat(theirs.readLock().acquire(10, TimeUnit.SECONDS)).isTrue();
		theirs.writeLock().release();
		contend(store, TestClaim.of("a")).refused();
		assertThat(writer.isGranted()).isFalse();
		theirs.readLock().release();
		writer.granted();
		writer.release();
		assertThat(another.writeLock().acquire(10, TimeUnit.SECONDS)).isTrue();
	}

}
