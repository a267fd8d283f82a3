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
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.actuate.endpoint.InvalidEndpointRequestException;
import org.springframework.boot.actuate.endpoint.SanitizableData;
import org.springframework.boot.actuate.endpoint.SanitizingFunction;
import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.boot.actuate.endpoint.Show;

import io.quorlock.LockHandle;
import io.quorlock.LockRequest;
import io.quorlock.LockTemplate;
import io.quorlock.actuate.LocksDescriptor.CountsDescriptor;
import io.quorlock.engine.ObservedEngine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for the pages of {@link LocksEndpoint}.
 */
class LocksEndpointPageTests {

	private static final int PAGE_SIZE = 10;

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
		}, PAGE_SIZE);
	}

	private void hold(String name, int count) {
		for (int key = 0; key < count; key++) {
			this.held.add(this.template.acquire(LockRequest.of(name).key(key)));
		}
	}

	private LocksDescriptor page(LocksEndpoint endpoint, @Nullable String name, @Nullable Integer limit,
			@Nullable String cursor) {
		return endpoint.locks(SecurityContext.NONE, name, limit, cursor);
	}

	private static List<String> names(LocksDescriptor page) {
		return page.held().stream().map((hold) -> hold.locks().get(0).name()).toList();
	}

	@Test
	void pagesFollowEachOtherFromTheOldestLockToTheYoungest() {
		hold("order", 25);
		LocksEndpoint endpoint = endpoint(Show.ALWAYS);
		LocksDescriptor first = page(endpoint, null, null, null);
		assertThat(first.counts()).isEqualTo(new CountsDescriptor(25, 0, 0));
		assertThat(names(first)).hasSize(PAGE_SIZE).first().isEqualTo("order:0");
		LocksDescriptor second = page(endpoint, null, null, first.next());
		LocksDescriptor third = page(endpoint, null, null, second.next());
		assertThat(names(third)).hasSize(5).last().isEqualTo("order:24");
		assertThat(third.next()).isNull();
		List<String> all = new ArrayList<>(names(first));
		all.addAll(names(second));
		all.addAll(names(third));
		assertThat(all).doesNotHaveDuplicates().hasSize(25);
	}

	@Test
	void limitIsSmallerThanThePageAtMost() {
		hold("order", 25);
		LocksEndpoint endpoint = endpoint(Show.ALWAYS);
		assertThat(names(page(endpoint, null, 1, null))).containsExactly("order:0");
		assertThat(names(page(endpoint, null, 3, null))).containsExactly("order:0", "order:1", "order:2");
		assertThat(names(page(endpoint, null, 1_000_000, null))).hasSize(PAGE_SIZE);
	}

	@Test
	void requestsThatWaitAreOnPagesToo() {
		this.held.add(this.template.acquire(LockRequest.of("order").key(1)));
		List<CompletableFuture<LockHandle>> waiting = new ArrayList<>();
		for (int i = 0; i < 25; i++) {
			waiting.add(this.template.acquireAsync(LockRequest.of("order").key(1).waitTime(Duration.ofMinutes(5)))
				.toCompletableFuture());
		}
		LocksEndpoint endpoint = endpoint(Show.ALWAYS);
		LocksDescriptor page = page(endpoint, null, null, null);
		assertThat(page.counts()).isEqualTo(new CountsDescriptor(1, 0, 25));
		int seen = 0;
		for (int pages = 1; page != null; pages++) {
			assertThat(page.held()).hasSize((pages == 1) ? 1 : 0);
			seen += page.waiting().size();
			page = (page.next() != null) ? page(endpoint, null, null, page.next()) : null;
		}
		assertThat(seen).isEqualTo(25);
		waiting.forEach((request) -> request.cancel(false));
	}

	@Test
	void leasesThatNobodyUsesAreOnPagesToo() {
		for (int key = 0; key < PAGE_SIZE + 1; key++) {
			this.template.acquire(LockRequest.of("account").key(key).retainTime(Duration.ofHours(1))).close();
		}
		LocksEndpoint endpoint = endpoint(Show.ALWAYS);
		LocksDescriptor first = page(endpoint, null, null, null);
		assertThat(first.retained()).hasSize(PAGE_SIZE);
		LocksDescriptor second = page(endpoint, null, null, first.next());
		assertThat(second.retained()).hasSize(1);
		assertThat(second.next()).isNull();
	}

	@Test
	void onlyNamesThatBeginWithTheFilterAreShownAndCounted() {
		hold("order", 12);
		hold("stock", 3);
		LocksEndpoint endpoint = endpoint(Show.ALWAYS);
		LocksDescriptor stock = page(endpoint, "stock", null, null);
		assertThat(names(stock)).containsExactly("stock:0", "stock:1", "stock:2");
		assertThat(stock.counts().held()).isEqualTo(3);
		assertThat(stock.next()).isNull();
		assertThat(names(page(endpoint, "order:1", null, null))).containsExactly("order:1", "order:10", "order:11");
		assertThat(names(page(endpoint, "tock", null, null))).isEmpty();
		LocksDescriptor orders = page(endpoint, "order", null, null);
		assertThat(names(page(endpoint, "order", null, orders.next()))).containsExactly("order:10", "order:11");
	}

	@Test
	void filterFindsNothingByWhatIsHidden() {
		this.held.add(this.template.acquire(LockRequest.of("account").key("alice")));
		this.held.add(this.template.acquire(LockRequest.of("account:bob")));
		for (LocksEndpoint endpoint : List.of(endpoint(Show.NEVER),
				endpoint(Show.ALWAYS, SanitizableData::withSanitizedValue))) {
			assertThat(page(endpoint, "account:a", null, null).counts().held()).isZero();
			assertThat(page(endpoint, "account:b", null, null).counts().held()).isZero();
			assertThat(page(endpoint, "account", null, null).counts().held()).isEqualTo(2);
		}
	}

	@Test
	void whatStaysIsOnExactlyOnePageWhileOthersComeAndGo() throws InterruptedException {
		hold("stays", 200);
		AtomicBoolean done = new AtomicBoolean();
		Thread others = new Thread(() -> {
			for (int key = 0; !done.get(); key++) {
				this.template.acquire(LockRequest.of("other").key(key)).close();
			}
		});
		others.start();
		LocksEndpoint endpoint = endpoint(Show.ALWAYS);
		for (int walk = 0; walk < 20; walk++) {
			Set<String> seen = ConcurrentHashMap.newKeySet();
			String cursor = null;
			do {
				LocksDescriptor page = page(endpoint, "stays", null, cursor);
				names(page).forEach((name) -> assertThat(seen.add(name)).as(name).isTrue());
				cursor = page.next();
			}
			while (cursor != null);
			assertThat(seen).hasSize(200);
		}
		done.set(true);
		others.join();
	}

	@ParameterizedTest
	@ValueSource(strings = { "x", "1_2", "1_2_3_4", "1_?_3", "__zzzzzzzzzzzzzzzzzzz" })
	void otherCursorsAreRefused(String cursor) {
		assertThatExceptionOfType(InvalidEndpointRequestException.class)
			.isThrownBy(() -> page(endpoint(Show.ALWAYS), null, null, cursor));
	}

	@Test
	void emptyPagesAreRefused() {
		assertThatExceptionOfType(InvalidEndpointRequestException.class)
			.isThrownBy(() -> page(endpoint(Show.ALWAYS), null, 0, null));
	}

	@Test
	void cursorsComeBackAsTheyWere() {
		LocksCursor cursor = new LocksCursor(-1L, null, Long.MAX_VALUE);
		assertThat(LocksCursor.of(cursor.toString())).isEqualTo(cursor);
		assertThat(LocksCursor.of(null)).isEqualTo(LocksCursor.of("")).isEqualTo(new LocksCursor(null, null, null));
	}

}
