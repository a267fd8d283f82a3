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

package io.quorlock.redis.client;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.mockito.ArgumentMatchers;
import org.mockito.BDDMockito;
import org.mockito.Mockito;

import io.quorlock.logging.CapturedLog;
import io.quorlock.logging.LogCaptureExtension;
import io.quorlock.quorum.membership.Membership;
import io.quorlock.quorum.membership.NodeAdmission;
import io.quorlock.quorum.node.NodeListener;
import io.quorlock.redis.MembershipRecord;
import io.quorlock.redis.NodeAddress;
import io.quorlock.redis.RespError;
import io.quorlock.redis.ServerInfo;
import io.quorlock.redis.client.EvictionPolicy.NodeEviction;
import io.quorlock.redis.client.RedisNodes.Housekeeper;
import io.quorlock.redis.client.ScratchCommands.Refusals;
import io.quorlock.time.SystemClock;
import io.quorlock.time.TestClock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.ArgumentMatchers.any;

/**
 * Tests for {@link Housekeeper} and {@link RecordUpdater}.
 */
@ExtendWith(LogCaptureExtension.class)
class HousekeeperTests {

	private static final long TIMEOUT_MILLIS = 20_000;

	private final Housekeeper housekeeper = new Housekeeper(new SystemClock(), null);

	private final RedisLockNode failing = node("failing");

	private final RedisLockNode sound = node("sound");

	/** Between two looks at a record that is as it should be. */
	private static final Duration PERIOD = Duration.ofSeconds(10);

	private final TestClock clock = new TestClock();

	private final RedisNodeOptions options = TestOptions.with(this.clock)
		.set(RedisNodeOptions::nodeEviction, NodeEviction.EXCLUDE)
		.build();

	private final NodeAdmission admission = new NodeAdmission(Duration.ofSeconds(60), 0.01, false);

	private RecordUpdater updater = updater(new Membership(List.of("node:6379")));

	private final Pipeline pipeline = Mockito.mock(Pipeline.class);

	/** Those with the record, and no others. */
	private final List<PendingCommand> sent = new ArrayList<>();

	@AfterEach
	void stop() {
		this.housekeeper.remove(this.failing);
		this.housekeeper.remove(this.sound);
	}

	@Test
	void errorOfOneNodeNeitherEndsTheThreadNorFloodsTheLog(CapturedLog output) {
		BDDMockito
			.willThrow(new StackOverflowError(), new OutOfMemoryError("Java heap space"), new StackOverflowError())
			.given(this.failing)
			.keep(ArgumentMatchers.anyLong());
		this.housekeeper.add(this.failing);
		this.housekeeper.add(this.sound);
		Mockito.verify(this.sound, Mockito.timeout(TIMEOUT_MILLIS).atLeast(4)).keep(ArgumentMatchers.anyLong());
		Mockito.verify(this.failing, Mockito.timeout(TIMEOUT_MILLIS).atLeast(4)).keep(ArgumentMatchers.anyLong());
		assertThat(output.toString().split("Housekeeping of lock node failing failed", -1)).hasSize(2);
	}

	@Test
	void failureThatComesBackLaterIsLoggedAgain(CapturedLog output) {
		BDDMockito.willThrow(new IllegalStateException("first"))
			.willDoNothing()
			.willThrow(new IllegalStateException("second"))
			.willDoNothing()
			.given(this.failing)
			.keep(ArgumentMatchers.anyLong());
		for (int i = 0; i < 4; i++) {
			this.housekeeper.tick(Set.of(this.failing));
		}
		assertThat(output.toString().split("Housekeeping of lock node failing failed", -1)).hasSize(3);
	}

	@Test
	void nodesAreKeptWhileAnyIsLeft() {
		this.housekeeper.add(this.failing);
		this.housekeeper.add(this.sound);
		this.housekeeper.remove(this.failing);
		Mockito.clearInvocations(this.sound);
		Mockito.verify(this.sound, Mockito.timeout(TIMEOUT_MILLIS).atLeast(3)).keep(ArgumentMatchers.anyLong());
	}

	/**
	 * Replies that came during the pause are read first: a connection that has them is
	 * not dead.
	 */
	@Test
	void nothingIsJudgedRightBehindAPauseOfTheProcess() {
		TestClock clock = new TestClock();
		Housekeeper housekeeper = new Housekeeper(clock, null);
		housekeeper.tick(Set.of(this.sound));
		Mockito.verify(this.sound).keep(ArgumentMatchers.anyLong());
		clock.advance(Duration.ofSeconds(10));
		housekeeper.tick(Set.of(this.sound));
		Mockito.verify(this.sound).keep(ArgumentMatchers.anyLong());
		// A process that is always late keeps its nodes all the same.
		clock.advance(Duration.ofSeconds(10));
		housekeeper.tick(Set.of(this.sound));
		Mockito.verify(this.sound, Mockito.times(2)).keep(ArgumentMatchers.anyLong());
	}

