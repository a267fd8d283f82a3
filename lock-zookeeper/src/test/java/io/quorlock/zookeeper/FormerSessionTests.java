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
import java.util.concurrent.atomic.AtomicInteger;

import org.apache.zookeeper.WatchedEvent;
import org.apache.zookeeper.Watcher.Event.EventType;
import org.apache.zookeeper.Watcher.Event.KeeperState;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import io.quorlock.time.ManualTime;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What becomes of a session that is to be ended at servers that cannot be reached yet.
 */
class FormerSessionTests {

	private static final Duration TIMEOUT = Duration.ofSeconds(20);

	private final ManualTime time = new ManualTime();

	private final List<Runnable> tasks = new ArrayList<>();

	private final AtomicInteger again = new AtomicInteger();

	private Sessions.Former session;

	@BeforeEach
	void open() throws IOException {
		ZooKeeperSettings settings = TestZooKeeperSettings.with("127.0.0.1:1", "a")
			.set(ZooKeeperSettings::sessionTimeout, TIMEOUT)
			.build();
		this.session = new Sessions.Former(ZooKeeperStores.context(settings, this.time), 42, new byte[16],
				this.tasks::add, this.again::incrementAndGet);
	}

	@AfterEach
	void close() {
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
