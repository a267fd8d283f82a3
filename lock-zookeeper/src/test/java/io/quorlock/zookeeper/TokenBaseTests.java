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
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;

import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.data.Stat;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.mockito.BDDMockito;
import org.mockito.Mockito;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.anyBoolean;
import static org.mockito.ArgumentMatchers.anyInt;

/**
 * Tests for {@link FencingTokens.Base}, which several instances may raise at the same
 * time.
 */
class TokenBaseTests {

	private static final long MIN = 1_000_000;

	private final SessionRequests requests = Mockito.mock(SessionRequests.class);

	/** What is read, one behind the other: the base and its version. */
	private final Queue<long[]> found = new ArrayDeque<>();

	/** The replies to creates and writes. */
	private final Queue<Code> replies = new ArrayDeque<>();

	private final List<String> written = new ArrayList<>();

	private final List<Code> outcomes = new ArrayList<>();

	@BeforeEach
	void answer() {
		BDDMockito.willAnswer((invocation) -> {
			SessionRequests.Reply<SessionRequests.Content> reply = invocation.getArgument(2);
			long[] next = this.found.remove();
			if (next.length == 0) {
				reply.received(Code.NONODE, null);
			}
			else {
				Stat stat = new Stat();
				stat.setVersion((int) next[1]);
				reply.received(Code.OK, new SessionRequests.Content(bytes(next[0]), stat));
			}
			return null;
		}).given(this.requests).read(any(), anyBoolean(), any());
		BDDMockito.willAnswer((invocation) -> {
			this.written.add(text(invocation.getArgument(2)) + " over " + invocation.getArgument(3));
			SessionRequests.Reply<Stat> reply = invocation.getArgument(4);
			reply.received(this.replies.remove(), null);
			return null;
		}).given(this.requests).write(any(), any(), any(), anyInt(), any());
		BDDMockito.willAnswer((invocation) -> {
			this.written.add(text(invocation.getArgument(1)));
			SessionRequests.Reply<Stat> reply = invocation.getArgument(3);
			reply.received(this.replies.remove(), null);
			return null;
		}).given(this.requests).create(any(), any(), any(), any());
	}

	@Test
	void baseThatIsGreatEnoughStays() {
		this.found.add(new long[] { MIN - 64 * 7, 3 });
		raise(7);
		assertThat(this.written).isEmpty();
		assertThat(this.outcomes).containsExactly(Code.OK);
	}

	@Test
	void baseThatAnotherRaisedMeanwhileIsNotLowered() {
		this.found.add(new long[] { 5, 3 });
		this.replies.add(Code.BADVERSION);
		this.found.add(new long[] { 2 * MIN, 4 });
		raise(7);
		assertThat(this.written).containsExactly(MIN + " over 3");
		assertThat(this.outcomes).containsExactly(Code.OK);
	}

	@Test
	void baseThatAnotherCreatedMeanwhileIsRaised() {
		this.found.add(new long[0]);
		this.replies.add(Code.NODEEXISTS);
		this.found.add(new long[] { 5, 0 });
		this.replies.add(Code.OK);
		raise(7);
		assertThat(this.written).containsExactly(Long.toString(MIN), MIN + " over 0");
		assertThat(this.outcomes).containsExactly(Code.OK);
	}

	@Test
	void lostReplyIsPassedOn() {
		this.found.add(new long[] { 5, 3 });
		this.replies.add(Code.CONNECTIONLOSS);
		raise(7);
		assertThat(this.outcomes).containsExactly(Code.CONNECTIONLOSS);
	}

	private void raise(long zxid) {
		new FencingTokens.Base("/quorlock/%token-base", this.requests, new SessionEvents(Mockito.mock()), tokens(MIN))
			.raise(zxid, this.outcomes::add);
	}

	private static byte[] bytes(long number) {
		return Long.toString(number).getBytes(StandardCharsets.US_ASCII);
	}

	private static String text(byte[] bytes) {
		return new String(bytes, StandardCharsets.US_ASCII);
	}

	private static FencingTokens tokens(long floor) {
		return new FencingTokens(
				TestZooKeeperSettings.with("127.0.0.1:1", "a").set(ZooKeeperSettings::fencingFloor, floor).build(),
				Mockito.mock());
	}

}
