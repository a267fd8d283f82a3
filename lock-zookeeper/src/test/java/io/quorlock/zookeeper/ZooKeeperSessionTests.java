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

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import io.quorlock.embedded.EmbeddedZooKeeper;
import io.quorlock.embedded.LoopbackProxy;
import io.quorlock.logging.CapturedLog;
import io.quorlock.logging.LogCaptureExtension;
import io.quorlock.store.Grant;
import io.quorlock.store.TestClaim;
import io.quorlock.store.TestContender;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Sessions: what they outlive, and what ends them.
 */
@ExtendWith(LogCaptureExtension.class)
class ZooKeeperSessionTests extends AbstractStoreTests {

	private final EmbeddedZooKeeper server = opened(EmbeddedZooKeeper.start());

	private final LoopbackProxy proxy = opened(LoopbackProxy.to(this.server.port()));

	@Override
	String connectString() {
		return "127.0.0.1:" + this.proxy.port();
	}

	@Test
	void losesItsLocksWhenAServerGrantsAnotherTimeout(CapturedLog output) {
		ZooKeeperLeaseStore store = store(connectString(), "a",
				(settings) -> settings.set(ZooKeeperSettings::sessionTimeout, Duration.ofSeconds(20)));
		TestContender holder = contend(store, TestClaim.of("a"));
		Grant grant = holder.granted();
		// As one server after the other gets a new configuration.
		this.server.maxSessionTimeout(Duration.ofSeconds(5));
		this.proxy.cut();
		this.proxy.restore();
		assertThat(TestContender.await(holder.lost())).contains("changed its timeout from 20000 to 5000 ms");
		assertThat(grant.isValid()).isFalse();
		TestContender next = contend(store, TestClaim.of("a").waiting(WAIT));
		// By the proof of the new session.
		assertThat(next.granted().validUntilNanos() - ZooKeeperStores.CLOCK.nanoTime())
			.isLessThan(Duration.ofSeconds(5).toNanos());
		assertThat(output).contains("all servers have to agree")
			.contains("granted a session timeout of 5000 ms, 20000 ms were asked for")
			.contains("session timeout of 5000 ms is short");
	}

	@Test
	void warnsOfAServerThatGrantsALongerTimeoutThanWasAskedFor(CapturedLog output) {
		ZooKeeperLeaseStore store = store(connectString(), "a",
				(settings) -> settings.set(ZooKeeperSettings::sessionTimeout, Duration.ofSeconds(3)));
		contend(store, TestClaim.of("a")).granted();
		assertThat(output).contains("granted a session timeout of 4000 ms, 3000 ms were asked for");
	}

	@Test
	void keepsItsLocksWhenAConnectionIsReplaced() {
		AtomicInteger heartbeats = new AtomicInteger();
		ZooKeeperLeaseStore store = observed(heartbeats, Duration.ofSeconds(40));
		TestContender holder = contend(store, TestClaim.of("a"));
		Grant grant = holder.granted();
		long until = grant.validUntilNanos();
		int before = heartbeats.get();
		this.proxy.cut();
		this.proxy.restore();
		// Not by the heartbeats, of which the next one that proves anything is far off.
		Awaitility.await().atMost(Duration.ofSeconds(6)).until(() -> grant.validUntilNanos() - until > 0);
		assertThat(heartbeats.get() - before).isLessThanOrEqualTo(2);
		assertThat(holder.lost()).isNotDone();
	}

	@Test
	@Tag("long")
	void keepsItsLocksOverAnOutageOfHalfTheTimeout() {
		AtomicInteger heartbeats = new AtomicInteger();
		ZooKeeperLeaseStore store = observed(heartbeats, Duration.ofSeconds(30));
		TestContender holder = contend(store, TestClaim.of("a"));
		Grant grant = holder.granted();
		int before = heartbeats.get();
		Awaitility.await().atMost(WAIT).until(() -> heartbeats.get() >= before + 3);
		long begun = ZooKeeperStores.CLOCK.nanoTime();
		this.proxy.cut();
		Awaitility.await()
			.atMost(WAIT)
			.until(() -> ZooKeeperStores.CLOCK.nanoTime() - begun > Duration.ofMillis(15_500).toNanos());
		this.proxy.restore();
		long until = grant.validUntilNanos();
		Awaitility.await().atMost(WAIT).until(() -> grant.validUntilNanos() - until > 0 || holder.lost().isDone());
		assertThat(holder.lost()).isNotDone();
		assertThat(grant.isValid()).isTrue();
	}

	@Test
	@Tag("long")
	void doesNotWaitForItsOwnFormerSession() {
		ZooKeeperLeaseStore store = store(this.server.connectString(), "a",
				(settings) -> settings.set(ZooKeeperSettings::sessionTimeout, Duration.ofSeconds(20)));
		TestContender holder = contend(store, TestClaim.of("a")).holds();
		long former = store.sessionId();
		this.server.stop();
		TestContender.await(holder.lost());
		// The client gives its session up when a third more than the timeout is over.
		Awaitility.await().atMost(WAIT).until(() -> store.sessionId() != former);
		// The server starts the time of all sessions anew.
		this.server.restart();
		this.server.awaitServing();
		long begun = ZooKeeperStores.CLOCK.nanoTime();
		contend(store, TestClaim.of("a").waiting(WAIT)).granted();
		assertThat(ZooKeeperStores.CLOCK.nanoTime() - begun).isLessThan(Duration.ofSeconds(15).toNanos());
	}

	@Test
	@Tag("long")
	void reportsARefusedAuthenticationOnce(CapturedLog output) {
		ZooKeeperLeaseStore store = starting(connectString(), "a", (settings) -> settings.set(
				ZooKeeperSettings::credentials,
				List.of(new ZooKeeperSettings.Credentials("nosuch", "secret".getBytes(StandardCharsets.UTF_8)))));
		Awaitility.await().atMost(WAIT).until(() -> this.proxy.connectionsAccepted() >= 4);
		assertThat(output.toString().split("refused the authentication", -1)).hasSize(2);
		Awaitility.await().atMost(WAIT).until(() -> store.describeSession().contains("refused the authentication"));
	}

	@Test
	void namesAChrootThatDoesNotExistAndGoesOnOnceItDoes() throws Exception {
		ZooKeeperLeaseStore store = starting(this.server.connectString() + "/apps/shop", "a", (settings) -> {
		});
		Awaitility.await().atMost(WAIT).until(() -> store.describeSession().contains("NONODE"));
		assertThat(store.describeSession()).contains("create '/apps/shop'");
		RawClient.createChroot(this.server);
		ZooKeeperStores.awaitAvailable(store);
		assertThat(store.describeSession()).startsWith("session 0x");
		contend(store, TestClaim.of("a")).granted();
	}

	private ZooKeeperLeaseStore observed(AtomicInteger heartbeats, Duration sessionTimeout) {
		return store(connectString(), "a",
				(settings) -> settings.set(ZooKeeperSettings::sessionTimeout, sessionTimeout),
				(node, operation, outcome, error, nanos) -> {
					if (operation.equals("heartbeat") && error == null) {
						heartbeats.incrementAndGet();
					}
				});
	}

}
