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
import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import io.quorlock.logging.CapturedLog;
import io.quorlock.logging.LogCaptureExtension;
import io.quorlock.quorum.membership.ClockSteps;
import io.quorlock.quorum.membership.NodeAdmission;
import io.quorlock.redis.MembershipRecord;
import io.quorlock.redis.RespError;
import io.quorlock.time.TestClock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.BDDMockito.given;
import static org.mockito.BDDMockito.willAnswer;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.times;
import static org.mockito.Mockito.verify;

/**
 * Tests for {@link ClockReader}: from which replies the time of a node is known (R9).
 */
@ExtendWith(LogCaptureExtension.class)
class ClockReaderTests {

	private static final long TIME_MICROS = 1_700_000_000_000_000L;

	private static final long SECOND_NANOS = 1_000_000_000;

	private final TestClock clock = new TestClock();

	private final RedisNodeOptions options = TestOptions.with(this.clock)
		.set(RedisNodeOptions::operationTimeout, Duration.ofSeconds(1))
		.build();

	private final ClockReader reader = new ClockReader("node:6379", 0, this.options,
			new ClockSteps(1, Duration.ZERO, 0.01), new NodeAdmission(Duration.ofSeconds(60), 0.01, false), (doubt) -> {
			});

	@Test
	void timeOfAReplyThatTookLongIsNotTaken() {
		this.reader.onTime(TIME_MICROS, this.clock.nanoTime());
		long offset = this.reader.offsetMicros().orElseThrow();
		long sentNanos = this.clock.nanoTime();
		this.clock.advance(Duration.ofSeconds(20));
		// The server stamped it when it came, or just before the reply: who knows?
		this.reader.onTime(TIME_MICROS, sentNanos);
		assertThat(this.reader.offsetMicros()).hasValue(offset);
		this.reader.onTime(TIME_MICROS + 20_000_000, this.clock.nanoTime());
		assertThat(this.reader.offsetMicros().orElseThrow() - offset).isBetween(-5_000_000L, 5_000_000L);
	}

	@Test
	void timeOfTheServerBeforeIsNotTakenForThatOfTheNext() {
		this.reader.onTime(TIME_MICROS, this.clock.nanoTime());
		this.reader.disconnected();
		assertThat(this.reader.offsetMicros()).isEmpty();
	}

	/** Its administrator may have permitted it meanwhile. */
	@Test
	void timeThatWasDeniedIsAskedForOnTheNextConnection() {
		Pipeline pipeline = askForTenSeconds(new RespError("NOPERM no permissions to run 'time'"));
		verify(pipeline, times(1)).submit(any());
		this.reader.disconnected();
		this.reader.update(pipeline, this.clock.nanoTime());
		verify(pipeline, times(2)).submit(any());
	}

	/** Some script of the application runs for long, which ends. */
	@Test
	void timeThatABusyServerDidNotReportIsAskedForAgain() {
		Pipeline pipeline = askForTenSeconds(new RespError("BUSY Redis is busy running a script"));
		verify(pipeline, times(10)).submit(any());
	}

	private Pipeline askForTenSeconds(Object reply) {
		Pipeline pipeline = mock(Pipeline.class);
		willAnswer((call) -> {
			call.<PendingCommand>getArgument(0).onReply(reply);
			return null;
		}).given(pipeline).submit(any());
		for (int seconds = 0; seconds < 10; seconds++) {
			this.clock.advance(Duration.ofSeconds(1));
			this.reader.update(pipeline, this.clock.nanoTime());
		}
		return pipeline;
	}

	@Test
	void timeIsAskedForOnceASecondThoughNoReplyComes() {
		Pipeline pipeline = mock(Pipeline.class);
		this.reader.onTime(TIME_MICROS, this.clock.nanoTime());
		long due = this.clock.nanoTime() + SECOND_NANOS;
		this.reader.update(pipeline, due);
		this.reader.update(pipeline, due + SECOND_NANOS - 1);
		verify(pipeline, times(1)).submit(any());
		this.reader.update(pipeline, due + SECOND_NANOS);
		verify(pipeline, times(2)).submit(any());
	}

	@Test
	void timeIsAskedForAtOnceWhileAStepIsSuspected() {
		Pipeline pipeline = mock(Pipeline.class);
		ClockSteps steps = mock(ClockSteps.class);
		ClockReader suspecting = new ClockReader("node:6379", 0, this.options, steps,
				new NodeAdmission(Duration.ofSeconds(60), 0.01, false), (doubt) -> {
				});
		long now = this.clock.nanoTime();
		suspecting.onTime(TIME_MICROS, now);
		suspecting.update(pipeline, now);
		verify(pipeline, times(0)).submit(any());
		given(steps.isSuspecting()).willReturn(true);
		suspecting.update(pipeline, now);
		verify(pipeline, times(1)).submit(any());
	}

