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
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.function.Consumer;

import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.data.Stat;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.BDDMockito.given;
import static org.mockito.BDDMockito.willAnswer;
import static org.mockito.Mockito.mock;

/**
 * What becomes of the look at all that cools down when a part of it gets no reply.
 */
class CooldownSweepTests {

	private static final Duration SOON = Duration.ofSeconds(1);

	private final StoppedTime time = new StoppedTime();

	private final Session session = mock();

	private final SessionRequests requests = mock();

	private final Sessions sessions = mock();

	private final CooldownSweep sweep = new CooldownSweep(new StoreContext(
			ZooKeeperSettings.builder("localhost:2181", "app").build(), this.sessions, this.time, this.time));

	/** To the questions for the time and for what cools down. */
	private final Deque<Code> replies = new ArrayDeque<>();

	@BeforeEach
	void start() {
		given(this.session.requests()).willReturn(this.requests);
		willAnswer((call) -> {
			call.<Consumer<Session>>getArgument(0).accept(this.session);
			return mock(Runnable.class);
		}).given(this.sessions).use(any());
		willAnswer((call) -> {
			Code reply = this.replies.remove();
			call.<SessionRequests.Reply<Stat>>getArgument(0).received(reply, (reply == Code.OK) ? new Stat() : null);
			return null;
		}).given(this.session).askForTime(any());
		willAnswer((call) -> {
			Code reply = this.replies.remove();
			call.<SessionRequests.Reply<List<String>>>getArgument(1)
				.received(reply, (reply == Code.OK) ? List.of() : null);
			return null;
		}).given(this.requests).children(any(), any());
		willAnswer((call) -> {
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

}
