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
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.data.ACL;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

import io.quorlock.LockMode;
import io.quorlock.store.Grant;
import io.quorlock.store.NodeReport;
import io.quorlock.store.NodeState;
import io.quorlock.store.TestClaim;
import io.quorlock.store.TestContender;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

/**
 * What is told of locks and of the session, and what is released by force.
 */
class ZooKeeperReportTests extends AbstractStoppedTimeTests {

	@Test
	void reportTellsHoldersFromThoseThatWait() {
		Grant first = contend(TestClaim.of(this.name).shared()).granted();
		Grant second = contend(other(), TestClaim.of(this.name).shared()).granted();
		waiting(TestClaim.of(this.name));
		waiting(TestClaim.of(this.name).shared());
		NodeReport report = inspect();
		assertThat(report.holders()).extracting(NodeReport.Holder::owner, NodeReport.Holder::mode)
			.containsExactly(tuple(first.owner(), LockMode.SHARED), tuple(second.owner(), LockMode.SHARED));
		assertThat(report.remaining()).isEqualTo(TIMEOUT);
		assertThat(report.waiters()).extracting(NodeReport.Waiter::mode)
			.containsExactly(LockMode.EXCLUSIVE, LockMode.SHARED);
		assertThat(report.waiters()).allSatisfy((waiter) -> {
			assertThat(waiter.owner()).startsWith("a:");
			assertThat(waiter.waiting()).isBetween(Duration.ZERO, Duration.ofMinutes(1));
		});
	}

	@Test
	void reportTellsWhoHoldsWhichPermit() {
		Grant first = contend(permit()).granted();
		Grant second = contend(other(), permit()).granted();
		waiting(permit());
		NodeReport report = inspect();
		assertThat(report.holders()).extracting(NodeReport.Holder::owner, NodeReport.Holder::permit)
			.containsExactly(tuple(first.owner(), 1), tuple(second.owner(), 2));
		assertThat(report.waiters()).hasSize(1);
		assertThat(report.fence()).isEqualTo(Objects.requireNonNull(second.tokens())[0]);
	}

	/** A write to its node, as by an administrator, is no grant. */
	@Test
	void reportNamesTheTokenOfAHolderWhoseNodeWasWrittenTo() throws Exception {
		Grant grant = contend(TestClaim.of(this.name)).granted();
		String path = "/quorlock/" + this.name + "/" + this.admin.queue(this.name).get(0);
		this.admin.client().setData(path, grant.owner().getBytes(StandardCharsets.UTF_8), -1);
		NodeReport report = inspect();
		assertThat(report.owner()).isEqualTo(grant.owner());
		assertThat(report.fence()).isEqualTo(Objects.requireNonNull(grant.tokens())[0]);
	}

	@Test
	void permitThatIsReleasedByForceIsTheOnlyOne() {
		TestContender first = contend(permit());
		TestContender second = contend(other(), permit());
		Grant kept = first.granted();
		Grant released = second.granted();
		assertThat(await(this.store.forceRelease(this.name, 2)).holders()).hasSize(2);
		this.time.advance(Duration.ofMillis(20)); // when leases begin to be watched
		assertThat(TestContender.await(second.lost())).contains("its node is gone");
		assertThat(released.isValid()).isFalse();
		assertThat(kept.isValid()).isTrue();
		assertThat(inspect().holders()).extracting(NodeReport.Holder::permit).containsExactly(1);
		await(this.store.forceRelease(this.name, 1));
		assertThat(TestContender.await(first.lost())).isEqualTo("it was released by force");
		assertThat(inspect().holders()).isEmpty();
	}

	@Test
	void reportTellsThatANameCoolsDown() {
		contend(TestClaim.of(this.name)).release(Duration.ofMinutes(2), null);
		NodeReport report = inspect();
		assertThat(report.holders()).extracting(NodeReport.Holder::owner, NodeReport.Holder::mode)
			.containsExactly(tuple(null, LockMode.EXCLUSIVE));
		assertThat(report.remaining()).isBetween(Duration.ofMinutes(1), Duration.ofMinutes(2));
		// A look at it ends nothing, and neither does the release of a permit.
		await(this.store.forceRelease(this.name, 1));
		assertThat(inspect().holders()).hasSize(1);
	}

