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

import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import io.quorlock.Settings;
import io.quorlock.embedded.LoopbackProxy;
import io.quorlock.store.Grant;
import io.quorlock.store.TestClaim;
import io.quorlock.store.TestContender;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Claims for permits: what they cost, and what becomes of them while others wait.
 */
class ZooKeeperPermitTests extends AbstractServerTests {

	@Override
	void customize(Settings<ZooKeeperSettings> settings) {
		settings.set(ZooKeeperSettings::sessionTimeout, Duration.ofSeconds(30));
	}

	@Test
	void refusesAtOnceWhileAnotherClaimWaits() throws Exception {
		ZooKeeperLeaseStore first = store("a");
		contend(first, TestClaim.of("export").permits(2)).granted();
		contend(first, TestClaim.of("export").permits(2)).granted();
		TestContender waiter = contend(first, TestClaim.of("export").permits(2).waiting(WAIT)).waits();
		int queued = children();
		List<String> operations = new CopyOnWriteArrayList<>();
		ZooKeeperLeaseStore second = observed("b", operations);
		operations.clear();
		TestContender refused = contend(second, TestClaim.of("export").permits(2));
		assertThat(refused.refused().owner()).isEqualTo("a");
		assertThat(refused.refused().description()).contains("all 2 permits are held");
		// It did not queue behind the one that waits.
		assertThat(operations).doesNotContain("create");
		assertThat(children()).isEqualTo(queued);
	}

	private int children() throws Exception {
		return this.admin.client().getChildren("/quorlock/export/locks", false).size();
	}

	@Test
	@Tag("long")
	void queuesAgainWhenTheConnectionIsLostForLongerThanItsTurnIsProven() {
		ZooKeeperLeaseStore first = store("a");
		TestContender holder = contend(first, TestClaim.of("export").permits(1)).holds();
		LoopbackProxy proxy = proxy();
		ZooKeeperLeaseStore second = store("127.0.0.1:" + proxy.port(), "b",
				(settings) -> settings.set(ZooKeeperSettings::sessionTimeout, Duration.ofSeconds(6)));
		TestContender witness = contend(second, TestClaim.of("witness")).holds();
		TestContender waiter = waiting(second, TestClaim.of("export").permits(1));
		proxy.cut();
		TestContender.await(witness.lost());
		proxy.restore();
		holder.release();
		Grant granted = waiter.granted();
		assertThat(granted.permit()).isOne();
		assertThat(granted.isValid()).isTrue();
	}

	@Test
	void asksTheSameWhetherFewPermitsAreHeldOrMany() {
		ZooKeeperLeaseStore first = store("a");
		List<String> operations = new CopyOnWriteArrayList<>();
		ZooKeeperLeaseStore second = observed("b", operations);
		contend(first, TestClaim.of("export").permits(40)).granted();
		int few = requestsOf(operations, () -> contend(second, TestClaim.of("export").permits(40)).granted());
		for (int i = 0; i < 37; i++) {
			assertThat(contend(first, TestClaim.of("export").permits(40)).granted().permit()).isEqualTo(i + 3);
		}
		int many = requestsOf(operations,
				() -> assertThat(contend(second, TestClaim.of("export").permits(40)).granted().permit()).isEqualTo(40));
		// A request more or less comes from a watch that is set, or that wakes,
		// meanwhile.
		assertThat(many).isLessThanOrEqualTo(few + 5);
		int refused = requestsOf(operations, () -> contend(second, TestClaim.of("export").permits(40)).refused());
		assertThat(refused).isLessThanOrEqualTo(3 + 5);
	}

	/** Heartbeats are none of them, and what a claim leaves behind is deleted later. */
	private static int requestsOf(List<String> operations, Runnable claim) {
		operations.clear();
		claim.run();
		return (int) operations.stream()
			.filter((operation) -> !operation.equals("heartbeat") && !operation.equals("delete"))
			.count();
	}

	private ZooKeeperLeaseStore observed(String instanceId, List<String> operations) {
		ZooKeeperLeaseStore store = store(instanceId,
				(node, operation, outcome, error, nanos) -> operations.add(operation));
		// What a new session asks for besides.
		Awaitility.await().until(() -> operations.contains("sync"));
		return store;
	}

}
