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
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.mockito.AdditionalAnswers;
import org.mockito.ArgumentMatchers;
import org.mockito.BDDMockito;
import org.mockito.Mockito;
import org.mockito.stubbing.Answer;

import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.Subscription;

import io.quorlock.embedded.EmbeddedRedisNode;
import io.quorlock.embedded.LoopbackProxy;
import io.quorlock.time.SystemClock;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link ChannelSubscription} with each driver.
 */
@Timeout(60)
class ChannelSubscriptionTests implements ChannelSubscription.Listener {

	private final BlockingQueue<String> messages = new LinkedBlockingQueue<>();

	private final BlockingQueue<Throwable> failures = new LinkedBlockingQueue<>();

	private final BlockingQueue<String> subscribed = new LinkedBlockingQueue<>();

	private EmbeddedRedisNode redis;

	private LoopbackProxy proxy;

	@SuppressWarnings("NullAway.Init")
	private Driver.Connections connections;

	@BeforeEach
	void start() {
		this.redis = EmbeddedRedisNode.start();
		this.proxy = LoopbackProxy.to(this.redis);
	}

	@AfterEach
	void stop() {
		if (this.connections != null) {
			this.connections.close();
		}
		this.proxy.close();
		this.redis.close();
	}

	private Supplier<RedisConnection> connect(Driver driver) {
		this.connections = driver.connect(new RedisStandaloneConfiguration("127.0.0.1", this.proxy.port()));
		RedisConnectionFactory factory = this.connections.factory();
		RedisLink link = RedisTopology.isLettuce(factory) ? LettuceLink.of(factory, RedisTopology.of(factory), false)
				: new BlockingLink(factory, new SystemClock());
		return link::openSubscription;
	}

	private ChannelSubscription subscribe(Supplier<RedisConnection> connections) throws InterruptedException {
		ChannelSubscription subscription = new ChannelSubscription(connections, "a", this);
		subscription.start();
		assertThat(this.subscribed.poll(20, TimeUnit.SECONDS)).as(this.failures::toString).isNotNull();
		return subscription;
	}

	@ParameterizedTest
	@Tag("long")
	@EnumSource
	void messagesArriveUntilTheEnd(Driver driver) throws Exception {
		Supplier<RedisConnection> opener = connect(driver);
		for (int i = 0; i < 10; i++) {
			ChannelSubscription subscription = subscribe(opener);
			assertThat(subscription.isFor("a")).isTrue();
			assertThat(subscription.isFor("b")).isFalse();
			this.redis.execute("PUBLISH", "a", "m" + i);
			assertThat(this.messages.poll(20, TimeUnit.SECONDS)).isEqualTo("m" + i);
			subscription.close();
			subscription.close();
			assertThat(subscription.isFor("a")).isFalse();
			awaitNoSubscription();
		}
		assertOthersGetTheirOwnReplies();
		awaitEndOfThreads();
		assertThat(this.failures).isEmpty();
	}

	/** The driver is still connecting then, or awaits the reply. */
	@ParameterizedTest
	@Tag("long")
	@EnumSource
	void nothingIsLeftOfASubscriptionThatIsClosedAtOnce(Driver driver) throws Exception {
		Supplier<RedisConnection> opener = connect(driver);
		for (int i = 0; i < 50; i++) {
			ChannelSubscription subscription = new ChannelSubscription(opener, "a", this);
			subscription.start();
			long end = System.nanoTime() + i * 50_000L;
			while (System.nanoTime() < end) {
				Thread.onSpinWait();
			}
			subscription.close();
		}
		awaitEndOfThreads();
		awaitNoSubscription();
		assertOthersGetTheirOwnReplies();
		assertThat(this.failures).isEmpty();
	}

	/** A ping behind the end would be replied to on a connection of the pool. */
	@ParameterizedTest
	@Tag("long")
	@EnumSource
	void othersGetTheirOwnRepliesHoweverASubscriptionIsPingedAndClosed(Driver driver) throws Exception {
		Supplier<RedisConnection> opener = connect(driver);
		AtomicBoolean done = new AtomicBoolean();
		Thread other = new Thread(() -> {
			while (!done.get()) {
				assertOthersGetTheirOwnReplies();
			}
		});
		other.setUncaughtExceptionHandler((thread, failure) -> this.failures.add(failure));
		other.start();
		for (int i = 0; i < 200; i++) {
			ChannelSubscription subscription = subscribe(opener);
			subscription.check();
			subscription.close();
			subscription.check();
		}
		done.set(true);
		other.join();
		assertThat(this.failures).isEmpty();
	}

