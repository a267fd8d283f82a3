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

import java.lang.ref.WeakReference;
import java.util.concurrent.CompletableFuture;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

import io.quorlock.time.ManualTime;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link StoreContext}.
 */
class StoreContextTests {

	private final StoreContext context = ZooKeeperStores.context(new ManualTime());

	@Test
	void stopWaitsForAllRemovalsUnderWay() {
		CompletableFuture<Boolean> first = new CompletableFuture<>();
		CompletableFuture<Boolean> second = new CompletableFuture<>();
		this.context.removed(first);
		this.context.removed(second);
		CompletableFuture<Void> removals = this.context.removals();
		first.complete(true);
		assertThat(removals).isNotDone();
		second.complete(false);
		assertThat(removals).isCompleted();
	}

	@Test
	void removalThatIsOverIsForgotten() {
		WeakReference<?> removal = removed();
		Awaitility.await().until(() -> {
			System.gc();
			return removal.get() == null;
		});
		assertThat(this.context.removals()).isCompleted();
	}

	private WeakReference<?> removed() {
		CompletableFuture<Boolean> removal = new CompletableFuture<>();
		this.context.removed(removal);
		removal.complete(true);
		return new WeakReference<>(removal);
	}

}
