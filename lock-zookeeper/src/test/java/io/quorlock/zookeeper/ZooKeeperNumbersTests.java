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

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.ZooDefs;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import io.quorlock.store.ClaimFailure;
import io.quorlock.store.TestClaim;
import io.quorlock.store.TestContender;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What becomes of a queue that was never empty for so long that the servers' counter of
 * its nodes ends, at 2,147,483,647.
 */
class ZooKeeperNumbersTests extends AbstractStoreTests {

	private ReplaceableServer server;

	private RawClient admin;

	@BeforeEach
	void start(@TempDir Path data) throws Exception {
		this.server = opened(new ReplaceableServer(data));
		this.admin = opened(new RawClient(this.server.connectString()));
	}

	@Override
	String connectString() {
		return this.server.connectString();
	}

	@Test
	void claimsAtTheEndOfTheCounterAreNeverBothFirst() throws Exception {
		ZooKeeperLeaseStore first = store("a");
		ZooKeeperLeaseStore second = store("b");
		for (int round = 0; round < 10; round++) {
			String name = "a" + round;
			TestContender holder = contend(first, TestClaim.of(name)).holds();
			this.server.nextNumber("/quorlock/" + name, Integer.MAX_VALUE);
			List<TestContender> waiters = new ArrayList<>();
			for (int i = 0; i < 3; i++) {
				waiters.add(contend(first, TestClaim.of(name).waiting(WAIT)));
				waiters.add(contend(second, TestClaim.of(name).waiting(WAIT)));
			}
			Awaitility.await().until(() -> waiters.stream().allMatch((waiter) -> waiter.waitingReports() == 1));
			holder.release();
			while (!waiters.isEmpty()) {
				Awaitility.await().until(() -> waiters.stream().anyMatch(TestContender::isGranted));
				this.admin.queue(name);
				List<TestContender> granted = waiters.stream().filter(TestContender::isGranted).toList();
				assertThat(granted).hasSize(1);
				granted.get(0).release();
				waiters.removeAll(granted);
			}
		}
	}

	@Test
	void queueIsBegunAnewOnceNobodyIsInIt() throws Exception {
		ZooKeeperLeaseStore store = store("a");
		TestContender holder = contend(store, TestClaim.of("a"));
		long token = tokenOf(holder.granted());
		this.server.nextNumber("/quorlock/a", ClaimQueue.Node.LAST);
		TestContender waiter = contend(store("b"), TestClaim.of("a").waiting(WAIT)).waits();
		assertThat(holder.granted().isValid()).isTrue();
		holder.release();
		assertThat(tokenOf(waiter.granted())).isGreaterThan(token);
		assertThat(number("a")).isLessThan(10);
	}

	@Test
	void claimThatDoesNotWaitIsRefusedWithWhatToDo() throws Exception {
		ZooKeeperLeaseStore store = store("a");
		TestContender holder = contend(store, TestClaim.of("a")).holds();
		this.server.nextNumber("/quorlock/a", ClaimQueue.Node.LAST);
		for (TestClaim claim : List.of(TestClaim.of("a"), TestClaim.of("a").waiting(Duration.ofMillis(300)),
				TestClaim.of("a", "b"), TestClaim.of("a").shared())) {
			assertThat(contend(store, claim).failed()).isInstanceOf(ClaimFailure.Unavailable.class)
				.extracting(ClaimFailure::description)
				.asString()
				.contains("2,000,000,000 claims in queue /quorlock/a", "let the clients in it finish");
		}
		Awaitility.await().until(() -> this.admin.queue("a").size() == 1);
		holder.release();
		contend(store, TestClaim.of("a", "b")).granted();
		assertThat(number("a")).isLessThan(10);
	}

	/** After the end, the servers give negative numbers while requests are under way. */
	@Test
	void claimIsNotGrantedBesideAnotherThatIsNumberedBehindTheEnd() throws Exception {
		ZooKeeperLeaseStore store = store("a");
		contend(store, TestClaim.of("a")).release();
		String foreign = this.admin.client()
			.create("/quorlock/a/_c_11111111-1111-1111-1111-111111111111-lock--2147483648", new byte[0],
					ZooDefs.Ids.OPEN_ACL_UNSAFE, CreateMode.EPHEMERAL);
		this.server.nextNumber("/quorlock/a", Integer.MAX_VALUE);
		TestContender waiter = contend(store, TestClaim.of("a").waiting(WAIT)).waits();
		assertThat(waiter.isGranted()).isFalse();
		this.admin.delete(foreign);
		waiter.granted();
	}

	@Test
	void turnForAPermitIsGrantedBehindTheEndOfTheCounter() throws Exception {
		ZooKeeperLeaseStore store = store("a");
		contend(store, TestClaim.of("a").permits(2)).release();
		for (String queue : List.of("/quorlock/a/locks", "/quorlock/a/leases")) {
			this.server.nextNumber(queue, Integer.MAX_VALUE);
		}
		assertThat(contend(store, TestClaim.of("a").permits(2)).granted().permit()).isOne();
		assertThat(contend(store, TestClaim.of("a").permits(2)).granted().permit()).isEqualTo(2);
		contend(store, TestClaim.of("a").permits(2)).refused();
	}

	private int number(String name) throws Exception {
		ClaimQueue.Node node = ClaimQueue.Node.parse(this.admin.queue(name).get(0));
		assertThat(node).isNotNull();
		return node.sequence();
	}

}
