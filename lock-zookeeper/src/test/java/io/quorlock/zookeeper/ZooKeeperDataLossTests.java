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

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

import io.quorlock.logging.CapturedLog;
import io.quorlock.logging.LogCaptureExtension;
import io.quorlock.store.Grant;
import io.quorlock.store.TestClaim;
import io.quorlock.store.TestContender;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What becomes of a running instance whose servers lose their data, or are restored from
 * a backup: they know fewer transactions than the instance has seen.
 */
@ExtendWith(LogCaptureExtension.class)
class ZooKeeperDataLossTests {

	private static final Duration WAIT = Duration.ofSeconds(50);

	@TempDir
	Path data;

	private ReplaceableServer server;

	private final List<ZooKeeperLeaseStore> stores = new ArrayList<>();

	@BeforeEach
	void start() throws Exception {
		this.server = new ReplaceableServer(this.data.resolve("first"));
	}

	@AfterEach
	void stop() throws Exception {
		this.stores.forEach(ZooKeeperLeaseStore::close);
		this.server.close();
	}

	@Test
	void instanceRecoversWithNewSessionWhenServersKnowFewerTransactionsThanItHasSeen(CapturedLog log) throws Exception {
		ZooKeeperLeaseStore store = store("a");
		ZooKeeperLeaseStore unused = store("b");
		TestContender holder = contend(store, TestClaim.of("a"));
		Grant grant = holder.granted();
		loseData();
		TestContender waiter = contend(store, TestClaim.of("a").waiting(WAIT));
		assertThat(waiter.granted().isValid()).isTrue();
		assertThat(holder.lost()).isCompleted();
		assertThat(grant.isValid()).isFalse();
		assertThat(log).contains("the servers have closed each connection for 4000 ms",
				"for a session that has seen later transactions than they know");
		ZooKeeperStores.awaitAvailable(unused);
		assertThat(contend(unused, TestClaim.of("a")).refused().owner()).isEqualTo("a");
	}

	private void loseData() throws Exception {
		this.server.stop();
		this.server.start(this.data.resolve("empty"));
	}

	private ZooKeeperLeaseStore store(String instanceId) {
		ZooKeeperLeaseStore store = ZooKeeperStores.start(this.server.connectString(), instanceId,
				(settings) -> settings.sessionTimeout(Duration.ofSeconds(2)));
		this.stores.add(store);
		return store;
	}

	private static TestContender contend(ZooKeeperLeaseStore store, TestClaim claim) {
		return TestContender.of(store, claim, ZooKeeperStores.CLOCK.nanoTime()).start();
	}

}
