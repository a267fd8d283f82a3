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
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.ZKUtil;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.data.ACL;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import io.quorlock.LockKeyException;
import io.quorlock.Settings;
import io.quorlock.embedded.EmbeddedZooKeeper;
import io.quorlock.embedded.LoopbackProxy;
import io.quorlock.logging.CapturedLog;
import io.quorlock.logging.LogCaptureExtension;
import io.quorlock.store.ClaimFailure;
import io.quorlock.store.ReleaseResult;
import io.quorlock.store.ReplyOutcome;
import io.quorlock.store.TestClaim;
import io.quorlock.store.TestContender;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Requests that the servers refuse: too large, or without the right for them.
 */
@ExtendWith(LogCaptureExtension.class)
class ZooKeeperLimitTests extends AbstractStoreTests {

	private final EmbeddedZooKeeper server = opened(EmbeddedZooKeeper.start());

	private final AtomicInteger requests = new AtomicInteger();

	@Override
	String connectString() {
		return this.server.connectString();
	}

	@Override
	void customize(Settings<ZooKeeperSettings> settings) {
		settings.set(ZooKeeperSettings::sessionTimeout, Duration.ofSeconds(15));
		settings.set(ZooKeeperSettings::operationTimeout, Duration.ofSeconds(10));
	}

	@Test
	void refusesNamesThatMakeARequestTooLarge() {
		ZooKeeperLeaseStore store = store("a");
		assertThatExceptionOfType(LockKeyException.class).isThrownBy(() -> contend(store, claim(256, "\u4e2d", 1_000)))
			.withMessageContaining("256 names")
			.withMessageContaining("takes 1,048,575 at most")
			.satisfies((ex) -> assertThat(ex.getMessage()).hasSizeLessThan(7_000));
		contend(store, claim(256, "x", 1_000)).granted();
	}

	@Test
	@Tag("long")
	void givesUpARequestThatTheServersCloseTheConnectionFor() {
		ZooKeeperLeaseStore store = store(connectString(), "a", (settings) -> {
			settings.set(ZooKeeperSettings::sessionTimeout, Duration.ofSeconds(40));
			settings.set(ZooKeeperSettings::clientProperties, Map.of("jute.maxbuffer", "4000000"));
		}, (node, operation, outcome, error, nanos) -> this.requests.incrementAndGet());
		TestContender other = contend(store, TestClaim.of("other")).holds();
		TestContender large = contend(store, claim(256, "\u4e2d", 1_000).waiting(WAIT));
		assertThat(large.failed()).isInstanceOf(ClaimFailure.Unavailable.class);
		assertThat(large.failed().description()).contains("is jute.maxbuffer of the servers less?");
		assertThat(this.requests.get()).isLessThan(5_000);
		assertThat(other.lost()).isNotDone();
		assertThat(other.granted().isValid()).isTrue();
	}

	@Test
	@Tag("long")
	void blamesALargeRequestOnlyForConnectionsThatAreLostInARow() throws Exception {
		String[] names = IntStream.range(0, 40)
			.mapToObj((i) -> "%02d".formatted(i) + "x".repeat(1_000))
			.toArray(String[]::new);
		TestContender holder = contend(store("holder"), TestClaim.of(names[7])).holds();
		AtomicInteger lost = new AtomicInteger();
		AtomicInteger listsUntilCut = new AtomicInteger();
		try (LoopbackProxy proxy = LoopbackProxy.to(this.server.port());
				RawClient admin = new RawClient(this.server.connectString())) {
			ZooKeeperLeaseStore store = store("127.0.0.1:" + proxy.port(), "a", (settings) -> {
				settings.set(ZooKeeperSettings::sessionTimeout, Duration.ofSeconds(40));
				settings.set(ZooKeeperSettings::operationTimeout, WAIT);
			}, (node, operation, outcome, error, nanos) -> {
				if (operation.equals("create") && outcome == ReplyOutcome.LOST) {
					lost.incrementAndGet();
				}
				else if (operation.equals("list") && outcome == ReplyOutcome.OK
						&& listsUntilCut.getAndDecrement() == 1) {
					proxy.cut();
				}
			});
			contend(store, TestClaim.of("other")).release();
			proxy.cut();
			TestContender large = contend(store, TestClaim.of(names).waiting(Duration.ofMinutes(5)));
			Awaitility.await().atMost(WAIT).until(() -> lost.get() == 1);
			// Once more, as soon as it is known that nothing was created.
			listsUntilCut.set(names.length);
			proxy.restore();
			Awaitility.await().atMost(WAIT).until(() -> lost.get() == 2);
			proxy.restore();
			Awaitility.await().atMost(WAIT).until(() -> large.waitingReports() == 1);
			// And again behind a creation that succeeded.
			admin.deleteQueue(names[3]);
			listsUntilCut.set(3); // it looks at 16 queues at once
			holder.release();
			Awaitility.await().atMost(WAIT).until(() -> lost.get() == 3);
			proxy.restore();
			large.granted();
		}
	}