	/** Such as of a proxy that puts something else in its place. */
	@Test
	void replyThatIsNoTimeIsNotAskedForAgain() {
		Pipeline pipeline = askForTenSeconds(List.of(bytes("1700000000"), bytes("now")));
		verify(pipeline, times(1)).submit(any());
		assertThat(this.reader.offsetMicros()).isEmpty();
	}

	@Test
	void timeIsReadFromSecondsAndMicroseconds() {
		Pipeline pipeline = mock(Pipeline.class);
		willAnswer((call) -> {
			PendingCommand command = call.getArgument(0);
			command.onQueued(this.clock.nanoTime());
			command.onReply(List.of(bytes("1700000000"), bytes("900000")));
			return null;
		}).given(pipeline).submit(any());
		this.reader.update(pipeline, this.clock.nanoTime() + SECOND_NANOS);
		long nodeMicros = this.reader.offsetMicros().orElseThrow() + this.clock.nanoTime() / 1_000;
		assertThat(nodeMicros - TIME_MICROS).isBetween(899_000L, 10_900_000L);
	}

	private NodeAdmission voting() {
		NodeAdmission admission = new NodeAdmission(Duration.ofSeconds(60), 0.01, false);
		admission.onConnected("run", 86_400, this.clock.nanoTime());
		admission.onRecord(Long.MAX_VALUE, this.clock.nanoTime());
		return admission;
	}

	private static byte[] bytes(String text) {
		return text.getBytes(StandardCharsets.US_ASCII);
	}

	@Test
	void onlyAStepThatIsProvenIsToldToOtherInstances() {
		NodeAdmission admission = voting();
		List<String> doubts = new ArrayList<>();
		ClockReader telling = new ClockReader("node:6379", 0, this.options, new ClockSteps(1, Duration.ZERO, 0.01),
				admission, doubts::add);
		assertThat(admission.isVoting(this.clock.nanoTime())).isTrue();
		telling.onStep(Duration.ofSeconds(7), false, this.clock.nanoTime());
		assertThat(admission.isVoting(this.clock.nanoTime())).isFalse();
		assertThat(doubts).isEmpty();
		telling.onStep(Duration.ofSeconds(7), true, this.clock.nanoTime());
		assertThat(doubts).containsExactly(MembershipRecord.CLOCK);
	}

	/** A hanging connection of this node brings nothing that it could be judged by. */
	@Test
	void stepIsBelievedInTheEndThoughNobodyReplies() {
		NodeAdmission admission = voting();
		ClockReader alone = new ClockReader("node:6379", 0, this.options,
				new ClockSteps(3, Duration.ofSeconds(60), 0.01), admission, (doubt) -> {
				});
		alone.onTime(TIME_MICROS, this.clock.nanoTime());
		this.clock.advance(Duration.ofSeconds(1));
		alone.onTime(TIME_MICROS + 91_000_000, this.clock.nanoTime());
		alone.update(mock(Pipeline.class), this.clock.nanoTime());
		assertThat(admission.isVoting(this.clock.nanoTime())).isTrue();
		this.clock.advance(Duration.ofSeconds(3));
		alone.update(mock(Pipeline.class), this.clock.nanoTime());
		assertThat(admission.isVoting(this.clock.nanoTime())).isFalse();
	}

	/** Without a quarantine a step makes no difference. */
	@Test
	void timeIsNotAskedForWithoutAQuarantine() {
		Pipeline pipeline = mock(Pipeline.class);
		ClockReader idle = new ClockReader("node:6379", 0, NodeProbe.options(this.clock),
				new ClockSteps(1, Duration.ZERO, 0.01), new NodeAdmission(Duration.ZERO, 0.01, false), (doubt) -> {
				});
		idle.update(pipeline, this.clock.nanoTime() + 60 * SECOND_NANOS);
		verify(pipeline, times(0)).submit(any());
	}

	@Test
	void logSaysWhetherAStepIsProven(CapturedLog output) {
		this.reader.onStep(Duration.ofSeconds(7), true, this.clock.nanoTime());
		assertThat(output).contains("was stepped forwards by 7,000 ms: leases on it may have ended early")
			.doesNotContain("as far as can be judged");
		this.reader.onStep(Duration.ofSeconds(8), false, this.clock.nanoTime());
		assertThat(output).contains(
				"was stepped forwards by 8,000 ms, as far as can be judged without the other nodes: leases on it");
	}

}
