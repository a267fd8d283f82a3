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
import java.util.concurrent.atomic.AtomicInteger;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.mockito.ArgumentMatchers;
import org.mockito.BDDMockito;
import org.mockito.Mockito;

import io.quorlock.redis.RedisKeys;
import io.quorlock.redis.RespError;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What {@link Subscriptions} make of the messages that a server pushes.
 */
class SubscriptionsPushTests {

	private final List<String> messages = new ArrayList<>();

	private final AtomicInteger confirmed = new AtomicInteger();

	private final Subscriptions subscriptions = new Subscriptions(new RedisKeys("lock:"),
			this.confirmed::incrementAndGet, this.messages::add);

	@Test
	void messageToAnotherInstanceIsNotRead() {
		this.subscriptions.listen("next");
		push("message", "lock:instance:former", "for the former");
		push("smessage", "lock:instance:next", "of another kind");
		push("message", "lock:instance:next", "for the next");
		this.subscriptions.clear();
		push("message", "lock:instance:next", "too late");
		assertThat(this.messages).containsExactly("for the next");
	}

	/** Whoever listens is offered names, and does not ask by itself meanwhile. */
	@Test
	void instanceListensOnceItsOwnChannelIsConfirmed() {
		List<PendingCommand> sent = connect();
		this.subscriptions.listen("former");
		this.subscriptions.listen("next");
		assertThat(sent).hasSize(3);
		sent.get(0).onReply(List.of());
		sent.get(1).onReply(List.of());
		assertThat(this.confirmed).hasValue(0);
		sent.get(2).onReply(List.of());
		assertThat(this.confirmed).hasValue(1);
	}

	/** It is asked four times a second what is due. */
	@Test
	@Tag("long")
	void channelThatWasRefusedIsAskedForOnceInAWhile() {
		List<PendingCommand> sent = connect();
		this.subscriptions.listen("next");
		long period = Duration.ofSeconds(10).toNanos();
		for (int refusals = 1; refusals <= 3; refusals++) {
			long now = refusals * 2 * period;
			assertThat(sent).hasSize(refusals);
			PendingCommand subscribe = sent.get(refusals - 1);
			subscribe.onQueued(now);
			subscribe.onReply(new RespError("NOPERM no permissions to access a channel"));
			this.subscriptions.keep(now + period - 1);
			assertThat(sent).hasSize(refusals);
			this.subscriptions.keep(now + period);
			this.subscriptions.keep(now + period + 1);
		}
		assertThat(sent).hasSize(4);
	}

	/** Returns what is sent from now on. */
	private List<PendingCommand> connect() {
		Pipeline pipeline = Mockito.mock(Pipeline.class);
		List<PendingCommand> sent = new ArrayList<>();
		BDDMockito.willAnswer((invocation) -> sent.add(invocation.getArgument(0)))
			.given(pipeline)
			.enqueue(ArgumentMatchers.any());
		this.subscriptions.connected(pipeline);
		return sent;
	}

	private void push(String... parts) {
		List<byte[]> push = new ArrayList<>();
		for (String part : parts) {
			push.add(part.getBytes(StandardCharsets.UTF_8));
		}
		this.subscriptions.onPush(push);
	}

}
