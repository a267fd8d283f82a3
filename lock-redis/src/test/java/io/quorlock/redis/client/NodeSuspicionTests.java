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
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.mockito.BDDMockito;
import org.mockito.Mockito;

import io.quorlock.quorum.membership.NodeAdmission;
import io.quorlock.redis.LockScript;
import io.quorlock.redis.RespError;
import io.quorlock.redis.client.ScratchCommands.Refusals;
import io.quorlock.time.TestClock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.ArgumentMatchers.any;

/**
 * Tests for {@link NodeHealth}: what becomes of a suspicion.
 */
class NodeSuspicionTests {

	private static final Duration PROBE_PERIOD = Duration.ofSeconds(1);

	private static final String ODD = "sends replies that no lock script gives";

	private final TestClock clock = new TestClock();

	private final NodeHealth health = new NodeHealth(TestOptions.with(this.clock).build(),
			new NodeAdmission(Duration.ofSeconds(60), 0.01, false));

	private final Pipeline pipeline = Mockito.mock(Pipeline.class);

	private final List<PendingCommand> probes = new ArrayList<>();

	NodeSuspicionTests() {
		BDDMockito.willAnswer((invocation) -> {
			this.probes.add(invocation.getArgument(2));
			return null;
		}).given(this.pipeline).submitIf(any(), any(), any(PendingCommand[].class));
	}

	@Test
	void oddRepliesOnOneConnectionAreForgottenOnTheNext() {
		odd(3);
		assertThat(this.health.failure()).isEqualTo(ODD);
		this.health.connected(Refusals.NONE);
		assertThat(this.health.failure()).isEmpty();
		odd(2);
		assertThat(this.health.failure()).isEmpty();
		odd(1);
		assertThat(this.health.failure()).isEqualTo(ODD);
	}

	@Test
	void whatWasNoticedOnOneConnectionIsForgottenOnTheNext() {
		late(3);
		assertThat(this.health.failure()).startsWith("takes 30000 ms to reply");
		this.health.onSilence(Duration.ofMinutes(1).toNanos());
		assertThat(this.health.failure()).startsWith("has not replied");
		this.health.connected(new Refusals("cannot write: its memory is full", false, ""));
		assertThat(this.health.failure()).isEqualTo("cannot write: its memory is full");
		this.health.connected(Refusals.NONE);
		assertThat(this.health.failure()).isEmpty();
		late(2);
		this.health.connected(Refusals.NONE);
		late(2);
		assertThat(this.health.failure()).isEmpty();
	}

	/** A pause of this process delays what all nodes replied to all callers. */
	@Test
	void repliesThatAreLateTogetherAreOneHiccup() {
		for (int i = 0; i < 2; i++) {
			long queuedNanos = this.clock.nanoTime();
			this.clock.advance(Duration.ofSeconds(30));
			for (int j = 0; j < 10; j++) {
				this.health.onReply(queuedNanos);
			}
		}
		assertThat(this.health.failure()).isEmpty();
		late(1);
		assertThat(this.health.failure()).startsWith("takes ");
	}

	private void late(int replies) {
		for (int i = 0; i < replies; i++) {
			long queuedNanos = this.clock.nanoTime();
			this.clock.advance(Duration.ofSeconds(30));
			this.health.onReply(queuedNanos);
		}
	}

	@Test
	void suspicionIsForgottenOnTheNextConnection() {
		this.health.onError();
		probe();
		reply(this.probes.get(0), new RespError("NOPERM no rights"));
		assertThat(this.health.degradation()).startsWith("denies a permission");
		this.health.onError();
		this.health.connected(Refusals.NONE);
		assertThat(this.health.degradation()).isEmpty();
		this.clock.advance(PROBE_PERIOD.multipliedBy(2));
		probe();
		assertThat(this.probes).hasSize(1);
		// The handshake has just tried the scripts.
		this.health.connected(new Refusals("cannot write: its memory is full", false, ""));
		probe();
		assertThat(this.probes).hasSize(1);
		this.clock.advance(PROBE_PERIOD);
		probe();
		assertThat(this.probes).hasSize(2);
	}

	@Test
	void scriptsAreNotTriedMoreOftenBecauseOfMoreErrors() {
		this.health.onError();
		probe();
		for (int i = 0; i < 3; i++) {
			this.health.onError();
			probe();
		}
		assertThat(this.probes).hasSize(1);
		this.health.connected(new Refusals("cannot write: its memory is full", false, ""));
		this.health.onError();
		probe();
		assertThat(this.probes).hasSize(1);
	}

	/** It is loaded with the next command that needs it. */
	@Test
	void scriptThatIsMissingIsNoFailure() {
		this.health.onError();
		probe();
		reply(this.probes.get(0), new RespError("NOSCRIPT No matching script."));
		assertThat(this.health.failure()).isEmpty();
		assertThat(this.health.degradation()).isEmpty();
	}

