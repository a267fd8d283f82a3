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

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link Watches}.
 */
class WatchesTests {

	private final Watches watches = new Watches();

	private final List<String> fired = new ArrayList<>();

	@Test
	void allThatWatchANodeAreNotifiedOnce() {
		this.watches.on("/a", (event) -> this.fired.add("first " + event));
		this.watches.on("/a", (event) -> this.fired.add("second " + event));
		this.watches.on("/b", (event) -> this.fired.add("other"));
		this.watches.fire("/a", EventType.NodeDeleted);
		this.watches.fire("/a", EventType.NodeDeleted);
		assertThat(this.fired).containsExactlyInAnyOrder("first NodeDeleted", "second NodeDeleted");
	}

	/** As the base of tokens is read anew with each connection. */
	@Test
	void whatWatchesANodeAlreadyIsNotifiedOnce() {
		Consumer<EventType> task = (event) -> this.fired.add("once");
		this.watches.on("/a", task);
		this.watches.on("/a", task);
		this.watches.fire("/a", EventType.NodeDeleted);
		assertThat(this.fired).containsExactly("once");
	}

	@Test
	void claimThatGivesUpTakesItsOwnWatchBack() {
		Runnable unwatch = this.watches.on("/a", (event) -> this.fired.add("first"));
		Runnable last = this.watches.on("/a", (event) -> this.fired.add("second"));
		unwatch.run();
		this.watches.fire("/a", EventType.NodeDeleted);
		assertThat(this.fired).containsExactly("second");
		last.run();
		this.watches.on("/a", (event) -> this.fired.add("third")).run();
		assertThat(this.watches.size()).isZero();
	}

}
