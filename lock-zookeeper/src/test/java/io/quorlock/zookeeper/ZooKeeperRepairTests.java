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
import java.util.concurrent.CopyOnWriteArrayList;

import org.apache.zookeeper.ZKUtil;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import io.quorlock.store.Grant;
import io.quorlock.store.TestClaim;
import io.quorlock.store.TestContender;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What others do to the nodes of a store, and what its requests cost the servers.
 */
class ZooKeeperRepairTests extends AbstractServerTests {

	private final List<String> operations = new CopyOnWriteArrayList<>();

	@Test
	void countsTokensFromTheWallClockWhenTheirBaseWasDeleted() throws Exception {
		ZooKeeperLeaseStore store = store();
		for (TestClaim claim : List.of(TestClaim.of("a"), TestClaim.of("a", "b"), TestClaim.of("a").permits(2))) {
			TestContender before = contend(store, claim);
			long token = tokenOf(before.granted());
			before.release();
			this.admin.delete("/quorlock/%token-base");
			TestContender after = contend(store, claim.waiting(WAIT));
			assertThat(tokenOf(after.granted())).isGreaterThan(token);
			after.release();
		}
	}

	@Test
	void followsTheBaseOfTokensThatAnotherRaises() throws Exception {
		ZooKeeperLeaseStore store = store();
		contend(store, TestClaim.of("a")).release();
		for (int i = 1; i <= 100; i++) {
			long base = 9_000_000_000_000_000L / 2 + 1_000_000_000L * i;
			this.admin.client().setData("/quorlock/%token-base", Long.toString(base).getBytes(), -1);
			TestContender next = contend(store, TestClaim.of("a"));
			assertThat(tokenOf(next.granted())).isGreaterThan(base);
			next.release();
		}
	}

	@Test
	void countsTokensFromTheFloorOrFromTheClockWhicheverIsGreater() {
		long floor = System.currentTimeMillis() * 1_000 + Duration.ofDays(30).toMillis() * 1_000;
		long before = tokenOf(contend(store(), TestClaim.of("a")).granted());
		assertThat(before).isLessThan(floor);
		ZooKeeperLeaseStore moved = withFloor(floor);
		assertThat(tokenOf(contend(moved, TestClaim.of("b")).granted())).isGreaterThan(floor);
		// Raised once, for all.
		assertThat(tokenOf(contend(withFloor(0), TestClaim.of("c")).granted())).isGreaterThan(floor);
		assertThat(tokenOf(contend(withFloor(1), TestClaim.of("d")).granted())).isGreaterThan(floor);
	}

	private ZooKeeperLeaseStore withFloor(long floor) {
		return store(connectString(), "a", (settings) -> settings.set(ZooKeeperSettings::fencingFloor, floor));
	}

	@Test
	@Tag("long")
	void deletesCooldownsWhoseInstanceDidNotLiveToDoIt() throws Exception {
		ZooKeeperLeaseStore first = store();
		for (int i = 0; i < 20; i++) {
			TestContender holder = contend(first, TestClaim.of("cooling:" + i)).holds();
			holder.release(Duration.ofSeconds(3), null);
		}
		first.close();
		assertThat(this.admin.queue("cooling:7")).containsExactly("cooldown");
		ZooKeeperLeaseStore next = store();
		contend(next, TestClaim.of("cooling:7")).refused();
		for (int i = 0; i < 20; i++) {
			String name = "cooling:" + i;
			Awaitility.await().atMost(WAIT).until(() -> this.admin.queue(name).isEmpty());
		}
		Awaitility.await()
			.atMost(WAIT)
			.until(() -> !this.admin.exists("/quorlock/%cooldowns")
					|| this.admin.client().getChildren("/quorlock/%cooldowns", false).isEmpty());
		contend(next, TestClaim.of("cooling:7")).granted();
	}

	/** The instance that noted it may be about to begin it. */
	@Test
	void keepsTheNoteOfACooldownThatHasNotBegunYet() throws Exception {
		store();
		this.admin.create("/quorlock/%cooldowns", "");
		this.admin.create("/quorlock/%cooldowns/report", "");
		ZooKeeperLeaseStore next = store();
		// More replies than its look at the cool-downs waits for, one behind the other.
		for (int i = 0; i < 10; i++) {
			contend(next, TestClaim.of("a")).release();
		}
		assertThat(this.admin.exists("/quorlock/%cooldowns/report")).isTrue();
	}