	@Test
	void threadEndsWithTheLastNode() {
		CompletableFuture<Thread> thread = new CompletableFuture<>();
		BDDMockito.willAnswer((invocation) -> thread.complete(Thread.currentThread()))
			.given(this.sound)
			.keep(ArgumentMatchers.anyLong());
		this.housekeeper.add(this.sound);
		Thread keeping = thread.orTimeout(TIMEOUT_MILLIS, TimeUnit.MILLISECONDS).join();
		assertThat(keeping.isDaemon()).isTrue();
		this.housekeeper.remove(this.sound);
		Awaitility.await().until(() -> !keeping.isAlive());
	}

	@Test
	void nodeThatCannotBeConnectedIsSaidToBeDownAndKeptUntilItIsStopped(CapturedLog output) {
		Housekeeper keeping = Mockito.mock(Housekeeper.class);
		RedisLockNode node = new RedisLockNode(NodeAddress.parse("redis://127.0.0.1:1"), NodeProbe.options(),
				new Membership(List.of("127.0.0.1:1")), 0, keeping);
		node.start(Mockito.mock(NodeListener.class));
		Mockito.verify(keeping).add(node);
		NodeProbe.until(() -> output.toString().contains("Lock node 127.0.0.1:1 is down: connection refused"));
		Mockito.verify(keeping, Mockito.never()).remove(node);
		node.stop();
		Mockito.verify(keeping).remove(node);
		assertThat(output).containsOnlyOnce("is down");
	}

	private static RedisLockNode node(String name) {
		RedisLockNode node = Mockito.mock(RedisLockNode.class);
		BDDMockito.given(node.name()).willReturn(name);
		return node;
	}

	HousekeeperTests() {
		BDDMockito.willAnswer((invocation) -> {
			PendingCommand command = invocation.getArgument(0);
			if (text(command).contains("lock:nodes")) {
				this.sent.add(command);
			}
			return null;
		}).given(this.pipeline).submit(any());
	}

	@Test
	void doubtThatArisesWhileTheRecordIsUnderWayIsToldWithTheNext() throws NodeUnavailableException {
		settle();
		this.clock.advance(PERIOD);
		PendingCommand underWay = update();
		assertThat(text(underWay)).contains("stay").doesNotContain(MembershipRecord.EVICTION);
		evictedKeys();
		reply(underWay);
		// An instance that connects now has to be told.
		PendingCommand next = update();
		assertThat(text(next)).contains("stay").contains(MembershipRecord.EVICTION);
		reply(next);
		this.clock.advance(PERIOD);
		assertThat(text(update())).contains("stay").doesNotContain(MembershipRecord.EVICTION);
	}

	/** An instance that connects a second later has not seen the reason itself. */
	@Test
	void doubtIsToldAtOnce() throws NodeUnavailableException {
		settle();
		evictedKeys();
		assertThat(text(update())).contains("stay").contains(MembershipRecord.EVICTION);
	}

	/** With the defaults it is remembered for the longest lease and eleven seconds. */
	@Test
	void listCountsForElevenSecondsAfterTheQuestionThatConfirmedIt() throws NodeUnavailableException {
		settle();
		this.clock.jump(Duration.ofSeconds(10));
		assertThat(this.admission.isListed(this.clock.nanoTime())).isTrue();
		PendingCommand confirmation = update();
		this.clock.jump(Duration.ofSeconds(2));
		assertThat(this.admission.isListed(this.clock.nanoTime())).isFalse();
		reply(confirmation);
		assertThat(this.admission.isListed(this.clock.nanoTime())).isTrue();
		this.clock.jump(Duration.ofSeconds(10));
		assertThat(this.admission.isListed(this.clock.nanoTime())).as("counted from the question").isFalse();
	}

	/** The server may be another one, or have lost what was written to it. */
	@Test
	void listIsNotedAtOnceOnANewConnection() throws NodeUnavailableException {
		settle();
		this.updater.disconnected();
		connect();
		assertThat(text(update())).contains("stay");
	}

	@Test
	void clockOfALostConnectionDoesNotCount() throws NodeUnavailableException {
		connect();
		assertThat(this.updater.clockOffsetMicros()).isPresent();
		this.updater.disconnected();
		assertThat(this.updater.clockOffsetMicros()).isEmpty();
	}

