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
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import org.apache.zookeeper.ZKUtil;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import io.quorlock.embedded.LoopbackProxy;
import io.quorlock.logging.CapturedLog;
import io.quorlock.logging.LogCaptureExtension;
import io.quorlock.store.Grant;
import io.quorlock.store.TestClaim;
import io.quorlock.store.TestContender;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What becomes of leases and claims at instants that the test chooses: on a real server,
 * by a clock that stands still in between.
 */
@ExtendWith(LogCaptureExtension.class)
class ZooKeeperTimeTests extends AbstractStoppedTimeTests {

	private static final String PERMITS = "/quorlock/export/leases";

	/** The names are the same in several tests. */
	@AfterEach
	@Override
	void stop() throws Exception {
		super.stop();
		RawClient.clear(server);
	}

	@Test
	void leaseIsPassedOnWhileAQuarterOfTheTimeoutIsProven() {
		Grant grant = contend(TestClaim.of("a")).granted();
		long last = grant.validUntilNanos() - TIMEOUT.dividedBy(4).toNanos();
		this.time.pauseUntil(last);
		assertThat(grant.passOn()).isTrue();
		this.time.pauseUntil(last + 1);
		assertThat(grant.passOn()).isFalse();
		assertThat(grant.isValid()).isTrue();
	}

	/** Since then the servers may count the time of a session. */
	@Test
	void sessionIsProvenFromWhenItsConnectionWasBegun() {
		long begun = this.time.nanoTime();
		try (LoopbackProxy between = LoopbackProxy.to(server.port())) {
			between.holdReplies();
			ZooKeeperLeaseStore other = starting("127.0.0.1:" + between.port(), "b",
					(settings) -> settings.set(ZooKeeperSettings::clockDriftFactor, 0.1));
			Awaitility.await().until(() -> between.connectionsOpen() == 1);
			this.time.advance(Duration.ofSeconds(5));
			between.releaseReplies();
			ZooKeeperStores.awaitAvailable(other);
			Grant grant = TestContender.of(other, TestClaim.of("a"), this.time.nanoTime()).start().granted();
			assertThat(Duration.ofNanos(grant.validUntilNanos() - begun)).isEqualTo(Duration.ofMillis(32_398));
			other.close();
		}
	}

	@Test
	void sessionIsProvenFromWhenItsNextConnectionWasBegun() {
		Grant grant = contend(TestClaim.of("a")).granted();
		long before = grant.validUntilNanos();
		this.time.advance(Duration.ofSeconds(1));
		long begun = this.time.nanoTime();
		this.proxy.cut();
		Awaitility.await().until(() -> this.proxy.connectionsOpen() == 0);
		this.proxy.restore();
		this.proxy.holdReplies();
		Awaitility.await().until(() -> this.proxy.connectionsOpen() == 1);
		this.time.advance(Duration.ofSeconds(4));
		this.proxy.releaseReplies();
		Awaitility.await().until(() -> grant.validUntilNanos() != before);
		assertThat(grant.validUntilNanos() - begun).isLessThan(TIMEOUT.toNanos());
	}

	@Test
	void leaseThatIsNotRenewedAnyMoreIsNotPassedOn() {
		Grant grant = contend(TestClaim.of("a")).granted();
		assertThat(grant.passOn()).isTrue();
		grant.stopRenewal("held for too long", 1);
		assertThat(grant.isValid()).isTrue();
		assertThat(grant.passOn()).isFalse();
	}

	@Test
	void leaseThatIsNotRenewedAnyMoreEndsWithWhatIsProvenByThen() {
		TestContender holder = contend(TestClaim.of("a").renewedLease(Duration.ofMinutes(5)));
		TestContender witness = contend(TestClaim.of("b"));
		Grant grant = holder.granted();
		long until = grant.validUntilNanos();
		assertThat(witness.granted().validUntilNanos()).isEqualTo(until);
		grant.stopRenewal("held for too long", 0);
		while (witness.granted().validUntilNanos() == until) {
			int before = witness.renewals().size();
			this.time.advance(HEARTBEAT);
			Awaitility.await().until(() -> witness.renewals().size() > before);
		}
		assertThat(grant.validUntilNanos()).isEqualTo(until);
		this.time.pauseUntil(until - 1);
		assertThat(grant.isValid()).isTrue();
		this.time.pauseUntil(until);
		assertThat(grant.isValid()).isFalse();
		assertThat(TestContender.await(holder.lost())).isEqualTo("held for too long");
		assertThat(witness.granted().isValid()).isTrue();
	}

