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
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.stream.IntStream;

import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.data.Stat;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

import io.quorlock.time.ManualTime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.anyBoolean;
import static org.mockito.BDDMockito.given;
import static org.mockito.BDDMockito.then;
import static org.mockito.BDDMockito.willAnswer;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.never;

/**
 * Tests for {@link Cooldown}, and for the sweep of those that nobody else ends.
 */
class CooldownSweepTests {

	private static final Duration SOON = Duration.ofSeconds(1);

	/** Of the servers: the session has had its node for a long time. */
	private static final Stat NOW = stat(3_600_000, 7_200_000);

	private final ManualTime time = new ManualTime();

	private final Session session = mock();

	private final SessionRequests requests = mock();

	private final Sessions sessions = mock();

	private final CooldownSweep sweep = new CooldownSweep(ZooKeeperStores.context(this.time), this.sessions);

	/** To the questions for the time and for what cools down. */
	private final Deque<Code> replies = new ArrayDeque<>();

	/** To the questions for nodes. */
	private final List<Runnable> reads = new ArrayList<>();

	private List<String> indexes = List.of();

	private static final long SECOND = 1_000_000_000;

	private final AtomicLong nanos = new AtomicLong(-5 * SECOND);

	private final Cooldown.Sightings sightings = new Cooldown.Sightings(this.nanos::get);

	@BeforeEach
	void start() {
		given(this.session.requests()).willReturn(this.requests);
		willAnswer((call) -> {
			call.<Consumer<Session>>getArgument(0).accept(this.session);
			return mock(Runnable.class);
		}).given(this.sessions).use(any());
		willAnswer((call) -> {
			Code reply = this.replies.remove();
			call.<SessionRequests.Reply<Stat>>getArgument(0).received(reply, (reply == Code.OK) ? NOW : null);
			return null;
		}).given(this.session).writeHeartbeat(any());
		willAnswer((call) -> {
			Code reply = this.replies.remove();
			call.<SessionRequests.Reply<List<String>>>getArgument(1)
				.received(reply, (reply == Code.OK) ? this.indexes : null);
			return null;
		}).given(this.requests).children(any(), any());
		willAnswer((call) -> {
			this.reads.forEach(Runnable::run); // replies come in order
			call.<SessionRequests.Reply<Boolean>>getArgument(1).received(Code.OK, true);
			return null;
		}).given(this.requests).sync(any(), any());
	}

	@Test
	void isRepeatedSoonWithoutAReply() {
		this.replies.addAll(List.of(Code.CONNECTIONLOSS));
		this.sweep.start();
		assertThat(this.time.isDueIn(SOON)).isTrue();
		this.replies.addAll(List.of(Code.OK, Code.CONNECTIONLOSS));
		this.time.advance(SOON);
		assertThat(this.replies).isEmpty();
		assertThat(this.time.isDueIn(SOON)).isTrue();
	}

	@ParameterizedTest
	@EnumSource(names = { "OK", "NONODE" })
	void isRepeatedSeldomWhenNothingCoolsDown(Code reply) {
		this.replies.addAll(List.of(Code.OK, reply));
		this.sweep.start();
		assertThat(this.replies).isEmpty();
		// An unexpected question would fail.
		this.time.advance(Duration.ofMinutes(10).minusNanos(1));
		this.replies.addAll(List.of(Code.OK, reply));
		this.time.advance(Duration.ofMinutes(10));
		assertThat(this.replies).isEmpty();
	}

	private static Stat stat(long created, long modified) {
		Stat stat = new Stat();
		stat.setCtime(created);
		stat.setMtime(modified);
		return stat;
	}

	private void reply(Code code, @Nullable String text, Stat stat) {
		willAnswer((call) -> {
			SessionRequests.Reply<SessionRequests.Content> reply = call.getArgument(2);
			SessionRequests.Content content = (text != null)
					? new SessionRequests.Content(text.getBytes(StandardCharsets.UTF_8), stat) : null;
			this.reads.add(() -> reply.received(code, content));
			return null;
		}).given(this.requests).read(any(), anyBoolean(), any());
	}

	@Test
	void sweepThatIsUnderWayWhenItIsStoppedEndsThoughAnotherWasStarted() {
		List<Runnable> late = new ArrayList<>();
		willAnswer((call) -> {
			SessionRequests.Reply<Boolean> reply = call.getArgument(1);
			late.add(() -> reply.received(Code.OK, true));
			return null;
		}).given(this.requests).sync(any(), any());
		this.replies.addAll(List.of(Code.OK, Code.OK, Code.OK, Code.OK));
		this.sweep.start();
		this.sweep.stop();
		this.sweep.start();
		late.forEach(Runnable::run);
		assertThat(this.time.pending()).isOne();
	}

