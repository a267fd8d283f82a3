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

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

import org.apache.zookeeper.WatchedEvent;
import org.apache.zookeeper.Watcher.Event.EventType;
import org.apache.zookeeper.Watcher.Event.KeeperState;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import io.quorlock.time.ManualTime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;

/**
 * Tests for {@link Sessions} that are stopped and started again, and for a former session
 * that is to be ended at servers that cannot be reached yet.
 */
class SessionsTests {

	private final ManualTime time = new ManualTime();

	private final AtomicInteger attempts = new AtomicInteger();

	private @Nullable Sessions sessions;

	private static final Duration TIMEOUT = Duration.ofSeconds(20);

	private final List<Runnable> tasks = new ArrayList<>();

	private final AtomicInteger again = new AtomicInteger();

	private Sessions.Former session;

	private Sessions sessions(Supplier<Map<String, String>> properties) {
		ZooKeeperSettings settings = TestZooKeeperSettings.with("127.0.0.1:1", "a")
			.set(ZooKeeperSettings::moreClientProperties, properties)
			.build();
		Sessions created = new Sessions(ZooKeeperStores.context(settings, this.time));
		this.sessions = created;
		return created;
	}

	private static Session awaitSession(Sessions sessions) {
		return Awaitility.await()
			.until(() -> Optional.ofNullable(sessions.current()), Optional::isPresent)
			.orElseThrow();
	}

	@AfterEach
	void close() {
		if (this.sessions != null) {
			this.sessions.close(10_000);
		}
	}

	@Test
	void attemptThatWasDueBeforeAStopOpensNoSecondSession() {
		Sessions sessions = sessions(() -> {
			if (this.attempts.incrementAndGet() == 1) {
				throw new IllegalStateException("no certificate");
			}
			return Map.of();
		});
		sessions.start();
		Awaitility.await().until(() -> this.time.isDueIn(Duration.ofSeconds(1)));
		sessions.close(10_000);
		sessions.start();
		Session opened = awaitSession(sessions);
		this.time.advance(Duration.ofSeconds(2));
		sessions.close(10_000);
		assertThat(this.attempts).hasValue(2);
		assertThat(opened.isOver()).isTrue();
	}

	/** Claims may come and go for as long as there is none. */
	@Test
	void sessionIsGivenOnceToThoseThatStillWantIt() {
		Sessions sessions = sessions(Map::of);
		List<String> given = new ArrayList<>();
		Runnable withdrawal = sessions.use((session) -> given.add("withdrawn"));
		sessions.use((session) -> given.add("wanted"));
		withdrawal.run();
		Session session = mock();
		sessions.onReady(session);
		sessions.onReady(session);
		assertThat(given).containsExactly("wanted");
	}

	@Test
	void reportsOfLocksFailAtOnceWhileThereIsNoConnection() {
		Sessions sessions = sessions(Map::of);
		sessions.start();
		awaitSession(sessions);
		assertThat(QueueReport.inspect(ZooKeeperStores.context(this.time), sessions, "order"))
			.isCompletedWithValueMatching((reports) -> reports.get(0).error() != null);
	}

	@Test
	void sessionThatOpensBehindItsStopIsNotTheOneOfTheNextStart() throws Exception {
		CountDownLatch opening = new CountDownLatch(1);
		CompletableFuture<Thread> former = new CompletableFuture<>();
		Sessions sessions = sessions(() -> {
			if (this.attempts.incrementAndGet() == 1) {
				former.complete(Thread.currentThread());
				Awaitility.await().until(() -> opening.getCount() == 0);
			}
			return Map.of();
		});
		sessions.start();
		former.join();
		sessions.close(1);
		sessions.start();
		Session opened = awaitSession(sessions);
		opening.countDown();
		former.join().join();
		assertThat(sessions.current()).isSameAs(opened);
		assertThat(opened.isOver()).isFalse();
	}

	@BeforeEach
	void openFormer() throws IOException {
		ZooKeeperSettings settings = TestZooKeeperSettings.with("127.0.0.1:1", "a")
			.set(ZooKeeperSettings::sessionTimeout, TIMEOUT)
			.build();
		this.session = new Sessions.Former(ZooKeeperStores.context(settings, this.time), 42, new byte[16],
				this.tasks::add, this.again::incrementAndGet);
	}

	@AfterEach
	void closeFormer() {
		this.session.close();
	}

	/** The next session waits for its nodes until it ends. */
	@Test
	void itIsResumedAgainIfNoServerCouldBeReachedForItsWholeTime() {
		notify(EventType.None, KeeperState.Disconnected);
		assertThat(this.tasks).isEmpty();
		this.time.advance(TIMEOUT.minusNanos(1));
		notify(EventType.None, KeeperState.Expired);
		this.time.advance(Duration.ofNanos(1));
		this.tasks.remove(0).run();
		assertThat(this.again).as("the servers ended it").hasValue(0);
		notify(EventType.None, KeeperState.Expired);
		this.tasks.remove(0).run();
		assertThat(this.again).hasValue(1);
		assertThat(this.tasks).isEmpty();
	}

	@ParameterizedTest
	@EnumSource(names = { "SyncConnected", "AuthFailed" })
	void itIsClosedOnceAServerHasReplied(KeeperState state) {
		notify(EventType.NodeDeleted, state);
		assertThat(this.tasks).isEmpty();
		notify(EventType.None, state);
		assertThat(this.tasks).hasSize(1);
	}

	private void notify(EventType type, KeeperState state) {
		this.session.process(new WatchedEvent(type, state, (type != EventType.None) ? "/path" : null));
	}

}
