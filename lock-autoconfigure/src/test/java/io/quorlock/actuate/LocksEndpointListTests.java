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
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.boot.actuate.endpoint.SanitizableData;
import org.springframework.boot.actuate.endpoint.SanitizingFunction;
import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.boot.actuate.endpoint.Show;

import io.quorlock.LockHandle;
import io.quorlock.LockRequest;
import io.quorlock.LockTemplate;
import io.quorlock.actuate.LocksDescriptor.CountsDescriptor;
import io.quorlock.actuate.LocksDescriptor.RetainedLeaseDescriptor;
import io.quorlock.engine.ObservedEngine;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the pages of {@link LocksEndpoint}.
 */
class LocksEndpointListTests {

	private final ObservedEngine observed = new ObservedEngine(3);

	private final List<LockHandle> held = Collections.synchronizedList(new ArrayList<>());

	private LockTemplate template;

	@BeforeEach
	void start() {
		this.template = this.observed.start().template();
	}

	@AfterEach
	void stop() {
		this.held.forEach(LockHandle::close);
		this.observed.close();
	}

	private LocksEndpoint endpoint(Show show, SanitizingFunction... functions) {
		LockDescriptors descriptors = new LockDescriptors(new NodeStatistics(), List.of(functions), show, Set.of());
		return new LocksEndpoint(this.observed.inspector(), descriptors, (event) -> {
		});
	}

	private void hold(String name, int count) {
		for (int key = 0; key < count; key++) {
			this.held.add(this.template.acquire(LockRequest.of(name).key(key)));
		}
	}

	private static List<String> names(LocksDescriptor page) {
		return page.held().stream().map((hold) -> hold.locks().get(0).name()).toList();
	}

	@Test
	void firstThousandAreListedByNameAndAllAreCounted() {
		hold("order", 1_003);
		LocksDescriptor locks = endpoint(Show.ALWAYS).locks(SecurityContext.NONE, null);
		assertThat(locks.counts()).isEqualTo(new CountsDescriptor(1_003, 0, 0));
		assertThat(names(locks)).hasSize(1_000).isSorted().startsWith("order:0", "order:1", "order:10");
	}

	@Test
	void requestsThatWaitAndLeasesThatNobodyUsesAreListedByName() {
		this.held.add(this.template.acquire(LockRequest.of("order").key(1)));
		List<CompletableFuture<LockHandle>> waiting = new ArrayList<>();
		for (int i = 0; i < 25; i++) {
			waiting.add(this.template.acquireAsync(LockRequest.of("order").key(1).waitTime(Duration.ofMinutes(5)))
				.toCompletableFuture());
			this.template.acquire(LockRequest.of("account").key(i).retainTime(Duration.ofHours(1))).close();
		}
		LocksDescriptor locks = endpoint(Show.ALWAYS).locks(SecurityContext.NONE, null);
		assertThat(locks.counts()).isEqualTo(new CountsDescriptor(1, 25, 25));
		assertThat(locks.waiting()).hasSize(25);
		assertThat(locks.retained()).extracting(RetainedLeaseDescriptor::name).hasSize(25).isSorted();
		waiting.forEach((request) -> request.cancel(false));
	}

	@Test
	void onlyNamesThatBeginWithTheFilterAreShownAndCounted() {
		hold("order", 12);
		hold("stock", 3);
		LocksEndpoint endpoint = endpoint(Show.ALWAYS);
		LocksDescriptor stock = endpoint.locks(SecurityContext.NONE, "stock");
		assertThat(names(stock)).containsExactly("stock:0", "stock:1", "stock:2");
		assertThat(stock.counts().held()).isEqualTo(3);
		assertThat(names(endpoint.locks(SecurityContext.NONE, "order:1"))).containsExactly("order:1", "order:10",
				"order:11");
		assertThat(names(endpoint.locks(SecurityContext.NONE, "tock"))).isEmpty();
	}

	@Test
	void filterFindsNothingByWhatIsHidden() {
		this.held.add(this.template.acquire(LockRequest.of("account").key("alice")));
		this.held.add(this.template.acquire(LockRequest.of("account:bob")));
		for (LocksEndpoint endpoint : List.of(endpoint(Show.NEVER),
				endpoint(Show.ALWAYS, SanitizableData::withSanitizedValue))) {
			assertThat(endpoint.locks(SecurityContext.NONE, "account:a").counts().held()).isZero();
			assertThat(endpoint.locks(SecurityContext.NONE, "account:b").counts().held()).isZero();
			assertThat(endpoint.locks(SecurityContext.NONE, "account").counts().held()).isEqualTo(2);
		}
	}

}
