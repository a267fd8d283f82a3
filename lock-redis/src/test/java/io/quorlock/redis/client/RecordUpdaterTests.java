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

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.mockito.BDDMockito;
import org.mockito.Mockito;

import io.quorlock.logging.LogCaptureExtension;
import io.quorlock.quorum.membership.ClockSteps;
import io.quorlock.quorum.membership.Layout;
import io.quorlock.quorum.membership.Membership;
import io.quorlock.quorum.membership.NodeAdmission;
import io.quorlock.redis.MembershipRecord;
import io.quorlock.redis.RespError;
import io.quorlock.redis.ServerInfo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.ArgumentMatchers.any;

/**
 * Tests for {@link RecordUpdater}: what it writes, and when (R10, R27).
 */
@ExtendWith(LogCaptureExtension.class)
class RecordUpdaterTests {

	/** Between two looks at a record that is as it should be. */
	private static final Duration PERIOD = Duration.ofSeconds(10);

	private final TestClock clock = new TestClock();

	private final RedisNodeOptions options = RedisNodeOptions.builder(this.clock)
		.nodeEviction(NodeEviction.EXCLUDE)
		.build();

	private final NodeAdmission admission = new NodeAdmission(Duration.ofSeconds(60), 0.01, false);

	private RecordUpdater updater = updater(new Membership(List.of("node:6379")));

	/** What the node says of its seal. */
	private long seal = -1;

	private final Pipeline pipeline = Mockito.mock(Pipeline.class);

	/** Those with the record, and no others. */
	private final List<PendingCommand> sent = new ArrayList<>();