	@Test
	void nodeThatAnotherInstanceDoubtsDoesNotVote() throws NodeUnavailableException {
		this.admission.onConnected("first", 86_400, this.clock.nanoTime());
		connect();
		assertThat(this.admission.isVoting(this.clock.nanoTime())).isTrue();
		this.updater.onConnected(MembershipRecord.of(record(5)), Refusals.NONE);
		assertThat(this.admission.isVoting(this.clock.nanoTime())).isFalse();
		this.clock.advance(Duration.ofSeconds(64));
		assertThat(this.admission.isVoting(this.clock.nanoTime())).isTrue();
	}

	@Test
	void serverThatCannotBeUsedAnyMoreIsLeft() throws NodeUnavailableException {
		settle();
		this.clock.advance(PERIOD);
		update().onReply(new RespError("READONLY You can't write against a read only replica."));
		BDDMockito.then(this.pipeline).should().close("is a read-only replica");
	}

	/** Somebody else writes to the key. */
	@Test
	void serverWhoseRecordHasBecomeSomethingElseIsLeft() throws NodeUnavailableException {
		settle();
		this.clock.advance(PERIOD);
		update().onReply(List.of());
		BDDMockito.then(this.pipeline).should().close("has something else under the key lock:nodes");
	}

	@Test
	void connectionIsKeptWhereOnlyTheRecordCannotBeWritten() throws NodeUnavailableException {
		settle();
		this.clock.advance(PERIOD);
		update().onReply(new RespError("OOM command not allowed when used memory > 'maxmemory'."));
		BDDMockito.then(this.pipeline).should(BDDMockito.never()).close(any());
		assertThat(isDue()).isFalse();
		this.clock.advance(PERIOD);
		update().onReply(new RespError("NOSCRIPT No matching script."));
		// At once, behind the script.
		assertThat(isDue()).isTrue();
	}

	/**
	 * A node that restarted may vote again before a list is forgotten, not after that.
	 */
	@ParameterizedTest
	@CsvSource({ "0, 72", "60, 72", "300, 314" })
	void listIsRememberedForLongerThanLocksLast(long quarantineSeconds, String rememberedSeconds) {
		RedisNodeOptions changed = TestOptions.with(this.clock)
			.set(RedisNodeOptions::quarantine, Duration.ofSeconds(quarantineSeconds))
			.build();
		RecordUpdater asking = new RecordUpdater("node:6379", 0, changed, new Membership(List.of("node:6379")),
				this.admission, new NodeHealth(changed, this.admission), (lists) -> {
				});
		assertThat(new String(asking.stayCommand(), StandardCharsets.UTF_8))
			.contains("\r\nnode:6379\r\n$" + rememberedSeconds.length() + "\r\n" + rememberedSeconds + "\r\n");
	}

	/** It is asked four times a second what is due. */
	@Test
	void recordIsNotAskedForAgainWhileNoReplyComes() throws NodeUnavailableException {
		settle();
		this.clock.advance(PERIOD);
		update();
		assertThat(isDue()).isFalse();
		this.clock.advance(PERIOD);
		assertThat(isDue()).isTrue();
	}

	private RecordUpdater updater(Membership membership) {
		return new RecordUpdater("node:6379", 0, this.options, membership, this.admission,
				new NodeHealth(this.options, this.admission), (lists) -> {
				});
	}

	private void settle() throws NodeUnavailableException {
		connect();
		reply(update());
		assertThat(isDue()).isFalse();
	}

	private void connect() throws NodeUnavailableException {
		this.updater.stayCommand();
		this.updater.onConnected(MembershipRecord.of(record(-1)), Refusals.NONE);
	}

	private PendingCommand update() {
		assertThat(isDue()).isTrue();
		return this.sent.get(this.sent.size() - 1);
	}

	private boolean isDue() {
		return isDue(this.clock.nanoTime());
	}

	private boolean isDue(long nowNanos) {
		int before = this.sent.size();
		this.updater.update(this.pipeline, nowNanos);
		return this.sent.size() > before;
	}

	private void evictedKeys() throws NodeUnavailableException {
		for (String policy : List.of("allkeys-lru", "noeviction")) {
			this.updater.onServer(new ServerInfo("run_id:first\nmaxmemory:100\nmaxmemory_policy:" + policy));
		}
	}

	private void reply(PendingCommand command) {
		command.onReply(record(-1));
	}

	/** Of a node that has belonged to the list since the beginning. */
	private List<@Nullable Object> record(long doubtSeconds) {
		return Arrays.asList(0L, this.clock.wallMicros() / 1_000_000, 0L, doubtSeconds, new byte[0]);
	}

	private static String text(PendingCommand command) {
		return new String(command.bytes(), StandardCharsets.UTF_8);
	}

}
