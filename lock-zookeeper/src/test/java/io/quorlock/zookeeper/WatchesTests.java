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

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

import org.apache.zookeeper.Watcher.Event.EventType;
import org.junit.jupiter.api.Test;

import io.quorlock.time.ManualTime;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link SessionEvents} that concern nodes.
 */
class WatchesTests {

	private final SessionEvents events = new SessionEvents(new ManualTime());

	private final List<String> fired = new ArrayList<>();

	@Test
	void allThatWatchANodeAreNotifiedOnce() {
		this.events.onChange("/a", (event) -> this.fired.add("first " + event));
		this.events.onChange("/a", (event) -> this.fired.add("second " + event));
		this.events.onChange("/b", (event) -> this.fired.add("other"));
		this.events.changed("/a", EventType.NodeDeleted);
		this.events.changed("/a", EventType.NodeDeleted);
		assertThat(this.fired).containsExactlyInAnyOrder("first NodeDeleted", "second NodeDeleted");
	}

	/** As the base of tokens is read anew with each connection. */
	@Test
	void whatWatchesANodeAlreadyIsNotifiedOnce() {
		Consumer<EventType> task = (event) -> this.fired.add("once");
		this.events.onChange("/a", task);
		this.events.onChange("/a", task);
		this.events.changed("/a", EventType.NodeDeleted);
		assertThat(this.fired).containsExactly("once");
	}

	@Test
	void claimThatGivesUpTakesItsOwnWatchBack() {
		Runnable unwatch = this.events.onChange("/a", (event) -> this.fired.add("first"));
		Runnable last = this.events.onChange("/a", (event) -> this.fired.add("second"));
		unwatch.run();
		this.events.changed("/a", EventType.NodeDeleted);
		assertThat(this.fired).containsExactly("second");
		last.run();
		this.events.onChange("/a", (event) -> this.fired.add("third")).run();
		assertThat(this.events.watched()).isZero();
	}

}