	@Test
	void nameThatCoolsDownIsReleasedByForce() {
		contend(TestClaim.of(this.name)).release(Duration.ofMinutes(2), null);
		contend(other(), TestClaim.of(this.name)).refused();
		await(this.store.forceRelease(this.name, 0));
		contend(other(), TestClaim.of(this.name).waiting(WAIT)).granted();
	}

	/** Asked for at the instance that holds the name, as it is where there are few. */
	@Test
	void releaseByForceTakesNothingFromTheNextHolder() throws Exception {
		TestContender holder = contend(TestClaim.of(this.name, this.name + ":2"));
		Grant grant = holder.granted();
		TestContender next = contend(other(), TestClaim.of(this.name).waiting(WAIT)).waits();
		CompletionStage<List<NodeReport>> reports = this.store.forceRelease(this.name, 0);
		assertThat(holder.lost()).isCompletedWithValue("it was released by force");
		assertThat(await(reports).owner()).isEqualTo(grant.owner());
		Grant granted = next.granted();
		inspect(); // behind whatever is still to be deleted
		assertThat(this.admin.queue(this.name)).hasSize(1);
		assertThat(this.admin.queue(this.name + ":2")).isEmpty();
		this.time.advance(Duration.ofMillis(20)); // when leases begin to be watched
		assertThat(granted.isValid()).isTrue();
		assertThat(next.lost()).isNotDone();
	}

	@Test
	void releaseByForceWithoutAReplyReleasesWhatThisInstanceHolds() throws Exception {
		TestContender holder = contend(TestClaim.of(this.name)).holds();
		this.proxy.holdReplies();
		CompletionStage<List<NodeReport>> reports = this.store.forceRelease(this.name, 0);
		assertThat(holder.lost()).isCompletedWithValue("it was released by force");
		this.time.advance(OPERATION_TIMEOUT);
		assertThat(await(reports).error()).isNotNull();
		Awaitility.await().until(() -> this.admin.queue(this.name).isEmpty());
	}

	/** As the readers of a large fleet, of which a report shows the first hundred. */
	@Test
	void nameIsReleasedByForceHoweverManyHoldIt() throws Exception {
		contend(TestClaim.of(this.name).shared()).release();
		holders(120, "", "_c_reader-__READ__");
		await(this.store.forceRelease(this.name, 0));
		assertThat(this.admin.queue(this.name)).isEmpty();
	}

	@Test
	void permitBehindManyOthersIsReleasedByForce() throws Exception {
		contend(permit()).release();
		holders(120, "/leases", "_c_permit-p%d-lease-");
		await(this.store.forceRelease(this.name, 120));
		assertThat(this.admin.client().getChildren("/quorlock/" + this.name + "/leases", false)).hasSize(119)
			.noneMatch((node) -> node.contains("-p120-"));
	}

	private void holders(int count, String part, String prefix) throws Exception {
		for (int number = 1; number <= count; number++) {
			this.admin.client()
				.create("/quorlock/" + this.name + part + "/" + prefix.formatted(number),
						("c:0:%d %d".formatted(number, number)).getBytes(StandardCharsets.UTF_8),
						ZooDefs.Ids.OPEN_ACL_UNSAFE, CreateMode.EPHEMERAL_SEQUENTIAL);
		}
	}

	@Test
	void reportIsReadBehindASync() {
		this.operations.clear();
		inspect();
		Awaitility.await().untilAsserted(() -> assertThat(this.operations).startsWith("sync", "list"));
	}

	@Test
	void reportWithoutAReplyFailsInTime() {
		this.proxy.holdReplies();
		CompletableFuture<List<NodeReport>> reports = this.store.inspect(this.name).toCompletableFuture();
		this.time.advance(OPERATION_TIMEOUT.minusNanos(1));
		assertThat(reports).isNotDone();
		this.time.advance(Duration.ofNanos(1));
		assertThat(TestContender.await(reports).get(0).error()).contains("session 0x");
	}