	RecordUpdaterTests() {
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

	/** The server may be another one, or have lost what was written to it. */
	@Test
	void listIsNotedAtOnceOnANewConnection() throws NodeUnavailableException {
		settle();
		this.updater.disconnected();
		connect();
		assertThat(text(update())).contains("stay");
	}

	/** A look at the record tells nothing. */
	@Test
	void doubtIsNotForgottenBeforeItIsTold() throws NodeUnavailableException {
		this.updater.readCommand();
		evictedKeys();
		PendingCommand look = update();
		assertThat(text(look)).contains("read");
		reply(look);
		PendingCommand told = update();
		assertThat(text(told)).contains("stay").contains(MembershipRecord.EVICTION);
		reply(told);
		this.clock.advance(PERIOD);
		assertThat(text(update())).doesNotContain(MembershipRecord.EVICTION);
	}

	@Test
	void nothingOfALostConnectionCountsForASeal() throws NodeUnavailableException {
		Membership membership = sealed();
		connect();
		assertThat(membership.seals().waitNanos(this.clock.nanoTime(), this.clock.leastNanoTime())).isNotPositive();
		assertThat(this.updater.clockOffsetMicros()).isPresent();
		this.updater.disconnected();
		assertThat(membership.seals().waitNanos(this.clock.nanoTime(), this.clock.leastNanoTime()))
			.isEqualTo(Long.MAX_VALUE);
		assertThat(this.updater.clockOffsetMicros()).isEmpty();
	}

	private Membership sealed() {
		this.seal = 1;
		Membership membership = new Membership(List.of("node:6379"),
				new Layout("group a of a by name version 1", 1, 1, Duration.ofSeconds(60)),
				new ClockSteps(1, this.options.quarantine(), this.options.driftFactor()));
		this.updater = updater(membership);
		return membership;
	}

	/** It is the other list that is right. */
	@Test
	void instanceThatIsRefusedComplainsOfNoOtherList() throws NodeUnavailableException {
		sealed();
		this.updater.onRecord(MembershipRecord.of(recordWithAnotherList()));
		assertThat(this.updater.isMismatch()).isTrue();
		assertThat(this.admission.isRefused()).isFalse();
		this.seal = 2;
		this.updater.onRecord(MembershipRecord.of(recordWithAnotherList()));
		assertThat(this.updater.isMismatch()).isFalse();
		assertThat(this.admission.isRefused()).isTrue();
	}

	private List<@Nullable Object> recordWithAnotherList() {
		List<@Nullable Object> record = new ArrayList<>(record(-1));
		record.addAll(
				List.of("x:1,y:1,z:1".getBytes(StandardCharsets.UTF_8), 1L, "other".getBytes(StandardCharsets.UTF_8)));
		return record;
	}

	@Test
	void nodeThatAnotherInstanceDoubtsDoesNotVote() throws NodeUnavailableException {
		this.admission.onConnected("first", 86_400, this.clock.nanoTime());
		connect();
		assertThat(this.admission.isVoting(this.clock.nanoTime())).isTrue();
		this.updater.onRecord(MembershipRecord.of(record(5)));
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
	@CsvSource({ "0, 60", "60, 61", "300, 301" })
	void listIsRememberedForLongerThanLocksLast(long quarantineSeconds, String rememberedSeconds) {
		RedisNodeOptions changed = RedisNodeOptions.builder(this.clock)
			.quarantine(Duration.ofSeconds(quarantineSeconds))
			.build();
		RecordUpdater asking = new RecordUpdater("node:6379", 0, changed, new Membership(List.of("node:6379")),
				this.admission, new NodeHealth(changed, this.admission));
		assertThat(new String(asking.readCommand(), StandardCharsets.UTF_8))
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

	/** A move begins once the seal of the one before is old. */
	@ParameterizedTest
	@CsvSource({ "1, 5, false", "2, 5, true", "3, 60, true", "3, 61, false" })
	void listOfAVersionWithoutLocksContradictsNothing(int otherVersion, long sealAgeSeconds, boolean mismatch)
			throws NodeUnavailableException {
		this.seal = 4;
		this.updater = updater(new Membership(List.of("node:6379"),
				new Layout("group a of a by name version 4", 4, 4, Duration.ofSeconds(60)),
				new ClockSteps(1, this.options.quarantine(), this.options.driftFactor())));
		List<@Nullable Object> record = new ArrayList<>(record(-1));
		record.set(4, (long) record.get(1) - sealAgeSeconds);
		record.addAll(List.of(("x:1;group b of b by name version " + otherVersion).getBytes(StandardCharsets.UTF_8), 1L,
				"other".getBytes(StandardCharsets.UTF_8)));
		this.updater.readCommand();
		this.updater.onRecord(MembershipRecord.of(record));
		assertThat(this.updater.isMismatch()).isEqualTo(mismatch);
		assertThat(this.updater.note()).isNotEmpty();
	}

	@Test
	void sealIsNotedAsTheNodeHasIt() throws NodeUnavailableException {
		sealed();
		connect();
		assertThat(this.updater.note()).startsWith("sealed at layout version 1 for ");
		this.seal = 2;
		connect();
		assertThat(this.updater.note()).startsWith("sealed at layout version 2 for ");
		this.seal = -1;
		connect();
		assertThat(this.updater.note()).startsWith("its seal is unknown");
	}

	/** Instances wait for it. */
	@ParameterizedTest
	@CsvSource({ "60000, 2000", "4000, 1000" })
	void sealIsReadEveryTwoSecondsAndFourTimesBeforeItIsOld(long ageMillis, long periodMillis)
			throws NodeUnavailableException {
		this.seal = 1;
		Layout layout = new Layout("group a of a by name version 1", 1, 1, Duration.ofMillis(ageMillis));
		this.updater = updater(new Membership(List.of("node:6379"), layout,
				new ClockSteps(1, this.options.quarantine(), this.options.driftFactor())));
		connect();
		PendingCommand asked = update();
		long before = this.clock.nanoTime();
		reply(asked);
		long after = this.clock.nanoTime();
		assertThat(isDue(before + periodMillis * 1_000_000 - 1)).isFalse();
		assertThat(isDue(after + periodMillis * 1_000_000)).isTrue();
	}

	private RecordUpdater updater(Membership membership) {
		return new RecordUpdater("node:6379", 0, this.options, membership, this.admission,
				new NodeHealth(this.options, this.admission));
	}

	private void settle() throws NodeUnavailableException {
		connect();
		reply(update());
		assertThat(isDue()).isFalse();
	}

	private void connect() throws NodeUnavailableException {
		this.updater.readCommand();
		this.updater.onRecord(MembershipRecord.of(record(-1)));
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

	private void evictedKeys() {
		for (String policy : List.of("allkeys-lru", "noeviction")) {
			this.updater.onServer(new ServerInfo("run_id:first\nmaxmemory:100\nmaxmemory_policy:" + policy));
		}
	}

	private void reply(PendingCommand command) {
		command.onReply(record(-1));
	}

	/** Of a node that has belonged to the list since the beginning. */
	private List<@Nullable Object> record(long doubtSeconds) {
		return Arrays.asList(0L, this.clock.wallMicros() / 1_000_000, 0L, this.seal, 0L, doubtSeconds, new byte[0]);
	}

	private static String text(PendingCommand command) {
		return new String(command.bytes(), StandardCharsets.UTF_8);
	}

}