	@ParameterizedTest
	@EnumSource(LockScript.class)
	void nodeFailsThatRefusesWhatAnExclusiveLockNeeds(LockScript script) {
		boolean needed = Set
			.of(LockScript.ACQUIRE_PLAIN, LockScript.ACQUIRE, LockScript.RAISE, LockScript.RENEW, LockScript.RENEW_ALL)
			.contains(script);
		this.health.onError();
		this.health.probe(this.pipeline, List.of(scratch(script)), this.clock.nanoTime());
		reply(this.probes.get(0), new RespError("OOM command not allowed"));
		assertThat(this.health.failure()).isEqualTo(needed ? "cannot write: its memory is full" : "");
		assertThat(this.health.degradation()).isEqualTo(needed ? "" : "cannot write: its memory is full");
	}

	/** It would vote for a moment, and say so, each second. */
	@Test
	void nodeFailsUntilTheLastOfTheScriptsIsTried() {
		List<PendingCommand> sent = new ArrayList<>();
		BDDMockito.willAnswer((invocation) -> {
			sent.addAll(List.of(invocation.getArgument(2), invocation.getArgument(3)));
			return null;
		}).given(this.pipeline).submitIf(any(), any(), any(PendingCommand[].class));
		this.health.connected(new Refusals("cannot write: its memory is full", false, ""));
		this.clock.advance(PROBE_PERIOD);
		this.health.probe(this.pipeline, List.of(scratch(LockScript.INSPECT), scratch(LockScript.RAISE)),
				this.clock.nanoTime());
		reply(sent.get(0), 1L);
		assertThat(this.health.failure()).isEqualTo("cannot write: its memory is full");
		reply(sent.get(1), 1L);
		assertThat(this.health.failure()).isEmpty();
	}

	private static byte[] scratch(LockScript script) {
		return RespEncoder.evalsha(script, "lock:nodes:probe:1", 1, List.of());
	}

	private void reply(PendingCommand probe, Object reply) {
		probe.onQueued(this.clock.nanoTime());
		probe.onReply(reply);
	}

	private void odd(int replies) {
		for (int i = 0; i < replies; i++) {
			this.health.onOddReply(ODD);
		}
	}

	@Test
	void serverThatRepliesAgainIsNotSilentAnyMore() {
		this.health.onSilence(Duration.ofMinutes(1).toNanos());
		assertThat(this.health.failure()).isEqualTo("has not replied for 60000 ms");
		this.health.onSilence(0);
		assertThat(this.health.failure()).isEmpty();
	}

	@Test
	void serverIsSilentAfterThreeTimeoutsAndASecondAtLeast() {
		long second = Duration.ofSeconds(1).toNanos();
		this.health.onSilence(second);
		assertThat(this.health.failure()).isEmpty();
		this.health.onSilence(second + 1);
		assertThat(this.health.failure()).isEqualTo("has not replied for 1000 ms");
		NodeHealth patient = new NodeHealth(
				TestOptions.with(this.clock).set(RedisNodeOptions::operationTimeout, Duration.ofSeconds(1)).build(),
				new NodeAdmission(Duration.ofSeconds(60), 0.01, false));
		patient.onSilence(3 * second);
		assertThat(patient.failure()).isEmpty();
		patient.onSilence(3 * second + 1);
		assertThat(patient.failure()).isEqualTo("has not replied for 3000 ms");
	}

	/** Nobody asks a node that fails. */
	@Test
	void oddRepliesAreForgottenAfterAWhile() {
		odd(3);
		this.clock.advance(Duration.ofSeconds(5));
		assertThat(this.health.failure()).isEqualTo(ODD);
		this.clock.advance(Duration.ofSeconds(5));
		assertThat(this.health.failure()).isEmpty();
	}

	@Test
	void scriptsAreTriedAgainAfterAWhileWhereNoReplyComes() {
		this.health.onError();
		long now = this.clock.nanoTime();
		probe(now);
		probe(now + PROBE_PERIOD.toNanos() - 1);
		assertThat(this.probes).hasSize(1);
		probe(now + PROBE_PERIOD.toNanos());
		assertThat(this.probes).hasSize(2);
	}

	@Test
	void scriptsAreTriedOnceWhereTheySucceedBehindAnError() {
		for (int errors = 1; errors <= 2; errors++) {
			this.health.onError();
			probe();
			assertThat(this.probes).hasSize(errors);
			PendingCommand sent = this.probes.get(errors - 1);
			sent.onQueued(this.clock.nanoTime());
			sent.onReply(1L);
			this.clock.advance(Duration.ofSeconds(10));
			probe();
			assertThat(this.probes).hasSize(errors);
		}
	}

	private void probe() {
		probe(this.clock.nanoTime());
	}

	private void probe(long nowNanos) {
		this.health.probe(this.pipeline, List.of(new byte[0]), nowNanos);
	}

}