	/** Not sooner than in a second, and in twenty minutes at the latest. */
	@ParameterizedTest
	@CsvSource({ "10, 1000", "5000, 4000", "86400000, 1200000" })
	void isRepeatedWhenTheFirstCoolDownEnds(long millis, long dueMillis) {
		this.indexes = List.of("_order");
		long age = (millis > 1_000) ? 1_000 : 0;
		reply(Code.OK, millis + " b:0:1", stat(7_200_000 - age, 0));
		this.replies.addAll(List.of(Code.OK, Code.OK, Code.OK, Code.OK));
		this.sweep.start();
		assertThat(this.replies).hasSize(2);
		then(this.requests).should(never()).delete(any(), any());
		this.time.advance(Duration.ofMillis(Math.min(dueMillis, 600_000)).minusNanos(1));
		assertThat(this.replies).hasSize(2);
		this.time.advance(Duration.ofMillis((dueMillis > 600_000) ? 600_000 : 1));
		assertThat(this.replies).isEmpty();
	}

	@Test
	void looksAtAThousandAtOnce() {
		this.indexes = IntStream.range(0, 1_001).mapToObj((number) -> "_order" + number).toList();
		reply(Code.OK, "5000 b:0:1", stat(7_200_000, 0));
		this.replies.addAll(List.of(Code.OK, Code.OK));
		this.sweep.start();
		assertThat(this.reads).hasSize(1_000);
	}

	/** It may be there all the same, and nobody would find it then. */
	@Test
	void noteOfACoolDownThatMayNotBeReadIsKept() {
		this.indexes = List.of("_order");
		reply(Code.NOAUTH, null, NOW);
		this.replies.addAll(List.of(Code.OK, Code.OK));
		this.sweep.start();
		then(this.requests).should().read(any(), anyBoolean(), any());
		then(this.requests).should(never()).delete(any(), any());
	}

	@Test
	void endsByTheServersClockOrOnceItWasKnownForItsWholeTime() {
		Cooldown cooldown = new Cooldown(1_000, "a:0:1");
		assertThat(cooldown.remainingMillis(400, 0)).isEqualTo(600);
		assertThat(cooldown.remainingMillis(400, 700)).isEqualTo(300);
		// The clock was set back.
		assertThat(cooldown.remainingMillis(-3_600_000, 1_000)).isZero();
	}

	@Test
	void lastsForItsTimeAndForAMillisecondAtLeast() {
		assertThat(read(Duration.ofMillis(1_500))).isEqualTo(new Cooldown(1_500, "a b:0:1"));
		assertThat(read(Duration.ofNanos(1)).millis()).isOne();
	}

	private static Cooldown read(Duration duration) {
		return Cooldown.parse(new String(Cooldown.data(duration, "a b:0:1"), StandardCharsets.UTF_8));
	}

	@Test
	void nodeThatSaysNothingKeepsNobodyOut() {
		for (String text : new String[] { "", "x", "x 1000", " 1000" }) {
			assertThat(Cooldown.parse(text).remainingMillis(0, 0)).isZero();
		}
	}

	@Test
	void nodeIsAsOldAsTheTimeSinceItWasFirstSeen() {
		assertThat(this.sightings.ageMillis("/a", 1, 60_000)).isZero();
		this.nanos.addAndGet(10 * SECOND);
		assertThat(this.sightings.ageMillis("/a", 1, 60_000)).isEqualTo(10_000);
	}

	@Test
	void nodeThatWasCreatedAgainIsAnotherOne() {
		this.sightings.ageMillis("/a", 1, 60_000);
		this.nanos.addAndGet(10 * SECOND);
		assertThat(this.sightings.ageMillis("/a", 2, 60_000)).isZero();
	}

	@Test
	void nodesThatHaveEndedAreForgottenWhenManyOthersFollow() {
		this.sightings.ageMillis("/ended", 1, 1_000);
		this.sightings.ageMillis("/lasting", 1, 60_000);
		this.nanos.addAndGet(10 * SECOND);
		for (int i = 0; i < 1_000; i++) {
			this.sightings.ageMillis("/other" + i, 1, 1_000);
		}
		assertThat(this.sightings.ageMillis("/lasting", 1, 60_000)).isEqualTo(10_000);
		assertThat(this.sightings.ageMillis("/ended", 1, 1_000)).isZero();
	}

}