	@Test
	void permitThatWasBegunWhenTheTurnWasLostIsNotTaken() throws Exception {
		contend(TestClaim.of("export").permits(1)).release();
		// What follows the look at the permits is the creation of one.
		atNextList(this.proxy::holdReplies);
		TestContender waiter = contend(TestClaim.of("export").permits(1).waiting(WAIT));
		Awaitility.await().until(() -> children(PERMITS) == 1);
		this.time.advance(TIMEOUT);
		this.proxy.releaseReplies();
		Awaitility.await().until(() -> children(PERMITS) == 0);
		// Heartbeats prove the session anew.
		Awaitility.await().pollInterval(Duration.ofMillis(100)).atMost(1, TimeUnit.MINUTES).until(() -> {
			this.time.advance(HEARTBEAT);
			return waiter.isGranted();
		});
		assertThat(waiter.granted().permit()).isOne();
	}

	@Test
	void permitThatIsReleasedBeforeItsHolderIsReadIsTaken() throws Exception {
		contend(TestClaim.of("export").permits(1)).granted();
		String held = PERMITS + "/" + this.admin.client().getChildren(PERMITS, false).get(0);
		// What follows the look at the permits is the question who holds one.
		atNextList(() -> this.admin.delete(held));
		TestContender waiter = contend(TestClaim.of("export").permits(1).waiting(WAIT));
		assertThat(waiter.granted().permit()).isOne();
	}

	/** As when the keys of the client cannot be read for a while, and once more later. */
	@Test
	void pausesBeginSmallAgainBehindASessionThatWasReady() {
		AtomicInteger failures = new AtomicInteger(3);
		ZooKeeperLeaseStore other = starting(server.connectString(), "b",
				(settings) -> settings.set(ZooKeeperSettings::moreClientProperties, () -> {
					if (failures.getAndDecrement() > 0) {
						throw new IllegalStateException("no keys");
					}
					return Map.of();
				}));
		advanceWhenDueIn(Duration.ofSeconds(1));
		advanceWhenDueIn(Duration.ofSeconds(2));
		advanceWhenDueIn(Duration.ofSeconds(4));
		ZooKeeperStores.awaitAvailable(other);
		failures.set(2); // of the end of the former session, and of the next one
		long former = other.sessionId();
		server.expireSession(former);
		advanceWhenDueIn(Duration.ZERO);
		advanceWhenDueIn(Duration.ofSeconds(1));
		Awaitility.await().until(() -> other.sessionId() != former && other.status().available());
	}

	@Test
	void serversThatCannotBeReachedAreReportedOnce(CapturedLog output) {
		this.time.advance(Duration.ofMillis(1)); // apart from the store without a fault
		starting("127.0.0.1:1", "b", (settings) -> {
		});
		for (int i = 0; i <= 3; i++) {
			Awaitility.await().until(() -> {
				this.time.advance(Duration.ZERO); // when the next session is opened
				return this.time.isDueIn(Duration.ofSeconds(15));
			});
			this.time.advance(Duration.ofSeconds(15));
		}
		assertThat(output.toString().split("no server accepted a session", -1)).hasSize(2);
	}

	@Test
	void rootThatIsPreparedOnceMoreCausesNoFurtherHeartbeats() throws Exception {
		ZKUtil.deleteRecursive(this.admin.client(), "/quorlock");
		this.time.advance(HEARTBEAT);
		Awaitility.await().until(() -> this.admin.exists("/quorlock/%token-base"));
		contend(TestClaim.of("a").waiting(WAIT)).granted();
		this.heartbeats.set(0);
		this.time.advance(HEARTBEAT);
		contend(TestClaim.of("b").waiting(WAIT)).granted(); // behind the replies
		assertThat(this.heartbeats).hasValue(1);
	}

