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
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import io.quorlock.embedded.LoopbackProxy;
import io.quorlock.store.ClaimFailure;
import io.quorlock.store.Grant;
import io.quorlock.store.TestClaim;
import io.quorlock.store.TestContender;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What can go wrong between a store and one server.
 */
@Tag("long")
class ZooKeeperFaultTests extends AbstractServerTests {

	@Test
	void losesALeaseAtOnceWhenItsNodeIsDeletedFromOutside() throws Exception {
		ZooKeeperLeaseStore store = store("a");
		TestContender holder = contend(store, TestClaim.of("a", "b"));
		Grant grant = holder.granted();
		Awaitility.await().until(() -> this.admin.queue("b").size() == 1);
		this.admin.deleteQueue("b");
		assertThat(TestContender.await(holder.lost())).contains("its node is gone");
		assertThat(grant.isValid()).isFalse();
		Awaitility.await().until(() -> this.admin.queue("a").isEmpty());
	}

	@Test
	void queuesAgainWhenTheNodeOfAWaiterIsDeleted() throws Exception {
		ZooKeeperLeaseStore store = store("a");
		TestContender holder = contend(store, TestClaim.of("a")).holds();
		TestContender waiter = contend(store, TestClaim.of("a").waiting(WAIT));
		Awaitility.await().until(() -> this.admin.queue("a").size() == 2);
		this.admin.delete("/quorlock/a/" + new ClaimQueue(this.admin.queue("a")).inOrder().get(1).name());
		holder.release();
		waiter.granted();
	}

	@Test
	void losesWhatItHoldsWhenAnAdministratorExpiresTheSession() throws Exception {
		ZooKeeperLeaseStore store = store("a");
		ZooKeeperLeaseStore other = store("a");
		TestContender holder = contend(store, TestClaim.of("a"));
		Grant grant = holder.granted();
		contend(other, TestClaim.of("b")).granted();
		TestContender waiter = contend(store, TestClaim.of("b").waiting(Duration.ofSeconds(3))).waits();
		server.expireSession(store.sessionId());
		assertThat(TestContender.await(holder.lost())).contains("expired");
		assertThat(grant.isValid()).isFalse();
		contend(other, TestClaim.of("a").waiting(WAIT)).granted();
		assertThat(waiter.refused().owner()).isNotNull();
		contend(store, TestClaim.of("c").waiting(WAIT)).granted();
	}

	@Test
	void goesOnWhenTheServerRestarts() throws Exception {
		ZooKeeperLeaseStore store = store("a");
		TestContender holder = contend(store, TestClaim.of("a"));
		Grant grant = holder.granted();
		TestContender waiter = contend(store, TestClaim.of("a").waiting(WAIT)).waits();
		server.restart();
		Awaitility.await().atMost(WAIT).until(() -> waiter.isGranted() || store.status().available());
		if (grant.isValid()) {
			assertThat(waiter.isGranted()).isFalse();
			holder.release();
		}
		waiter.granted();
		assertThat(grant.isValid()).isFalse();
	}

	@Test
	void leaseIsAtRiskWhileItIsStillValidOnceAThirdOfTheProofIsLeft() throws Exception {
		LoopbackProxy proxy = proxy();
		TestContender holder = contend(store(proxy), TestClaim.of("a"));
		Grant grant = holder.granted();
		assertThat(grant.risk()).isNull();
		proxy.holdReplies();
		Awaitility.await().atMost(WAIT).until(() -> grant.risk() != null);
		assertThat(grant.isValid()).isTrue();
		proxy.releaseReplies();
		// Replies that come together prove little: it may be lost before it is safe
		// again.
		Awaitility.await().atMost(WAIT).until(() -> grant.risk() == null);
		assertThat(holder.risks()).extracting(Optional::isPresent).startsWith(true);
	}

	@Test
	void losesWhatItHoldsWhileAllServersAreGoneAndGrantsAgainWhenTheyAreBack() throws Exception {
		ZooKeeperLeaseStore store = store(connectString(), "a",
				(settings) -> settings.set(ZooKeeperSettings::operationTimeout, Duration.ofSeconds(1)));
		TestContender holder = contend(store, TestClaim.of("a"));
		Grant grant = holder.granted();
		long until = grant.validUntilNanos();
		server.stop();
		assertThat(TestContender.await(holder.lost())).contains("not proven");
		assertThat(ZooKeeperStores.CLOCK.nanoTime() - until).isPositive();
		assertThat(store.status().available()).isFalse();
		assertThat(store.status().description()).contains("not connected");
		assertThat(contend(store, TestClaim.of("a")).failed()).isInstanceOf(ClaimFailure.Unavailable.class);
		TestContender waiter = contend(store, TestClaim.of("a").waiting(WAIT));
		server.restart();
		waiter.granted();
		Awaitility.await().until(() -> this.admin.queue("a").size() == 1);
	}

