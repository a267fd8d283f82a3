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

package io.quorlock.engine;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link Followers}.
 */
class FollowersTests {

	private final Followers<String> followers = new Followers<>();

	@Test
	void thoseThatAreRemovedFollowNoLongerAndOthersCan() {
		assertThat(this.followers.add("a")).isTrue();
		assertThat(this.followers.add("b")).isTrue();
		this.followers.remove("a");
		assertThat(this.followers.all()).containsExactly("b");
		assertThat(this.followers.removeAll()).containsExactly("b");
		assertThat(this.followers.all()).isEmpty();
		assertThat(this.followers.add("c")).isTrue();
		assertThat(this.followers.close()).containsExactly("c");
		assertThat(this.followers.add("d")).isFalse();
		assertThat(this.followers.close()).isEmpty();
	}

	@Test
	void nothingKeepsOtherThreadsOut() {
		this.followers.add("a");
		this.followers.remove("a");
		this.followers.all();
		this.followers.removeAll();
		this.followers.close();
		this.followers.add("b");
		CompletableFuture<List<String>> elsewhere = CompletableFuture.supplyAsync(this.followers::all,
				(task) -> new Thread(task, "other").start());
		assertThat(elsewhere).succeedsWithin(Duration.ofSeconds(20)).isEqualTo(List.of());
	}

}
