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
import java.util.List;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

import io.quorlock.Settings;
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
class ZooKeeperDataLossTests extends AbstractStoreTests {

	private Path data;

	private ReplaceableServer server;

	@BeforeEach
	void start(@TempDir Path data) throws Exception {
		this.data = data;
		this.server = opened(new ReplaceableServer(data.resolve("first")));
	}

	@Override
	String connectString() {
		return this.server.connectString();
	}

	@Override
	void customize(Settings<ZooKeeperSettings> settings) {
		settings.set(ZooKeeperSettings::sessionTimeout, Duration.ofSeconds(2));
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

	/** Each election of a leader puts tokens 76 hours ahead of the clock. */
	@Test
	void tokensDoNotGoBackWhenServersLoseTheirData(CapturedLog log) throws Exception {
		ZooKeeperLeaseStore store = store("a");
		ZooKeeperLeaseStore witness = store("b");
		setBase(System.currentTimeMillis() * 1_000 + Duration.ofDays(30).toNanos() / 1_000);
		long own = tokenOf(contend(store, TestClaim.of("a")).granted());
		TestContender holder = contend(witness, TestClaim.of("b")).holds();
		// The heartbeat of another instance shows it what may have been granted.
		int renewals = holder.renewals().size();
		Awaitility.await().until(() -> holder.renewals().size() > renewals + 1);
		store.close();
		loseData();
		long next = tokenOf(contend(witness, TestClaim.of("a").waiting(WAIT)).granted());
		assertThat(next).isGreaterThan(own);
		assertThat(log).contains("were about to go back", "/quorlock/%token-base is raised to");
		assertThat(tokenOf(contend(store("c"), TestClaim.of("c")).granted())).isGreaterThan(next);
	}

	/**
	 * A backup of the same epoch goes on with greater transactions, and with the session.
	 */
	@Test
	void baseOfTokensThatIsLessThanItWasIsRaised(CapturedLog log) throws Exception {
		ZooKeeperLeaseStore store = store("a");
		long former = System.currentTimeMillis() * 1_000;
		for (TestClaim claim : List.of(TestClaim.of("a"), TestClaim.of("a", "b"), TestClaim.of("a").permits(2))) {
			setBase(former + Duration.ofDays(30).toNanos() / 1_000);
			TestContender before = contend(store, claim.waiting(WAIT));
			long token = tokenOf(before.granted());
			before.release();
			setBase(former);
			TestContender after = contend(store, claim.waiting(WAIT));
			assertThat(tokenOf(after.granted())).isGreaterThan(token);
			after.release();
		}
		assertThat(log).contains("were about to go back");
	}

	private void setBase(long base) throws Exception {
		try (RawClient admin = new RawClient(this.server.connectString())) {
			admin.client().setData("/quorlock/%token-base", Long.toString(base).getBytes(), -1);
		}
	}

	private void loseData() throws Exception {
		this.server.stop();
		this.server.start(this.data.resolve("empty"));
	}

}