	@Test
	void adoptsTheNodeWhoseCreateGotNoReply() throws Exception {
		LoopbackProxy proxy = proxy();
		ZooKeeperLeaseStore store = store(proxy);
		for (int i = 0; i < 2; i++) {
			String name = "a" + i;
			this.admin.create("/quorlock/" + name, "");
			proxy.holdReplies();
			TestContender contender = contend(store, TestClaim.of(name).waiting(WAIT));
			Awaitility.await().until(() -> this.admin.queue(name).size() == 1);
			String node = this.admin.queue(name).get(0);
			proxy.cut();
			proxy.restore();
			Grant grant = contender.granted();
			assertThat(this.admin.queue(name)).containsExactly(node);
			assertThat(grant.tokens()).hasSize(1);
			assertThat(contender.release()).isNotNull();
			Awaitility.await().until(() -> this.admin.queue(name).isEmpty());
		}
	}

	@Test
	void adoptsTheNodesOfSeveralNames() throws Exception {
		LoopbackProxy proxy = proxy();
		ZooKeeperLeaseStore store = store(proxy);
		this.admin.create("/quorlock/a", "");
		this.admin.create("/quorlock/b", "");
		proxy.holdReplies();
		TestContender contender = contend(store, TestClaim.of("a", "b").waiting(WAIT));
		Awaitility.await().until(() -> this.admin.queue("b").size() == 1);
		proxy.cut();
		proxy.restore();
		assertThat(contender.granted().tokens()).hasSize(2).doesNotContain(0);
		assertThat(this.admin.queue("a")).hasSize(1);
		assertThat(this.admin.queue("b")).hasSize(1);
	}

	@Test
	void leavesNoNodeOfAClaimThatIsCancelledBeforeTheReplyToItsCreate() throws Exception {
		LoopbackProxy proxy = proxy();
		ZooKeeperLeaseStore store = store(proxy);
		this.admin.create("/quorlock/a", "");
		for (int i = 0; i < 4; i++) {
			proxy.holdReplies();
			TestContender contender = contend(store, TestClaim.of("a").waiting(WAIT));
			Awaitility.await().until(() -> this.admin.queue("a").size() == 1);
			contender.contender().cancel();
			assertThat(contender.failed()).isInstanceOf(ClaimFailure.Cancelled.class);
			if (i % 2 == 0) {
				proxy.cut();
				proxy.restore();
			}
			proxy.releaseReplies();
			Awaitility.await().until(() -> this.admin.queue("a").isEmpty());
		}
	}

	@Test
	void repeatsAReleaseThatGotNoReply() throws Exception {
		LoopbackProxy proxy = proxy();
		ZooKeeperLeaseStore store = store(proxy);
		TestContender holder = contend(store, TestClaim.of("a")).holds();
		proxy.blackhole();
		store.release(holder.granted(), Duration.ZERO, null);
		assertThat(holder.granted().isValid()).isFalse();
		assertThat(this.admin.queue("a")).hasSize(1);
		proxy.restore();
		Awaitility.await().until(() -> this.admin.queue("a").isEmpty());
	}

	@Test
	void grantsANameWhoseContainerWasReapedBetweenTwoUses() throws Exception {
		ZooKeeperLeaseStore store = store("a");
		long last = 0;
		for (int i = 0; i < 3; i++) {
			TestContender contender = contend(store, TestClaim.of("a"));
			long[] tokens = contender.granted().tokens();
			assertThat(tokens).isNotNull();
			assertThat(tokens[0]).isGreaterThan(last);
			last = tokens[0];
			assertThat(this.admin.queue("a").get(0)).endsWith("-lock-0000000000");
			contender.release();
			// What the leader does with an empty container, if it is not used for a
			// while.
			this.admin.delete("/quorlock/a");
		}
	}

	@Test
	void wakesOneOfAThousandWaitersPerRelease() throws Exception {
		AtomicInteger lists = new AtomicInteger();
		ZooKeeperLeaseStore store = store(connectString(), "a", (settings) -> {
			settings.set(ZooKeeperSettings::sessionTimeout, Duration.ofSeconds(15));
			settings.set(ZooKeeperSettings::operationTimeout, WAIT);
		}, (node, operation, outcome, error, nanos) -> {
			if (operation.equals("list")) {
				lists.incrementAndGet();
			}
		});
		TestContender holder = contend(store, TestClaim.of("a")).holds();
		List<TestContender> waiters = IntStream.range(0, 1000)
			.mapToObj((i) -> contend(store, TestClaim.of("a").waiting(Duration.ofMinutes(5))))
			.toList();
		Awaitility.await().atMost(WAIT).until(() -> this.admin.queue("a").size() == 1001);
		Awaitility.await()
			.atMost(WAIT)
			.until(() -> waiters.stream().allMatch((waiter) -> waiter.waitingReports() == 1));
		int before = lists.get();
		holder.release();
		for (int i = 0; i < 50; i++) {
			waiters.get(i).granted();
			assertThat(waiters.stream().filter(TestContender::isGranted)).hasSize(i + 1);
			waiters.get(i).release();
		}
		assertThat(lists.get() - before).isLessThanOrEqualTo(51);
	}

}