	@Test
	void reportOfWhatMayNotBeReadFails() throws Exception {
		contend(TestClaim.of(this.name)).granted();
		String path = "/quorlock/" + this.name;
		ACL none = new ACL(ZooDefs.Perms.ADMIN, ZooDefs.Ids.ANYONE_ID_UNSAFE);
		this.admin.client().setACL(path, new ArrayList<>(List.of(none)), -1);
		assertThat(inspect().error()).isEqualTo("NOAUTH");
	}

	/** What is known of the tokens would look like none at all. */
	@Test
	void reportWithoutTheBaseOfTokensFails() throws Exception {
		ACL none = new ACL(ZooDefs.Perms.ALL & ~ZooDefs.Perms.READ, ZooDefs.Ids.ANYONE_ID_UNSAFE);
		this.admin.client().setACL("/quorlock/%token-base", new ArrayList<>(List.of(none)), -1);
		try {
			assertThat(inspect().error()).isEqualTo("NOAUTH");
		}
		finally {
			this.admin.client().setACL("/quorlock/%token-base", ZooDefs.Ids.OPEN_ACL_UNSAFE, -1);
		}
	}

	@Test
	void reportLeavesNoTimer() {
		int before = this.time.pending();
		inspect();
		// It is cancelled beside the reply.
		Awaitility.await().until(() -> this.time.pending() <= before);
	}

	@Test
	void reportOfAStoreThatIsClosedFails() {
		this.store.close();
		assertThat(inspect().error()).isEqualTo("the connection to ZooKeeper is closed");
		assertThat(state()).isEqualTo("closed");
	}

	@Test
	void stateTellsWhetherTheSessionIsConnectedAndProven() {
		String session = "session 0x" + Long.toHexString(this.store.sessionId());
		assertThat(state()).isEqualTo("connected");
		assertThat(node().reason()).isEmpty();
		assertThat(node().runId()).isEqualTo("0x" + Long.toHexString(this.store.sessionId()));
		Grant grant = contend(TestClaim.of(this.name)).granted();
		long millis = (grant.validUntilNanos() - this.time.nanoTime()) / 1_000_000;
		assertThat(this.store.describeSession()).startsWith(session)
			.containsPattern("with a timeout of 36000 ms, connected to [^,]+:" + this.proxy.port() + ", ")
			.endsWith("is proven to be alive for another %d ms".formatted(millis));
		this.time.pauseUntil(grant.validUntilNanos());
		assertThat(state()).isEqualTo("unproven");
		assertThat(this.store.status().available()).isFalse();
		assertThat(node().reason()).startsWith(session).endsWith("is not proven to be alive");
		this.proxy.cut();
		Awaitility.await().until(() -> state().equals("disconnected"));
		assertThat(node().reason()).containsPattern("not connected, last to [^,]+:" + this.proxy.port() + ", ");
	}

	@Test
	void storeWithoutASessionTellsWhatBecameOfTheLast() {
		expire(this.store.sessionId());
		// The next one is opened by the timer.
		Awaitility.await().until(() -> this.store.describeSession().startsWith("no session"));
		Awaitility.await().until(() -> this.store.describeSession().endsWith(": the session expired"));
		assertThat(node().reason()).isEqualTo(this.store.describeSession());
		assertThat(this.store.status().available()).isFalse();
	}

	private String state() {
		return node().state();
	}

	private NodeState node() {
		return this.store.status().nodes().get(0);
	}

	private NodeReport inspect() {
		return await(this.store.inspect(this.name));
	}

	private static NodeReport await(CompletionStage<List<NodeReport>> reports) {
		return TestContender.await(reports.toCompletableFuture()).get(0);
	}

	private void waiting(TestClaim claim) {
		contend(claim.waiting(WAIT)).waits();
	}

	private TestClaim permit() {
		return TestClaim.of(this.name).permits(2);
	}

}
