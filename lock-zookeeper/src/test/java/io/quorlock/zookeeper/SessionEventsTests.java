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

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

import org.apache.zookeeper.Watcher.Event.EventType;
import org.junit.jupiter.api.Test;

import io.quorlock.time.ManualTime;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link SessionEvents}.
 */
class SessionEventsTests {

	private final ManualTime time = new ManualTime();

	private final SessionEvents events = new SessionEvents(this.time);

	private final List<String> run = new ArrayList<>();

	@Test
	void allThatWatchANodeAreNotifiedOnce() {
		this.events.onChange("/a", (event) -> this.run.add("first " + event));
		this.events.onChange("/a", (event) -> this.run.add("second " + event));
		this.events.onChange("/b", (event) -> this.run.add("other"));
		this.events.changed("/a", EventType.NodeDeleted);
		this.events.changed("/a", EventType.NodeDeleted);
		assertThat(this.run).containsExactlyInAnyOrder("first NodeDeleted", "second NodeDeleted");
	}

	/** As the base of tokens is read anew with each connection. */
	@Test
	void whatWatchesANodeAlreadyIsNotifiedOnce() {
		Consumer<EventType> task = (event) -> this.run.add("once");
		this.events.onChange("/a", task);
		this.events.onChange("/a", task);
		this.events.changed("/a", EventType.NodeDeleted);
		assertThat(this.run).containsExactly("once");
	}

	@Test
	void claimThatGivesUpTakesItsOwnWatchBack() {
		Runnable unwatch = this.events.onChange("/a", (event) -> this.run.add("first"));
		Runnable last = this.events.onChange("/a", (event) -> this.run.add("second"));
		unwatch.run();
		this.events.changed("/a", EventType.NodeDeleted);
		assertThat(this.run).containsExactly("second");
		last.run();
		this.events.onChange("/a", (event) -> this.run.add("third")).run();
		assertThat(this.events.watched()).isZero();
	}

	@Test
	void goesOnWhenThereIsAConnectionAgain() {
		this.events.onConnection(() -> this.run.add("a"), () -> false);
		this.time.advance(Duration.ofSeconds(1));
		assertThat(this.run).isEmpty();
		this.events.connected();
		assertThat(this.run).containsExactly("a");
	}

	@Test
	void goesOnSoonWhereTheLossIsNotReportedYet() {
		this.events.onConnection(() -> this.run.add("a"), () -> true);
		assertThat(this.run).isEmpty();
		this.time.advance(Duration.ofMillis(50));
		assertThat(this.run).containsExactly("a");
	}

	/** It would wait for the next loss: the connection is there. */
	@Test
	void goesOnIfTheConnectionComesBackJustWhenItIsAdded() {
		this.events.onConnection(() -> this.run.add("a"), () -> {
			this.events.connected(); // by the thread that reports the connection
			return false;
		});
		assertThat(this.run).containsExactly("a");
	}

}