	/** A firewall or a balancer has forgotten it. */
	@ParameterizedTest
	@EnumSource
	void connectionThatWasDroppedInSilenceIsNoticed(Driver driver) throws Exception {
		Supplier<RedisConnection> opener = connect(driver);
		ChannelSubscription dropped = subscribe(opener);
		this.proxy.forgetConnections();
		long accepted = this.proxy.connectionsAccepted();
		for (int i = 0; i < 6; i++) {
			assertThat(this.failures).isEmpty();
			dropped.check();
		}
		assertThat(this.failures.poll(10, TimeUnit.SECONDS)).isInstanceOf(TimeoutException.class);
		assertThat(dropped.isFor("a")).isFalse();
		dropped.check();
		ChannelSubscription next = subscribe(opener);
		assertThat(this.proxy.connectionsAccepted()).isGreaterThan(accepted);
		this.redis.execute("PUBLISH", "a", "m");
		assertThat(this.messages.poll(20, TimeUnit.SECONDS)).isEqualTo("m");
		next.close();
		assertThat(this.failures).isEmpty();
	}

	/**
	 * Whoever reads from it would learn when TCP gives up, after a quarter of an hour.
	 */
	@ParameterizedTest
	@Tag("long")
	@EnumSource
	void connectionThatWasDroppedInSilenceIsClosed(Driver driver) throws Exception {
		ChannelSubscription dropped = subscribe(connect(driver));
		this.proxy.forgetConnections();
		for (int i = 0; i < 6; i++) {
			dropped.check();
		}
		awaitEndOfThreads();
	}

	@ParameterizedTest
	@EnumSource
	void connectionThatRepliesIsPingedForever(Driver driver) throws Exception {
		ChannelSubscription subscription = subscribe(connect(driver));
		for (int i = 0; i < 20; i++) {
			subscription.check();
			Thread.sleep(20);
		}
		assertThat(calls("unsubscribe")).isGreaterThan(3);
		assertThat(this.failures).isEmpty();
		assertThat(this.subscribed).isEmpty();
		this.redis.execute("PUBLISH", "a", "m");
		assertThat(this.messages.poll(20, TimeUnit.SECONDS)).isEqualTo("m");
		subscription.close();
	}

	private int calls(String command) {
		String stats = String.valueOf(this.redis.execute("INFO", "commandstats"));
		int start = stats.indexOf("cmdstat_" + command + ":calls=");
		return (start < 0) ? 0
				: Integer.parseInt(stats.substring(stats.indexOf('=', start) + 1, stats.indexOf(',', start)));
	}

	@Test
	void connectionThatRepliesLateIsKept() throws Exception {
		Subscription subscription = Mockito.mock();
		RedisConnection connection = Mockito.mock();
		BDDMockito.given(subscription.isAlive()).willReturn(true);
		BDDMockito.given(connection.getSubscription()).willReturn(subscription);
		ChannelSubscription late = new ChannelSubscription(() -> connection, "a", this);
		late.start();
		Mockito.verify(connection, Mockito.timeout(10_000)).subscribe(late, bytes("a"));
		late.onChannelSubscribed(bytes("a"), 1);
		for (int i = 1; i <= 4; i++) {
			for (int j = 0; j < 5; j++) {
				late.check();
			}
			Mockito.verify(subscription, Mockito.timeout(10_000).times(i)).unsubscribe(bytes("a:ping"));
			late.onChannelUnsubscribed(bytes("a:ping"), 1);
		}
		assertThat(this.failures).isEmpty();
		late.close();
		Mockito.verify(connection, Mockito.timeout(10_000)).close();
	}

	/** Spring Data sends an {@code UNSUBSCRIBE} behind it. */
	@ParameterizedTest
	@Tag("long")
	@EnumSource
	void othersGetTheirOwnRepliesAfterASubscriptionThatWasRefused(Driver driver) throws Exception {
		Supplier<RedisConnection> opener = connect(driver);
		this.redis.execute("ACL", "SETUSER", "default", "resetchannels");
		for (int i = 0; i < 10; i++) {
			new ChannelSubscription(opener, "a", this).start();
			assertThat(this.failures.poll(20, TimeUnit.SECONDS)).hasStackTraceContaining("NOPERM");
			assertOthersGetTheirOwnReplies();
		}
		awaitEndOfThreads();
	}

