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
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.mockito.ArgumentMatchers;
import org.mockito.BDDMockito;
import org.mockito.Mockito;

import io.quorlock.embedded.EmbeddedRedisNode;
import io.quorlock.embedded.LoopbackProxy;
import io.quorlock.quorum.node.Attempt;
import io.quorlock.quorum.node.InstanceMessage;
import io.quorlock.quorum.node.NodeReply;
import io.quorlock.quorum.node.NodeStatus.State;
import io.quorlock.redis.RedisKeys;
import io.quorlock.redis.RespError;
import io.quorlock.time.TestClock;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link Subscriptions}, with pushes of RESP3 and without.
 */
class SubscriptionsTests {

	private static final String INSTANCE = "app@host:1:7f";

	private static final String CHANNEL = "lock:instance:app@host:1:7f";

	@AutoClose
	private static EmbeddedRedisNode redis = EmbeddedRedisNode.start();

	private final List<String> messages = new ArrayList<>();

	private final AtomicInteger confirmed = new AtomicInteger();

	private final Subscriptions subscriptions = new Subscriptions(new RedisKeys("lock:"),
			this.confirmed::incrementAndGet, this.messages::add);

	@BeforeEach
	void flush() {
		redis.execute("FLUSHALL");
	}

	@Test
	void anotherInstanceEndsTheFirstSubscription() {
		try (NodeProbe probe = NodeProbe.connect(redis.uri())) {
			listen(probe, INSTANCE);
			awaitSubscribers(1);
			listen(probe, "another");
			awaitSubscribers(0);
			// Answered behind both confirmations, on the same connection.
			probe.send(NodeProbe.acquire(new Attempt("a1"), "n"));
			assertThat(probe.connected).hasSize(1);
		}
	}

	private static void listen(NodeProbe probe, String instance) {
		probe.node().listen(instance);
		probe.node().flush();
	}

	@Test
	void channelIsSubscribedToOnceHoweverOftenTheNodeIsAsked() {
		try (NodeProbe probe = NodeProbe.connect(redis.uri())) {
			for (int i = 0; i < 3; i++) {
				listen(probe, INSTANCE);
			}
			// Answered behind all confirmations.
			probe.send(NodeProbe.acquire(new Attempt("a1"), "n"));
			assertThat(probe.listening).hasSize(1);
		}
	}

	@Test
	void subscriptionIsConfirmedAgainAfterAReconnect() throws InterruptedException {
		try (LoopbackProxy proxy = LoopbackProxy.to(redis); NodeProbe probe = NodeProbe.connect(proxy.uri())) {
			listen(probe, INSTANCE);
			assertThat(probe.listening.poll(30, TimeUnit.SECONDS)).isNotNull();
			proxy.cut();
			probe.await(State.DOWN);
			proxy.restore();
			assertThat(probe.listening.poll(30, TimeUnit.SECONDS)).isNotNull();
			redis.execute("PUBLISH", CHANNEL, "wanted\na:1:2");
			assertThat(probe.messages.poll(30, TimeUnit.SECONDS)).isEqualTo(new InstanceMessage.LeaseWanted("a:1:2"));
		}
	}

	@Test
	void subscriptionBeforeTheConnectionIsNotForgotten() throws InterruptedException {
		try (LoopbackProxy proxy = LoopbackProxy.to(redis)) {
			proxy.cut();
			try (NodeProbe probe = NodeProbe.start(proxy.uri(), NodeProbe.options())) {
				listen(probe, INSTANCE);
				proxy.restore();
				assertThat(probe.listening.poll(30, TimeUnit.SECONDS)).isNotNull();
			}
		}
	}

	@Test
	void messagesDoNotDisturbTheOrderOfReplies() {
		try (NodeProbe probe = NodeProbe.connect(redis.uri())) {
			listen(probe, INSTANCE);
			for (int i = 0; i < 500; i++) {
				String name = "n" + i;
				Attempt attempt = new Attempt(INSTANCE + ":r" + i);
				assertThat(probe.send(NodeProbe.acquire(attempt, name))).isInstanceOf(NodeReply.Granted.class);
				assertThat(probe.send(NodeProbe.acquire(new Attempt("other"), name)))
					.isInstanceOfSatisfying(NodeReply.Refused.class, (refused) -> assertThat(refused.blockers())
						.containsExactly(new NodeReply.Blocker.Owner(attempt.owner())));
				assertThat(probe.send(NodeProbe.release(attempt, name))).isEqualTo(new NodeReply.Released(true, 0));
			}
			assertThat(probe.messages).hasSize(500);
		}
	}

	@Test
	void subscriptionThatIsDeniedDisturbsNothing() {
		try (EmbeddedRedisNode strict = EmbeddedRedisNode.builder()
			.user("locker on >secret ~lock:* &lock:* +@all -subscribe")
			.start(); NodeProbe probe = NodeProbe.connect("redis://locker:secret@127.0.0.1:" + strict.port())) {
			listen(probe, INSTANCE);
			Attempt attempt = new Attempt("a1");
			assertThat(probe.send(NodeProbe.acquire(attempt, "n"))).isInstanceOf(NodeReply.Granted.class);
			assertThat(probe.send(NodeProbe.release(attempt, "n"))).isInstanceOf(NodeReply.Released.class);
			assertThat(probe.listening).isEmpty();
		}
	}

	/** By an administrator who has corrected the rights, and restarts nothing. */
	@Test
	void subscriptionThatIsAllowedLaterIsAskedForAgain() throws InterruptedException {
		TestClock clock = new TestClock();
		RedisNodeOptions options = NodeProbe.options(clock);
		try (EmbeddedRedisNode strict = EmbeddedRedisNode.builder()
			.user("locker on >secret ~lock:* &lock:* +@all -subscribe")
			.start();
				NodeProbe probe = NodeProbe.connect("redis://locker:secret@127.0.0.1:" + strict.port(), options)) {
			listen(probe, INSTANCE);
			probe.send(NodeProbe.acquire(new Attempt("a1"), "n"));
			assertThat(probe.listening).isEmpty();
			strict.execute("ACL", "SETUSER", "locker", "+subscribe");
			clock.advance(Duration.ofSeconds(11));
			assertThat(probe.listening.poll(30, TimeUnit.SECONDS)).isNotNull();
			assertThat(probe.connected).hasSize(1);
		}
	}

	private static void awaitSubscribers(long count) {
		NodeProbe.until(() -> List.of(CHANNEL, count).equals(redis.execute("PUBSUB", "NUMSUB", CHANNEL)));
	}

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
