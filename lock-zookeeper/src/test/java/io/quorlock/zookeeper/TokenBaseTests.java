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
import org.apache.zookeeper.Watcher.Event.EventType;
import org.apache.zookeeper.data.Stat;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.mockito.ArgumentCaptor;
import org.mockito.BDDMockito;
import org.mockito.Mockito;

import io.quorlock.zookeeper.SessionRequests.Content;
import io.quorlock.zookeeper.SessionRequests.Reply;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.anyBoolean;
import static org.mockito.ArgumentMatchers.anyInt;
import static org.mockito.ArgumentMatchers.eq;
import static org.mockito.BDDMockito.willAnswer;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.times;
import static org.mockito.Mockito.verify;

/**
 * Tests for {@link FencingTokens.Base}, which several instances may raise at the same
 * time, and for what else a session needs of the servers before it is used.
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

	private static final String PATH = "/locks/%token-base";

	private final SessionEvents events = new SessionEvents(mock());

	private final SessionRequests watchedRequests = mock();

	private final ArgumentCaptor<Reply<Content>> reply = ArgumentCaptor.captor();

	private final SessionRequests setupRequests = mock();

	private Code created = Code.OK;

	private Code read = Code.OK;

	private Code looked = Code.OK;

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

	private FencingTokens.Base base() {
		return new FencingTokens.Base(PATH, this.watchedRequests, this.events,
				new FencingTokens(TestZooKeeperSettings.with("127.0.0.1:1", "a").build(), mock()));
	}

	private void replyTo(int read, Code code, String content) {
		verify(this.watchedRequests, times(read)).read(eq(PATH), eq(true), this.reply.capture());
		byte[] data = content.getBytes(StandardCharsets.US_ASCII);
		this.reply.getValue().received(code, (code == Code.OK) ? new Content(data, new Stat()) : null);
	}

	@Test
	void baseIsReadOnceForAllClaimsThatMissIt() {
		FencingTokens.Base base = base();
		base.restore();
		base.restore();
		replyTo(1, Code.OK, "4096");
		assertThat(base.value()).isEqualTo(4096);
		base.restore();
		verify(this.watchedRequests, times(1)).read(eq(PATH), eq(true), this.reply.capture());
	}

	@Test
	void baseThatCouldNotBeReadIsReadAgain() {
		FencingTokens.Base base = base();
		base.restore();
		replyTo(1, Code.CONNECTIONLOSS, "");
		assertThat(base.value()).isNull();
		base.restore();
		replyTo(2, Code.OK, "no number");
		assertThat(base.value()).isNull();
		base.restore();
		replyTo(3, Code.OK, "4096");
		assertThat(base.value()).isEqualTo(4096);
	}

	/** Tokens from the former base may be less than those of a later holder. */
	@Test
	void baseThatHasChangedIsUnknownUntilItIsRead() {
		FencingTokens.Base base = base();
		base.restore();
		replyTo(1, Code.OK, "4096");
		this.events.changed(PATH, EventType.NodeDataChanged);
		assertThat(base.value()).isNull();
		replyTo(2, Code.OK, "8192");
		assertThat(base.value()).isEqualTo(8192);
		base.forget();
		assertThat(base.value()).isNull();
	}

	@Test
	void sessionCanBeUsedWhenAllIsThere() {
		assertThat(setUp()).containsExactly(Code.OK);
	}

	/** Such as those before 3.6, which do not know the request. */
	@ParameterizedTest
	@EnumSource(names = { "UNIMPLEMENTED", "CONNECTIONLOSS" })
	void sessionCannotBeUsedIfTheServersDoNotTakeALook(Code reply) {
		this.looked = reply;
		assertThat(setUp()).containsExactly(reply);
	}

	@Test
	void sessionCannotBeUsedIfTheBaseOfTokensMayNotBeRead() {
		this.read = Code.NOAUTH;
		assertThat(setUp()).containsExactly(Code.NOAUTH);
	}

	@Test
	void sessionCannotBeUsedIfItsNodeMayNotBeCreated() {
		this.created = Code.NOAUTH;
		assertThat(setUp()).containsExactly(Code.NOAUTH);
	}

	private List<Code> setUp() {
		willAnswer((call) -> {
			call.<SessionRequests.Reply<Stat>>getArgument(3)
				.received(this.created, (this.created == Code.OK) ? new Stat() : null);
			return null;
		}).given(this.setupRequests).create(any(), any(), any(), any());
		willAnswer((call) -> {
			SessionRequests.Content base = new SessionRequests.Content("9".getBytes(StandardCharsets.US_ASCII),
					new Stat());
			call.<SessionRequests.Reply<SessionRequests.Content>>getArgument(2)
				.received(this.read, (this.read == Code.OK) ? base : null);
			return null;
		}).given(this.setupRequests).read(any(), anyBoolean(), any());
		willAnswer((call) -> {
			call.<SessionRequests.Reply<Object>>getArgument(2).received(this.looked, null);
			return null;
		}).given(this.setupRequests).look(any(), any(), any());
		List<Code> done = new ArrayList<>();
		LockPaths paths = new LockPaths("/quorlock");
		FencingTokens.Base base = new FencingTokens.Base(paths.tokenBase(), this.setupRequests,
				new SessionEvents(mock()), tokens(9));
		new SessionSetup(this.setupRequests, paths, "/heartbeat", base, done::add).start();
		return done;
	}

}
