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

import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.mockito.Mockito;

import org.springframework.data.redis.connection.RedisConnection;

import io.quorlock.quorum.membership.NodeAdmission;
import io.quorlock.quorum.node.Attempt;
import io.quorlock.quorum.node.CommandHeader;
import io.quorlock.quorum.node.LockTarget;
import io.quorlock.quorum.node.NodeCommand;
import io.quorlock.quorum.node.NodeReply;
import io.quorlock.quorum.node.NodeReply.Failed;
import io.quorlock.quorum.node.NodeReply.Failed.Cause;
import io.quorlock.redis.ScriptCall;
import io.quorlock.redis.ServerInfo;
import io.quorlock.redis.client.EvictionPolicy.NodeEviction;
import io.quorlock.time.ManualTime;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link LinkMonitor} and {@link LinkHealth}.
 */
@Timeout(60)
class LinkMonitorTests {

	private final List<String> told = new CopyOnWriteArrayList<>();

	private final ManualTime clock = new ManualTime();

	private final FakeLink link = new FakeLink();

	private final LinkMonitor monitor = new LinkMonitor(this.link, this.clock,
			new LinkHealth(new RedisTopology(RedisTopology.Kind.STANDALONE, "node"), NodeEviction.WARN, this.clock,
					new NodeAdmission(Duration.ZERO, 0, true))) {

		@Override
		void onOpen() {
			LinkMonitorTests.this.told.add("open");
		}

		@Override
		void onUp() {
			LinkMonitorTests.this.told.add("up");
		}

		@Override
		void onDown(String reason) {
			LinkMonitorTests.this.told.add("down: " + reason);
		}

	};

	private final NodeCommand command = new NodeCommand.Renew(
			new CommandHeader(LockTarget.exclusive(List.of("n")), new Attempt("a1")), 30_000, false, null, 0, true, 0);

	private final LinkMonitor mocked = Mockito.mock(Mockito.RETURNS_SMART_NULLS);

	private final LinkHealth health = new LinkHealth(new RedisTopology(RedisTopology.Kind.CLUSTER, "node"),
			NodeEviction.WARN, this.clock, new NodeAdmission(Duration.ZERO, 0, true));

	@AfterEach
	void stop() {
		this.monitor.stop();
	}

	private void awaitPings(int count) {
		Awaitility.await().until(() -> this.link.pings.get() >= count);
	}

	@Test
	void failureIsToldAndTheNextAttemptConnects() {
		this.link.failures.set(2);
		this.monitor.start();
		Awaitility.await().until(() -> this.told.contains("up"));
		assertThat(this.told).startsWith("down: connection refused", "down: connection refused", "open", "up");
		assertThat(this.monitor.isOpen()).isTrue();
	}

	/** A class of the driver that cannot be loaded, say. */
	@Test
	void errorIsToldLikeAFailure() {
		this.link.beforeOpen = () -> {
			this.link.beforeOpen = () -> {
			};
			throw new NoClassDefFoundError("io/netty/Unknown");
		};
		this.monitor.start();
		Awaitility.await().until(() -> this.told.contains("up"));
		assertThat(this.told).startsWith("down: io/netty/Unknown", "open", "up");
	}

	/** A server that is down is not flooded, nor is one that replies. */
	@Test
	void attemptsAndPingsArePaused() {
		this.link.failures.set(3);
		long begun = System.nanoTime();
		this.monitor.start();
		awaitPings(1);
		assertThat(System.nanoTime() - begun).isGreaterThanOrEqualTo(Duration.ofMillis(600).toNanos());
		awaitPings(2);
		assertThat(System.nanoTime() - begun).isGreaterThanOrEqualTo(Duration.ofMillis(1_600).toNanos());
	}

	@Test
	void linkIsOpenedOnceHoweverOftenAPingFails() {
		this.link.ping = () -> {
			if (this.link.pings.get() == 1) {
				throw new IllegalStateException("gone");
			}
			return OptionalLong.empty();
		};
		this.monitor.start();
		Awaitility.await().until(() -> this.told.contains("up"));
		assertThat(this.told).startsWith("open", "down: gone", "up");
		assertThat(this.link.opened).hasValue(1);
	}