	@Test
	void everyNodeIsProtectedAsConfigured() throws Exception {
		List<ACL> acl = List.of(new ACL(ZooDefs.Perms.ALL & ~ZooDefs.Perms.ADMIN, ZooDefs.Ids.ANYONE_ID_UNSAFE));
		ZooKeeperLeaseStore store = store(connectString(), "a",
				(settings) -> settings.set(ZooKeeperSettings::acl, acl));
		TestContender reader = contend(store, TestClaim.of("catalog"));
		assertThat(TestContender.await(reader.granted().downgrade(0).toCompletableFuture())).isTrue();
		contend(store, TestClaim.of("order")).granted();
		contend(store, TestClaim.of("export").permits(2)).granted();
		for (TestClaim claim : List.of(TestClaim.of("tick"), TestClaim.of("report").permits(2))) {
			TestContender coolingDown = contend(store, claim).holds();
			coolingDown.release(Duration.ofHours(1), null);
		}
		try (RawClient admin = new RawClient(this.server.connectString())) {
			List<String> paths = ZKUtil.listSubTreeBFS(admin.client(), "/quorlock");
			assertThat(paths).hasSizeGreaterThan(10);
			for (String path : paths) {
				assertThat(admin.client().getACL(path, null)).as(path).isEqualTo(acl);
			}
		}
	}

	@Test
	@Tag("long")
	void confirmsNoReleaseThatTheServersRefuse(CapturedLog output) throws Exception {
		ZooKeeperLeaseStore store = store(connectString(), "a", (settings) -> settings.set(ZooKeeperSettings::acl,
				List.of(new ACL(ZooDefs.Perms.ALL & ~ZooDefs.Perms.DELETE, ZooDefs.Ids.ANYONE_ID_UNSAFE))));
		try (RawClient admin = new RawClient(this.server.connectString())) {
			TestContender holder = contend(store, TestClaim.of("a")).holds();
			assertThat(holder.release()).isEqualTo(ReleaseResult.UNCONFIRMED);
			assertThat(output).contains("refuses to delete /quorlock/a/").contains("NOAUTH");
			contend(store, TestClaim.of("a")).refused();
			assertThat(TestContender.await(store.forceRelease("a", 0).toCompletableFuture()).get(0).error())
				.contains("cannot be deleted: NOAUTH");
			admin.client().setACL("/quorlock/a", ZooDefs.Ids.OPEN_ACL_UNSAFE, -1);
			Awaitility.await().atMost(WAIT).until(() -> admin.queue("a").isEmpty());
		}
	}

	/** The connection is lost behind a reply that is larger than the client takes. */
	@Test
	@Tag("long")
	void readsTheQueuesOfManyNamesThoughSeventyInstancesWaitForAllOfThem() throws Exception {
		AtomicInteger lost = new AtomicInteger();
		ZooKeeperLeaseStore store = store(connectString(), "a",
				(settings) -> settings.set(ZooKeeperSettings::operationTimeout, WAIT),
				(node, operation, outcome, error, nanos) -> {
					if (outcome == ReplyOutcome.LOST) {
						lost.incrementAndGet();
					}
				});
		TestClaim claim = claim(256, "x", 1);
		contend(store, claim).release();
		try (RawClient admin = new RawClient(this.server.connectString())) {
			for (int i = 0; i < 70; i++) {
				String node = "_c_" + UUID.randomUUID() + "-lock-";
				admin.client()
					.multi(IntStream.range(0, 256)
						.mapToObj((name) -> Op.create("/quorlock/%03dx/%s".formatted(name, node), new byte[0],
								ZooDefs.Ids.OPEN_ACL_UNSAFE, CreateMode.EPHEMERAL_SEQUENTIAL))
						.toList());
			}
			contend(store, claim).refused();
		}
		assertThat(lost).hasValue(0);
	}

	private static TestClaim claim(int names, String letter, int length) {
		return TestClaim.of(IntStream.range(0, names)
			.mapToObj((i) -> "%03d".formatted(i) + letter.repeat(length))
			.toArray(String[]::new));
	}

}
