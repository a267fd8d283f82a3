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

import java.time.Duration;
import java.util.OptionalLong;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import io.quorlock.logging.CapturedLog;
import io.quorlock.logging.LogCaptureExtension;
import io.quorlock.quorum.node.NodeStatus;
import io.quorlock.quorum.node.NodeStatus.State;
import io.quorlock.redis.client.StatusLogger.Flapping;
import io.quorlock.time.TestClock;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link StatusLogger} with a node that comes and goes.
 */
@ExtendWith(LogCaptureExtension.class)
class FlappingTests {

	private final TestClock clock = new TestClock();

	private final StatusLogger log = new StatusLogger("n:1", this.clock);

	@Test
	void nodeThatComesAndGoesIsReportedOnceAMinute(CapturedLog output) {
		for (int second = 0; second < 300; second++) {
			this.log.onStatus((second % 2 == 0) ? voting() : NodeStatus.of(State.DOWN, "connection closed"));
			this.clock.advance(Duration.ofSeconds(1));
		}
		assertThat(lines(output)).hasSizeBetween(10, Flapping.MAX_CHANGES + 6);
		assertThat(output).contains("Lock node n:1 comes and goes: 7 changes within a minute, at present it is ")
			.contains("Lock node n:1 comes and goes: 60 changes within a minute, at present it is ");
	}

	@Test
	void lastStateIsLoggedWhenItStays(CapturedLog output) {
		for (int i = 0; i < 20; i++) {
			this.log.onStatus((i % 2 == 0) ? voting() : NodeStatus.of(State.DOWN, "connection closed"));
		}
		this.log.onStatus(NodeStatus.of(State.REJECTED, "is a replica"));
		assertThat(output).doesNotContain("is a replica");
		this.clock.advance(Duration.ofSeconds(61));
		this.log.onStatus(NodeStatus.of(State.REJECTED, "is a replica"));
		this.log.onStatus(NodeStatus.of(State.REJECTED, "is a replica"));
		assertThat(output).containsOnlyOnce("Lock node n:1 cannot be used: it is a replica");
		this.log.onStatus(voting());
		assertThat(lines(output)[lines(output).length - 1]).contains("Lock node n:1 (Redis 7) votes");
	}

	@Test
	void contradictingNodeListIsLoggedAsThatOfAnotherInstance(CapturedLog output) {
		this.log.onStatus(NodeStatus.of(State.REJECTED, "another instance uses a different node list"));
		assertThat(output).contains("Lock node n:1 cannot be used: another instance uses a different node list");
	}

	/** It is rejected at each attempt to connect, every two seconds. */
	@Test
	void reasonThatOnlyGetsOlderIsLoggedOnce(CapturedLog output) {
		for (int seconds = 0; seconds < 60; seconds += 2) {
			this.log.onStatus(NodeStatus.of(State.REJECTED,
					"another instance uses a different node list (seen " + seconds + " s ago)"));
			this.clock.advance(Duration.ofSeconds(2));
		}
		assertThat(lines(output)).hasSize(1);
	}

	/** They are shorter each time, or longer. */
	@ParameterizedTest
	@EnumSource(value = State.class, names = { "QUARANTINED", "FAILING" })
	void durationInAReasonIsNoChange(State state, CapturedLog output) {
		for (int i = 0; i < 60; i++) {
			this.log.onStatus(new NodeStatus(state, "takes " + (600 + i) + " ms to reply", Duration.ofSeconds(60 - i),
					"id", "Redis 7", OptionalLong.empty()));
			this.clock.advance(Duration.ofSeconds(20));
		}
		assertThat(lines(output)).hasSize(1);
	}

	@Test
	void restartIsLoggedStepByStep(CapturedLog output) {
		this.log.onStatus(voting());
		this.log.onStatus(NodeStatus.of(State.DOWN, "connection closed"));
		this.log.onStatus(NodeStatus.of(State.DOWN, "connection refused"));
		this.log.onStatus(new NodeStatus(State.QUARANTINED, "started 1 s ago", Duration.ofSeconds(60), "id", "Redis 7",
				OptionalLong.empty()));
		this.log.onStatus(voting());
		assertThat(lines(output)).hasSize(5);
		assertThat(output).doesNotContain("comes and goes");
	}

	@Test
	void firstReportIsDueWhateverTheClockShows() {
		for (long nanos : new long[] { 0, -Flapping.PERIOD_NANOS, Long.MAX_VALUE }) {
			assertThat(flapping(new Flapping(), nanos).isReportDue(nanos)).isTrue();
		}
	}

	@Test
	void nodeThatComesAndGoesOnceMoreIsReportedAgainWithinTheMinute() {
		Flapping flapping = flapping(new Flapping(), 0);
		long second = Duration.ofSeconds(1).toNanos();
		assertThat(flapping.isReportDue(59 * second)).isTrue();
		assertThat(flapping.isReportDue(61 * second)).isFalse();
		assertThat(flapping(flapping, 62 * second).isReportDue(62 * second)).isTrue();
		assertThat(flapping.isReportDue(62 * second)).isFalse();
	}

	private static Flapping flapping(Flapping flapping, long nanos) {
		for (int i = 0; i <= Flapping.MAX_CHANGES; i++) {
			flapping.changed(nanos);
		}
		return flapping;
	}

	private static NodeStatus voting() {
		return new NodeStatus(State.VOTING, "", Duration.ZERO, "id", "Redis 7", OptionalLong.empty());
	}

	private static String[] lines(CapturedLog output) {
		return output.toString().lines().filter((line) -> line.contains("Lock node n:1")).toArray(String[]::new);
	}

}
