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

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;

import io.quorlock.embedded.EmbeddedRedisNode;
import io.quorlock.redis.spring.RedisLink.ChannelListener;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Tests for {@link ContainerSubscriptions}: its connection comes out of the pool that the
 * lock commands and the application use, and nothing of it may be left there.
 */
class ContainerSubscriptionsTests implements ChannelListener {

	private final LinkedBlockingQueue<String> subscribed = new LinkedBlockingQueue<>();

	private final LinkedBlockingQueue<String> messages = new LinkedBlockingQueue<>();

	private final LinkedBlockingQueue<String> failures = new LinkedBlockingQueue<>();

	private EmbeddedRedisNode redis;

	private JedisConnectionFactory factory;

	private ContainerSubscriptions subscriptions;

	@BeforeEach
	void start() {
		this.redis = EmbeddedRedisNode.start();
		this.factory = new JedisConnectionFactory(new RedisStandaloneConfiguration("127.0.0.1", this.redis.port()));
		this.factory.afterPropertiesSet();
		this.factory.start();
		this.subscriptions = new ContainerSubscriptions(this.factory);
	}

	@AfterEach
	void stop() {
		this.subscriptions.close();
		this.factory.destroy();
		this.redis.close();
	}

	@Test
	void othersGetTheirOwnRepliesHoweverQuicklySubscriptionsComeAndGo() throws Exception {
		AtomicBoolean done = new AtomicBoolean();
		CompletableFuture<Integer> first = CompletableFuture.supplyAsync(() -> echo("first", done));
		CompletableFuture<Integer> second = CompletableFuture.supplyAsync(() -> echo("second", done));
		for (int i = 0; i < 2_000 && !first.isDone() && !second.isDone(); i++) {
			this.subscriptions.subscribe("c", this);
			this.subscriptions.unsubscribe("c");
		}
		done.set(true);
		assertThat(first.get(30, TimeUnit.SECONDS)).isPositive();
		assertThat(second.get(30, TimeUnit.SECONDS)).isPositive();
	}

	/** Spring Data sends an {@code UNSUBSCRIBE} behind it. */
	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void othersGetTheirOwnRepliesAfterASubscriptionThatWasRefused(boolean unified) {
		this.factory.stop();
		this.factory.setUseUnifiedJedis(unified);
		this.factory.start();
		this.redis.execute("ACL", "SETUSER", "default", "resetchannels");
		for (int i = 0; i < 10; i++) {
			assertThatThrownBy(() -> this.subscriptions.subscribe("a", this)).hasMessageContaining("NOPERM");
			try (RedisConnection connection = this.factory.getConnection()) {
				byte[] question = Integer.toString(i).getBytes(StandardCharsets.UTF_8);
				assertThat(connection.commands().echo(question)).isEqualTo(question);
			}
		}
		assertThat(this.failures).as("whoever subscribes gets the exception").isEmpty();
	}

	/** The server closes the connection when the right is taken away. */
	@Test
	void refusalOfTheNextSubscriptionIsToldAndABrokenConnectionIsNot() throws Exception {
		this.subscriptions.subscribe("former", this);
		assertThat(this.subscribed.poll(10, TimeUnit.SECONDS)).isEqualTo("former");
		this.subscriptions.subscribe("a", this);
		assertThat(this.subscribed.poll(10, TimeUnit.SECONDS)).isEqualTo("a");
		this.subscriptions.unsubscribe("former");
		this.redis.execute("CLIENT", "KILL", "TYPE", "pubsub");
		assertThat(this.subscribed.poll(10, TimeUnit.SECONDS)).isEqualTo("a");
		assertThat(this.failures).isEmpty();
		this.redis.execute("ACL", "SETUSER", "default", "resetchannels");
		assertThat(this.failures.poll(10, TimeUnit.SECONDS)).startsWith("a: ").contains("NOPERM");
	}

	private int echo(String who, AtomicBoolean done) {
		int times = 0;
		while (!done.get()) {
			byte[] question = (who + times++).getBytes(StandardCharsets.UTF_8);
			try (RedisConnection connection = this.factory.getConnection()) {
				assertThat(connection.commands().echo(question)).isEqualTo(question);
			}
		}
		return times;
	}

	@Test
	void onlyWhatIsListenedToIsReported() throws Exception {
		this.subscriptions.subscribe("a", this);
		this.subscriptions.subscribe("b", this);
		// The container notifies from threads of a pool.
		assertThat(
				Arrays.asList(this.subscribed.poll(10, TimeUnit.SECONDS), this.subscribed.poll(10, TimeUnit.SECONDS)))
			.containsExactlyInAnyOrder("a", "b");
		this.subscriptions.unsubscribe("a");
		this.redis.execute("PUBLISH", "a", "");
		this.redis.execute("PUBLISH", "a:none", "");
		this.redis.execute("PUBLISH", "b", "");
		assertThat(this.messages.poll(10, TimeUnit.SECONDS)).isEqualTo("b");
		assertThat(this.messages).isEmpty();
		assertThat(this.subscribed).isEmpty();
	}

	@Test
	void channelThatKeepsTheConnectionIsGivenUpLast() {
		this.subscriptions.subscribe("a", this);
		this.subscriptions.unsubscribe("a");
		assertThat(this.redis.execute("PUBSUB", "CHANNELS")).asString().contains("a:none");
		this.subscriptions.close();
		assertThat(this.redis.execute("PUBSUB", "CHANNELS")).asString().doesNotContain("a");
		this.subscriptions.subscribe("a", this);
		assertThat(this.redis.execute("PUBSUB", "CHANNELS")).asString().contains("a:none");
	}

	/** There would soon be none left for the locks. */
	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void connectionGoesBackToThePool(boolean unified) {
		this.factory.stop();
		this.factory.setUseUnifiedJedis(unified);
		this.factory.start();
		for (int i = 0; i < 10; i++) {
			this.subscriptions.subscribe("a", this);
			this.subscriptions.close();
		}
		try (RedisConnection connection = this.factory.getConnection()) {
			assertThat(connection.commands().ping()).isEqualTo("PONG");
		}
	}

	@Test
	void nothingOfASubscriptionThatFailedIsLeft() throws Exception {
		this.redis.close();
		for (int i = 0; i < 2; i++) {
			assertThatThrownBy(() -> this.subscriptions.subscribe("a", this)).isInstanceOf(RuntimeException.class);
		}
		awaitEndOfThreads();
	}

	@Test
	void threadsEndWithTheSubscriptions() throws Exception {
		this.subscriptions.subscribe("a", this);
		assertThat(this.subscribed.poll(10, TimeUnit.SECONDS)).isEqualTo("a");
		assertThat(threads()).isNotEmpty();
		this.subscriptions.close();
		awaitEndOfThreads();
	}

	private static void awaitEndOfThreads() {
		Awaitility.await().atMost(Duration.ofSeconds(10)).until(() -> threads().isEmpty());
	}

	private static List<String> threads() {
		return Thread.getAllStackTraces()
			.keySet()
			.stream()
			.map(Thread::getName)
			.filter((name) -> name.startsWith("quorlock-redis-subscription-"))
			.toList();
	}

	@Override
	public void onFailure(String channel, Throwable failure) {
		this.failures.add(channel + ": " + failure);
	}

	@Override
	public void onSubscribed(String channel) {
		this.subscribed.add(channel);
	}

	@Override
	public void onMessage(String channel, String message) {
		this.messages.add(channel);
	}

}
