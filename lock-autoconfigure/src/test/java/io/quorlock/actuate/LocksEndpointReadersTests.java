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

package io.quorlock.actuate;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.boot.actuate.endpoint.Show;

import io.quorlock.LockHandle;
import io.quorlock.LockLostEvent;
import io.quorlock.LockRequest;
import io.quorlock.engine.ObservedEngine;
import io.quorlock.engine.event.LockListener;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Eight readers read the endpoint of an instance that holds many locks without a pause,
 * until all locks were renewed several times.
 */
@Tag("long")
class LocksEndpointReadersTests {

	private static final int LOCKS = 50_000;

	private static final int READERS = 16;

	private final AtomicInteger lost = new AtomicInteger();

	private final AtomicInteger renewals = new AtomicInteger();

	@Test
	void locksOutliveAnyNumberOfReaders() {
		ObservedEngine observed = new ObservedEngine(1, Duration.ofSeconds(30));
		observed.listeners.add(new Counting());
		ExecutorService readers = Executors.newFixedThreadPool(READERS);
		try (observed) {
			observed.start();
			LocksEndpoint endpoint = new LocksEndpoint(observed.inspector(),
					new LockDescriptors(new NodeStatistics(), List.of(), Show.ALWAYS, Set.of()), (event) -> {
					});
			List<LockHandle> held = new ArrayList<>(LOCKS);
			for (int key = 0; key < LOCKS; key++) {
				held.add(observed.template().acquire(LockRequest.of("order").key(key)));
			}
			List<CompletableFuture<Integer>> reads = new ArrayList<>();
			for (int reader = 0; reader < READERS; reader++) {
				reads.add(CompletableFuture.supplyAsync(() -> read(endpoint), readers));
			}
			int pages = reads.stream().mapToInt(CompletableFuture::join).sum();
			assertThat(this.lost).hasValue(0);
			assertThat(pages).isGreaterThan(READERS);
			assertThat(held).allMatch(LockHandle::isHeld);
			held.forEach(LockHandle::close);
		}
		finally {
			readers.shutdownNow();
		}
	}

	/** Read all pages again and again, until each lock was renewed three times or so. */
	private int read(LocksEndpoint endpoint) {
		int pages = 0;
		while (this.renewals.get() < 3 * LOCKS && this.lost.get() == 0) {
			LocksDescriptor page = endpoint.locks(SecurityContext.NONE, null);
			assertThat(page.counts().held()).isEqualTo(LOCKS);
			assertThat(JsonMapper.shared().writeValueAsBytes(page)).hasSizeLessThan(1_000_000);
			pages++;
		}
		return pages;
	}

	private final class Counting implements LockListener {

		@Override
		public void onRenewed(LockRequest request, boolean success) {
			LocksEndpointReadersTests.this.renewals.incrementAndGet();
		}

		@Override
		public void onLost(LockRequest request, LockLostEvent event) {
			LocksEndpointReadersTests.this.lost.incrementAndGet();
		}

	}

}
