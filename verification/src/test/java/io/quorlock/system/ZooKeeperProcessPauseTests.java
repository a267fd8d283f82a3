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

import java.time.Duration;
import java.util.List;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import io.quorlock.embedded.EmbeddedZooKeeper;
import io.quorlock.embedded.EmbeddedZooKeeperEnsemble;
import io.quorlock.store.TestClaim;
import io.quorlock.store.TestContender;
import io.quorlock.time.SystemClock;
import io.quorlock.time.TimerThread;
import io.quorlock.zookeeper.TestZooKeeperSettings;
import io.quorlock.zookeeper.ZooKeeperLeaseStore;
import io.quorlock.zookeeper.ZooKeeperSettings;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What a holder says that was stopped while its session went on, or ended (R22).
 */
@Tag("proof")
class ZooKeeperProcessPauseTests {

	private static final Duration TIMEOUT = Duration.ofSeconds(4);

	private final SystemClock clock = new SystemClock();

	private final TimerThread timer = new TimerThread("pause-tests");

	private EmbeddedZooKeeperEnsemble ensemble;

	private EmbeddedZooKeeper leader;

	private EmbeddedZooKeeper follower;

	private ZooKeeperLeaseStore asking;

	@BeforeEach
	void start() {
		this.ensemble = EmbeddedZooKeeperEnsemble.start(3);
		this.leader = this.ensemble.leader();
		this.follower = this.ensemble.followers().get(0);
		this.asking = new ZooKeeperLeaseStore(TestZooKeeperSettings.with(this.leader.connectString(), "asker")
			.set(ZooKeeperSettings::sessionTimeout, TIMEOUT)
			.build(), this.clock, this.timer, List.of());
		this.asking.start();
		Awaitility.await().atMost(Duration.ofSeconds(30)).until(() -> this.asking.status().available());
	}

	@AfterEach
	void stop() {
		this.asking.close();
		this.timer.close();
		this.ensemble.close();
	}

	@Test
	void saysLostWhenItWasStoppedForLongerThanItsSession() throws Exception {
		try (ChildJvm holder = holder()) {
			TestContender waiter = waiter();
			holder.pause(TIMEOUT.multipliedBy(2));
			assertThat(lastHeld(holder)).isLessThan(waiter.grantedAtMillis());
		}
	}

	@Test
	void learnsNothingFromTheHeartbeatsThatBunchAfterAPause() throws Exception {
		try (ChildJvm holder = holder()) {
			TestContender waiter = waiter();
			// Heartbeats are on their regular course.
			Thread.sleep(TIMEOUT.toMillis() / 2);
			holder.pause(TIMEOUT.multipliedBy(9).dividedBy(10));
			Thread.sleep(150);
			this.ensemble.link(this.follower, this.leader).blackhole();
			assertThat(lastHeld(holder)).isLessThan(waiter.grantedAtMillis());
		}
	}

	private ChildJvm holder() throws Exception {
		ChildJvm holder = ChildJvm.start(ZooKeeperHolderProcess.class,
				List.of(this.follower.connectString(), String.valueOf(TIMEOUT.toMillis()), "order:42"));
		holder.awaitLine("HELD");
		return holder;
	}

	private static long lastHeld(ChildJvm holder) throws Exception {
		return Long.parseLong(holder.awaitLine("LOST"));
	}

	private TestContender waiter() {
		return TestContender
			.of(this.asking, TestClaim.of("order:42").waiting(Duration.ofMinutes(1)), this.clock.nanoTime())
			.start();
	}

}
