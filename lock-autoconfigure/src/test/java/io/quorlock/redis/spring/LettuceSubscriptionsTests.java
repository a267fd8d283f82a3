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

package io.quorlock.redis.spring;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeoutException;

import io.lettuce.core.protocol.AsyncCommand;
import io.lettuce.core.protocol.Command;
import io.lettuce.core.protocol.CommandType;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import io.lettuce.core.pubsub.api.async.RedisPubSubAsyncCommands;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import io.quorlock.redis.spring.RedisLink.ChannelListener;

import static org.assertj.core.api.Assertions.assertThatNoException;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.eq;
import static org.mockito.BDDMockito.given;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.never;
import static org.mockito.Mockito.times;
import static org.mockito.Mockito.verify;

/**
 * Tests for {@link LettuceSubscriptions}.
 */
class LettuceSubscriptionsTests {

	private final RedisPubSubAsyncCommands<String, String> commands = mock();

	private final StatefulRedisPubSubConnection<String, String> connection = mock();

	private final ChannelListener listener = mock();

	private final LettuceSubscriptions subscriptions = new LettuceSubscriptions(() -> this.connection);

	@BeforeEach
	void prepare() {
		given(this.connection.isOpen()).willReturn(true);
		given(this.connection.async()).willReturn(this.commands);
		given(this.commands.subscribe("c")).willReturn(pending());
		given(this.commands.ping()).willAnswer((call) -> pending());
	}

	private static <T> AsyncCommand<String, String, T> pending() {
		return new AsyncCommand<>(new Command<>(CommandType.PING, null));
	}

	/** A firewall may have dropped it, without a word. */
	@Test
	void connectionOnWhichNoPingIsRepliedToIsReportedOnce() {
		this.subscriptions.subscribe("c", this.listener);
		checks(5);
		verify(this.listener, never()).onFailure(any(), any());
		checks(10);
		verify(this.listener).onFailure(eq("c"), any(TimeoutException.class));
		verify(this.commands).ping();
	}

	@Test
	void nextConnectionIsPingedAnew() {
		this.subscriptions.subscribe("c", this.listener);
		checks(6);
		this.subscriptions.close();
		this.subscriptions.subscribe("c", this.listener);
		checks(5);
		verify(this.listener).onFailure(any(), any());
		checks(1);
		verify(this.listener, times(2)).onFailure(any(), any());
	}

	@Test
	void connectionThatRepliesIsPingedEachTime() {
		given(this.commands.ping()).willAnswer((call) -> {
			AsyncCommand<String, String, String> pong = pending();
			pong.complete();
			return pong;
		});
		this.subscriptions.subscribe("c", this.listener);
		checks(20);
		verify(this.commands, times(20)).ping();
		verify(this.listener, never()).onFailure(any(), any());
	}

	@Test
	void connectionThatRepliesLateIsKept() {
		List<AsyncCommand<String, String, String>> pings = new ArrayList<>();
		given(this.commands.ping()).willAnswer((call) -> {
			pings.add(pending());
			return pings.get(pings.size() - 1);
		});
		this.subscriptions.subscribe("c", this.listener);
		for (int i = 0; i < 4; i++) {
			checks(4);
			pings.get(i).complete();
		}
		verify(this.listener, never()).onFailure(any(), any());
	}

	/** Lettuce connects again, and subscribes again. */
	@Test
	void connectionThatIsBrokenIsLeftToLettuce() {
		this.subscriptions.subscribe("c", this.listener);
		given(this.connection.isOpen()).willReturn(false);
		checks(20);
		verify(this.commands, never()).ping();
		verify(this.listener, never()).onFailure(any(), any());
	}

	@Test
	void subscriptionThatFailsIsReported() {
		AsyncCommand<String, String, Void> refused = pending();
		given(this.commands.subscribe("c")).willReturn(refused);
		this.subscriptions.subscribe("c", this.listener);
		IllegalStateException failure = new IllegalStateException("NOPERM");
		refused.completeExceptionally(failure);
		verify(this.listener).onFailure("c", failure);
	}

	@Test
	void nothingIsPingedBeforeSomethingIsListenedTo() {
		assertThatNoException().isThrownBy(() -> {
			checks(1);
			this.subscriptions.unsubscribe("c");
			this.subscriptions.close();
		});
	}

	private void checks(int times) {
		for (int i = 0; i < times; i++) {
			this.subscriptions.check();
		}
	}

}
