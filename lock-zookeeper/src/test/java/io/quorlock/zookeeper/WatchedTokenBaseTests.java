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

import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.Watcher.Event.EventType;
import org.apache.zookeeper.data.Stat;
import org.junit.jupiter.api.Test;
import org.mockito.ArgumentCaptor;

import io.quorlock.zookeeper.SessionRequests.Content;
import io.quorlock.zookeeper.SessionRequests.Reply;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.ArgumentMatchers.eq;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.times;
import static org.mockito.Mockito.verify;

/**
 * Tests for {@link FencingTokens.Base}.
 */
class WatchedTokenBaseTests {

	private static final String PATH = "/locks/%token-base";

	private final SessionEvents events = new SessionEvents(mock());

	private final SessionRequests requests = mock();

	private final ArgumentCaptor<Reply<Content>> reply = ArgumentCaptor.captor();

	private FencingTokens.Base base() {
		return new FencingTokens.Base(PATH, this.requests, this.events,
				new FencingTokens(TestZooKeeperSettings.with("127.0.0.1:1", "a").build(), mock()));
	}

	private void replyTo(int read, Code code, String content) {
		verify(this.requests, times(read)).read(eq(PATH), eq(true), this.reply.capture());
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
		verify(this.requests, times(1)).read(eq(PATH), eq(true), this.reply.capture());
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

}