	@Test
	void refusesAClaimWhileTheBaseOfTokensIsNoNumber() throws Exception {
		ZooKeeperLeaseStore store = store();
		this.admin.client().setData("/quorlock/%token-base", "x".getBytes(), -1);
		assertThat(contend(store, TestClaim.of("a").waiting(WAIT)).failed().toString()).contains("DATAINCONSISTENCY");
		Awaitility.await().until(() -> this.admin.queue("a").isEmpty());
	}

	@Test
	void endsNoCooldownButItsOwn() throws Exception {
		ZooKeeperLeaseStore store = store();
		contend(store, TestClaim.of("a")).release(Duration.ofMillis(500), null);
		this.admin.delete("/quorlock/a/cooldown");
		contend(store, TestClaim.of("a")).release(Duration.ofSeconds(60), null);
		int reads = (int) count("read");
		Awaitility.await().until(() -> count("read") > reads);
		contend(store, TestClaim.of("b")).release();
		assertThat(this.admin.exists("/quorlock/a/cooldown")).isTrue();
	}

	@Test
	void losesWhatItHoldsWhenTheRootIsDeletedAndGrantsAgain() throws Exception {
		ZooKeeperLeaseStore store = store();
		TestContender holder = contend(store, TestClaim.of("a"));
		Grant grant = holder.granted();
		ZKUtil.deleteRecursive(this.admin.client(), "/quorlock");
		assertThat(TestContender.await(holder.lost())).contains("its node is gone");
		assertThat(grant.isValid()).isFalse();
		// A heartbeat finds out, and prepares the root once more.
		Awaitility.await().atMost(WAIT).until(() -> this.admin.exists("/quorlock/%token-base"));
		TestContender next = contend(store, TestClaim.of("a").waiting(WAIT));
		assertThat(tokenOf(next.granted())).isGreaterThan(tokenOf(grant));
		ZooKeeperStores.awaitAvailable(store);
		long proven = next.granted().validUntilNanos();
		Awaitility.await().atMost(WAIT).until(() -> next.granted().validUntilNanos() - proven > 0);
		assertThat(next.granted().isValid()).isTrue();
	}

	@Test
	void keepsALeaseWhoseNodeIsWrittenToAndNoticesItsEnd() throws Exception {
		ZooKeeperLeaseStore store = store();
		TestContender holder = contend(store, TestClaim.of("a"));
		Grant grant = holder.granted();
		String node = "/quorlock/a/" + this.admin.queue("a").get(0);
		awaitWatch();
		for (int i = 1; i <= 3; i++) {
			// Curator's Revoker does this.
			this.admin.client().setData(node, "__REVOKE__".getBytes(), -1);
			int reads = i + 1;
			Awaitility.await().until(() -> count("read") == reads);
		}
		assertThat(grant.isValid()).isTrue();
		this.admin.delete(node);
		assertThat(TestContender.await(holder.lost())).contains("its node is gone");
	}

	@Test
	void noticesANodeThatWasDeletedBeforeItWasWatched() throws Exception {
		ZooKeeperLeaseStore store = store();
		for (int i = 0; i < 20; i++) {
			TestContender holder = contend(store, TestClaim.of("a"));
			Grant grant = holder.granted();
			this.admin.deleteQueue("a");
			assertThat(TestContender.await(holder.lost())).contains("its node is gone");
			assertThat(grant.isValid()).isFalse();
		}
	}

	@Test
	void locksAndReleasesWithTwoRequests() {
		ZooKeeperLeaseStore store = store();
		contend(store, TestClaim.of("a")).release();
		this.operations.clear();
		int cycles = 100;
		for (int i = 0; i < cycles; i++) {
			contend(store, TestClaim.of("a")).release();
		}
		assertThat(count("create")).isEqualTo(cycles);
		assertThat(count("list")).isZero();
		assertThat(count("delete")).isEqualTo(cycles);
		// On a busy machine some are held for long enough to be watched.
		assertThat(count("read")).isLessThan(cycles / 2);
	}

	@Test
	void watchesALeaseThatIsHeldForAMoment() {
		ZooKeeperLeaseStore store = store();
		contend(store, TestClaim.of("a")).granted();
		awaitWatch();
	}

	private void awaitWatch() {
		Awaitility.await().until(() -> count("read") == 1);
	}

	private long count(String operation) {
		return this.operations.stream().filter(operation::equals).count();
	}

	private ZooKeeperLeaseStore store() {
		ZooKeeperLeaseStore store = store("a",
				(node, operation, outcome, error, nanos) -> this.operations.add(operation));
		this.operations.clear();
		return store;
	}

}