	@Test
	void linkThatIsOfNoUseIsOpenedAnewAndTheReasonIsTold() {
		this.monitor.start();
		Awaitility.await().until(() -> this.told.contains("up"));
		this.link.lost = "the server is a replica";
		Awaitility.await().until(() -> this.link.opened.get() == 2);
		Awaitility.await().until(() -> this.told.lastIndexOf("up") > this.told.lastIndexOf("open"));
		assertThat(this.told).containsSubsequence("down: the server is a replica", "open", "up");
		assertThat(this.link.closed).hasValue(1);
	}

	@Test
	void timeOfTheServerIsThatOfTheMiddleOfThePing() {
		this.link.ping = () -> {
			this.clock.advance(Duration.ofMillis(20));
			return OptionalLong.of(77_000_000);
		};
		this.monitor.start();
		Awaitility.await().until(() -> this.told.contains("up"));
		assertThat(this.monitor.clockOffsetMicros()).hasValue(77_000_000 - 1_010_000);
	}

	/** It says little, but more than nothing. */
	@Test
	void timeOfASlowReplyIsTakenOnlyAsLongAsNoneIsKnown() {
		this.link.ping = () -> {
			this.clock.advance(Duration.ofMillis(101));
			return OptionalLong.of(77_000_000);
		};
		this.monitor.start();
		Awaitility.await().until(() -> this.told.contains("up"));
		OptionalLong first = this.monitor.clockOffsetMicros();
		assertThat(first).isPresent();
		awaitPings(2);
		Awaitility.await().until(() -> this.told.stream().filter("up"::equals).count() >= 2);
		assertThat(this.monitor.clockOffsetMicros()).isEqualTo(first);
	}

	@Test
	void stopClosesTheLinkAndEndsTheThread() {
		this.monitor.start();
		Awaitility.await().until(() -> this.told.contains("up"));
		int pings = this.link.pings.get();
		this.monitor.stop();
		assertThat(this.link.pings).as("not sent while it stops").hasValue(pings);
		assertThat(this.monitor.isOpen()).isFalse();
		assertThat(this.link.closed).hasValue(1);
		assertThat(this.link.thread).isNotNull().extracting(Thread::isDaemon).isEqualTo(true);
		awaitEndOfThread();
	}

	@Test
	void stopOfAThreadThatIsInterruptedClosesTheLinkAndLeavesTheInterrupt() {
		this.monitor.start();
		Awaitility.await().until(() -> this.told.contains("up"));
		Thread.currentThread().interrupt();
		this.monitor.stop();
		assertThat(Thread.interrupted()).isTrue();
		assertThat(this.link.closed).hasValue(1);
	}

	@Test
	void stopDoesNotWaitForAPingThatHangs() {
		CountDownLatch interrupted = new CountDownLatch(1);
		this.link.ping = () -> {
			try {
				new CountDownLatch(1).await();
			}
			finally {
				interrupted.countDown();
			}
			return OptionalLong.empty();
		};
		this.monitor.start();
		awaitPings(1);
		long begun = System.nanoTime();
		this.monitor.stop();
		assertThat(System.nanoTime() - begun).isLessThan(Duration.ofSeconds(20).toNanos());
		assertThat(this.link.closed).hasValue(1);
		assertThat(awaited(interrupted)).isTrue();
		awaitEndOfThread();
		assertThat(this.told).as("the interrupt is no failure of the server").containsExactly("open");
	}

	/** Drivers may wait on all the same. */
	@Test
	void replyThatComesAfterTheStopIsNotTold() {
		CountDownLatch stopped = new CountDownLatch(1);
		this.link.ping = () -> {
			while (stopped.getCount() > 0) {
				Thread.onSpinWait();
			}
			return OptionalLong.empty();
		};
		this.monitor.start();
		awaitPings(1);
		this.monitor.stop();
		stopped.countDown();
		awaitEndOfThread();
		assertThat(this.told).containsExactly("open");
	}

	private void awaitEndOfThread() {
		Thread thread = this.link.thread;
		assertThat(thread).isNotNull();
		Awaitility.await().until(() -> !thread.isAlive());
	}

	/** The driver may be connecting all the while, and cannot be interrupted. */
	@Test
	void connectionThatComesAfterTheStopIsClosed() {
		CountDownLatch stopped = new CountDownLatch(1);
		this.link.beforeOpen = () -> {
			while (stopped.getCount() > 0) {
				Thread.onSpinWait();
			}
		};
		this.monitor.start();
		Awaitility.await().until(() -> this.link.opening);
		this.monitor.stop();
		assertThat(this.link.closed).hasValue(1);
		stopped.countDown();
		Awaitility.await().untilAtomic(this.link.closed, (count) -> assertThat(count.intValue()).isEqualTo(2));
		assertThat(this.told).isEmpty();
	}

