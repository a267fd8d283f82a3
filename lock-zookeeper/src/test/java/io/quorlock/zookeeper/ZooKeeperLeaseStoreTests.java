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

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

import io.quorlock.LockKeyException;
import io.quorlock.embedded.EmbeddedZooKeeper;
import io.quorlock.store.Grant;
import io.quorlock.store.LeaseStore;
import io.quorlock.store.LeaseStoreContract;
import io.quorlock.store.TestClaim;
import io.quorlock.store.TestContender;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * The contract of stores on a real server, with and without a chroot.
 */
@ParameterizedClass
@ValueSource(strings = { "", RawClient.CHROOT })
class ZooKeeperLeaseStoreTests extends LeaseStoreContract {

	private static EmbeddedZooKeeper server;

	private final String chroot;

	ZooKeeperLeaseStoreTests(String chroot) {
		this.chroot = chroot;
	}

	@BeforeAll
	static void startServer() throws Exception {
		server = EmbeddedZooKeeper.start();
		RawClient.createChroot(server);
	}

	@AfterAll
	static void stopServer() {
		server.close();
	}

	@Override
	protected LeaseStore startStore(String instanceId) {
		return ZooKeeperStores.start(server.connectString() + this.chroot, instanceId);
	}

	@Test
	void refusesToKeepALeaseThatNobodyCouldAskFor() throws Exception {
		LeaseStore store = store("a");
		assertThatIllegalArgumentException().isThrownBy(() -> contend(store, TestClaim.of(this.name).retained()))
			.withMessageContaining("others could not ask for it")
			.withMessageContaining("Remove the retain time");
		start(store, TestClaim.of(this.name)).granted();
	}

	@Test
	void refusesWhatItCannotGrant() {
		LeaseStore store = ZooKeeperStores.create("127.0.0.1:1", "a",
				(settings) -> settings.set(ZooKeeperSettings::root, "/"));
		refuses(store, TestClaim.of("a").tokens(65), "at most 64 fencing tokens at once, not 65");
		refuses(store, TestClaim.of("a", "b").permits(2), "one name at a time");
		refuses(store, TestClaim.of("a", "zookeeper"), "keeps the name 'zookeeper' for itself");
		store.check(TestClaim.of("a").tokens(64).at(0));
		store.check(TestClaim.of("a").permits(2).at(0));
		ZooKeeperStores.create("127.0.0.1:1", "a", (settings) -> {
		}).check(TestClaim.of("zookeeper").at(0));
	}

	private static void refuses(LeaseStore store, TestClaim claim, String message) {
		assertThatThrownBy(() -> store.check(claim.at(0)))
			.isInstanceOfAny(IllegalArgumentException.class, LockKeyException.class)
			.hasMessageContaining(message);
	}

	@Test
	void grantsNoTokensWithoutFencing() throws Exception {
		LeaseStore store = ZooKeeperStores.start(server.connectString() + this.chroot, "a",
				(settings) -> settings.set(ZooKeeperSettings::fencing, false));
		try {
			assertThat(start(store, TestClaim.of(this.name)).granted().tokens()).isNull();
		}
		finally {
			store.close();
		}
	}

	@Test
	void passesOnNoRequestToLetGo() throws Exception {
		LeaseStore store = store("a");
		for (TestClaim claim : List.of(TestClaim.of(this.name), TestClaim.of(this.name).shared(),
				TestClaim.of(this.name).permits(2))) {
			TestContender holder = start(store, claim.waiting(Duration.ofSeconds(10)));
			Grant grant = holder.granted();
			assertThatExceptionOfType(UnsupportedOperationException.class)
				.isThrownBy(() -> grant.onReleaseRequested((request) -> holder.release()))
				.withMessageContaining("not passed on by the backend 'zookeeper'");
			assertThatExceptionOfType(UnsupportedOperationException.class)
				.isThrownBy(() -> store.requestRelease(this.name, Duration.ofSeconds(1)))
				.withMessageContaining("not passed on by the backend 'zookeeper'");
			assertThat(grant.isValid()).isTrue();
			holder.release();
		}
	}

}