	@Test
	void rootThatCannotBePreparedIsReportedOnce(CapturedLog output) {
		starting(server.connectString() + "/missing", "b", (settings) -> {
		});
		for (int i = 0; i < 3; i++) {
			advanceWhenDueIn(Duration.ofSeconds(1));
		}
		Awaitility.await().until(() -> this.time.isDueIn(Duration.ofSeconds(1)));
		assertThat(output.toString().split("refuses to prepare root", -1)).hasSize(2);
	}

	@Test
	@Tag("long")
	void pausesBetweenSessionsThatCannotBeOpenedGrowUpToHalfAMinute() {
		starting(server.connectString(), "b",
				(settings) -> settings.set(ZooKeeperSettings::moreClientProperties, () -> {
					throw new IllegalStateException("no keys");
				}));
		for (int seconds : new int[] { 1, 2, 4, 8, 16, 32, 32, 32 }) {
			advanceWhenDueIn(Duration.ofSeconds(seconds));
		}
	}

	@Test
	void sessionThatIsRefusedIsNotOpenedAgainAtOnce() {
		starting(server.connectString(), "b", (settings) -> settings.set(ZooKeeperSettings::credentials,
				List.of(new ZooKeeperSettings.Credentials("nosuch", "secret".getBytes(StandardCharsets.UTF_8)))));
		advanceWhenDueIn(Duration.ofSeconds(1));
		advanceWhenDueIn(Duration.ofSeconds(2));
		advanceWhenDueIn(Duration.ofSeconds(4));
	}

	@Test
	void sessionIsPreparedThoughTheConnectionIsLostMeanwhile() throws Exception {
		CompletableFuture<Void> cut = new CompletableFuture<>();
		try (LoopbackProxy between = LoopbackProxy.to(server.port())) {
			atNext("create", () -> {
				between.cut();
				cut.complete(null);
			});
			ZooKeeperLeaseStore other = starting("127.0.0.1:" + between.port(), "a", (settings) -> {
			});
			TestContender.await(cut);
			between.restore();
			Awaitility.await().until(() -> {
				this.time.advance(Duration.ofMillis(5));
				return other.status().available();
			});
			other.close();
		}
	}

	@Test
	@Tag("long")
	void formerSessionThatIsOverIsNotResumedAgainAndAgain() {
		AtomicInteger clients = new AtomicInteger();
		ZooKeeperLeaseStore other = starting(server.connectString(), "b",
				(settings) -> settings.set(ZooKeeperSettings::moreClientProperties, () -> {
					clients.incrementAndGet();
					return Map.of();
				}));
		ZooKeeperStores.awaitAvailable(other);
		long former = other.sessionId();
		server.expireSession(former);
		advanceWhenDueIn(Duration.ZERO);
		Awaitility.await().until(() -> other.sessionId() != former && other.status().available());
		for (int i = 0; i < 100; i++) {
			TestContender.of(other, TestClaim.of("a"), this.time.nanoTime()).start().release();
		}
		// One of the store, one that ends its former session, and the next.
		assertThat(clients).hasValue(3);
	}

	@Test
	void clientThatIsToEndAFormerSessionEndsWithItsStore() throws Exception {
		try (LoopbackProxy between = LoopbackProxy.to(server.port())) {
			AtomicInteger clients = new AtomicInteger();
			ZooKeeperLeaseStore other = starting("127.0.0.1:" + between.port(), "b",
					(settings) -> settings.set(ZooKeeperSettings::moreClientProperties, () -> {
						if (clients.incrementAndGet() == 2) {
							between.cut();
						}
						return Map.of();
					}));
			ZooKeeperStores.awaitAvailable(other);
			server.expireSession(other.sessionId());
			Awaitility.await().until(() -> clients.get() == 2);
			other.close();
			String server = "(127.0.0.1:" + between.port() + ")";
			Awaitility.await()
				.until(() -> Thread.getAllStackTraces()
					.keySet()
					.stream()
					.noneMatch((thread) -> thread.getName().endsWith(server)));
		}
	}

	private void advanceWhenDueIn(Duration delay) {
		Awaitility.await().until(() -> this.time.isDueIn(delay));
		this.time.advance(delay);
	}

	private int children(String path) throws Exception {
		return this.admin.client().getChildren(path, false).size();
	}

}