	/** As one does that waits for a connection out of an empty pool. */
	@Test
	void driverThatHangsIsNoticed() {
		CountDownLatch replied = new CountDownLatch(1);
		this.link.ping = () -> {
			replied.await();
			return OptionalLong.empty();
		};
		this.monitor.start();
		awaitPings(1);
		assertThat(this.monitor.silence()).isEmpty();
		this.clock.advance(Duration.ofMillis(10_001));
		assertThat(this.monitor.silence()).isEqualTo("no free connection or no reply for 10 seconds; if all of the "
				+ "pool are in use, raise its max-active");
		replied.countDown();
		Awaitility.await().until(() -> this.monitor.silence().isEmpty());
	}

	@Test
	void driverThatHasNothingToDoDoesNotHang() {
		this.clock.advance(Duration.ofMinutes(1));
		assertThat(this.monitor.silence()).isEmpty();
	}

	private static boolean awaited(CountDownLatch latch) {
		try {
			return latch.await(20, TimeUnit.SECONDS);
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	@Test
	void commandsThatAreLostForTenSecondsAreAFailure() {
		lose();
		this.clock.advance(Duration.ofMillis(9_999));
		lose();
		assertThat(this.health.suspect()).isNull();
		this.clock.advance(Duration.ofMillis(1));
		lose();
		assertThat(this.health.suspect()).isEqualTo("n");
	}

	@Test
	void replyBetweenThemBeginsAnew() {
		lose();
		this.health.onReply(this.command, new NodeReply.Done(true));
		checkThatLossesBeginAnew();
	}

	@Test
	void anotherConnectionBeginsAnew() {
		lose();
		this.health.onConnection("connection closed", this.mocked);
		this.health.onConnection("", this.mocked);
		checkThatLossesBeginAnew();
	}

	@Test
	void lockThatWasTriedBeginsAnew() {
		lose();
		this.health.onProbe(new NodeReply.Done(true));
		checkThatLossesBeginAnew();
	}

	private void checkThatLossesBeginAnew() {
		this.clock.advance(Duration.ofHours(1));
		lose();
		assertThat(this.health.suspect()).isNull();
	}

	private void lose() {
		this.health.onReply(this.command, new Failed(Cause.CONNECTION_LOST, "reset by peer"));
	}

	private static final class FakeLink implements RedisLink {

		private final AtomicInteger failures = new AtomicInteger();

		private final AtomicInteger opened = new AtomicInteger();

		private final AtomicInteger pings = new AtomicInteger();

		private final AtomicInteger closed = new AtomicInteger();

		private volatile boolean opening;

		private volatile Runnable beforeOpen = () -> {
		};

		private volatile Callable<OptionalLong> ping = OptionalLong::empty;

		private volatile @Nullable Thread thread;

		private volatile String lost = "";

		@Override
		public String lostBecause() {
			return this.lost;
		}

		@Override
		public void open() {
			if (this.failures.getAndDecrement() > 0) {
				throw new IllegalStateException("connection refused");
			}
			this.opening = true;
			this.beforeOpen.run();
			this.opened.incrementAndGet();
		}

		@Override
		public OptionalLong ping(Duration timeout) throws Exception {
			this.thread = Thread.currentThread();
			this.pings.incrementAndGet();
			return this.ping.call();
		}

		@Override
		public List<ServerInfo> info(Duration timeout) {
			return List.of();
		}

		@Override
		public CompletionStage<@Nullable Object> run(ScriptCall call, Attempt attempt, boolean whole) {
			throw new UnsupportedOperationException();
		}

		@Override
		public void publish(byte[] channel, byte[] text) {
		}

		@Override
		public CompletionStage<Long> awaitReplicas(byte[] lockKey, int replicas, Duration timeout) {
			throw new UnsupportedOperationException();
		}

		@Override
		public RedisConnection openSubscription() {
			throw new UnsupportedOperationException();
		}

		@Override
		public void close() {
			this.lost = "";
			this.closed.incrementAndGet();
		}

	}

}