	/** Lettuce connects again by itself. */
	@ParameterizedTest
	@EnumSource
	void connectionThatBreaksIsRestoredOrReported(Driver driver) throws Exception {
		ChannelSubscription subscription = subscribe(connect(driver));
		this.redis.execute("CLIENT", "KILL", "TYPE", "pubsub");
		Awaitility.await()
			.atMost(Duration.ofSeconds(30))
			.until(() -> this.subscribed.size() + this.failures.size() == 1);
		assertThat(subscription.isFor("a")).isEqualTo(this.failures.isEmpty());
		subscription.close();
	}

	/** Jedis connects again to send it, and nobody would close that connection. */
	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void whatIsSentBehindTheEndOfAConnectionLeavesNone(boolean ping) throws Exception {
		RedisConnection real = connect(Driver.JEDIS).get();
		RedisConnection connection = Mockito.mock(RedisConnection.class, AdditionalAnswers.delegatesTo(real));
		CountDownLatch over = new CountDownLatch(1);
		CountDownLatch sent = new CountDownLatch(1);
		BDDMockito.willAnswer((call) -> {
			try {
				real.subscribe(call.getArgument(0), bytes("a"));
			}
			finally {
				over.countDown();
			}
			return null;
		}).given(connection).subscribe(ArgumentMatchers.any(), ArgumentMatchers.any(byte[].class));
		BDDMockito.willAnswer((call) -> {
			Subscription late = Mockito.spy(real.getSubscription());
			Answer<?> behind = (command) -> {
				this.redis.execute("CLIENT", "KILL", "TYPE", "pubsub");
				over.await();
				command.callRealMethod();
				sent.countDown();
				return null;
			};
			BDDMockito.willAnswer(behind).given(late).unsubscribe(bytes("a:ping"));
			BDDMockito.willAnswer(behind).given(late).close();
			return late;
		}).given(connection).getSubscription();
		ChannelSubscription subscription = subscribe(() -> connection);
		if (ping) {
			subscription.check();
		}
		else {
			subscription.close();
		}
		assertThat(sent.await(20, TimeUnit.SECONDS)).isTrue();
		Awaitility.await()
			.untilAsserted(() -> assertThat(String.valueOf(this.redis.execute("CLIENT", "LIST")))
				.doesNotContain("cmd=unsubscribe"));
	}

	@ParameterizedTest
	@EnumSource
	void serverThatIsNotThereIsReported(Driver driver) throws Exception {
		Supplier<RedisConnection> opener = connect(driver);
		this.proxy.close();
		ChannelSubscription subscription = new ChannelSubscription(opener, "a", this);
		subscription.start();
		assertThat(this.failures.poll(30, TimeUnit.SECONDS)).isNotNull();
		subscription.check();
		subscription.close();
		awaitEndOfThreads();
	}

	private void assertOthersGetTheirOwnReplies() {
		for (int i = 0; i < 5; i++) {
			byte[] question = bytes("q" + i);
			try (RedisConnection connection = this.connections.factory().getConnection()) {
				assertThat(connection.commands().echo(question)).isEqualTo(question);
			}
		}
	}

	private void awaitNoSubscription() {
		Awaitility.await()
			.untilAsserted(() -> assertThat((List<?>) this.redis.execute("PUBSUB", "CHANNELS")).isEmpty());
	}

	private static void awaitEndOfThreads() {
		Awaitility.await()
			.atMost(Duration.ofSeconds(20))
			.until(() -> Thread.getAllStackTraces()
				.keySet()
				.stream()
				.noneMatch((thread) -> thread.getName().startsWith("quorlock-redis-subscription-")));
	}

	private static byte[] bytes(String text) {
		return text.getBytes(StandardCharsets.UTF_8);
	}

	@Override
	public void onSubscribed() {
		this.subscribed.add("");
	}

	@Override
	public void onMessage(String message) {
		this.messages.add(message);
	}

	@Override
	public void onFailure(Throwable failure) {
		this.failures.add(failure);
	}

}
