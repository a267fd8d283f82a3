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

package io.quorlock.redis.client;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import io.quorlock.LockException;
import io.quorlock.LockHandle;
import io.quorlock.LockRequest;
import io.quorlock.LockTemplate;
import io.quorlock.LockUnavailableException;
import io.quorlock.embedded.EmbeddedRedis;
import io.quorlock.engine.DefaultLockTemplate;
import io.quorlock.engine.LockEngine;
import io.quorlock.engine.TestEngines;
import io.quorlock.engine.TestSettings;
import io.quorlock.logging.CapturedLog;
import io.quorlock.logging.LogCaptureExtension;
import io.quorlock.redis.NodeAddress;
import io.quorlock.time.SystemClock;
import io.quorlock.time.TimerThread;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Instances with different node lists over real servers (R10).
 */
@ExtendWith(LogCaptureExtension.class)
class JointMajorityTests {

	private final SystemClock clock = new SystemClock();

	private final TimerThread timer = new TimerThread("test-timer");

	private final EmbeddedRedis servers = EmbeddedRedis.start(6);

	private final List<LockEngine> engines = new ArrayList<>();

	@AfterEach
	void stop() {
		this.engines.forEach(LockEngine::stop);
		this.timer.close();
		this.servers.close();
	}

	@Test
	@Tag("long")
	void twoListsThatDifferInOneNodeNeverHaveTwoHolders() throws InterruptedException {
		checkNoOverlap(uris(0, 1, 2), uris(0, 1, 3));
	}

	@Test
	@Tag("long")
	void threeNodesAndFiveExcludeEachOther() throws InterruptedException {
		checkNoOverlap(uris(0, 1, 2), uris(0, 1, 2, 3, 4));
	}

	/**
	 * As localhost and 127.0.0.1, or a host that was renamed, in a rolling deployment.
	 */
	@Test
	void sameServersUnderOtherNamesExcludeEachOtherAndStayAvailable(CapturedLog output) throws InterruptedException {
		checkNoOverlap(uris(0, 1, 2), otherNames(0, 1, 2));
		Awaitility.await()
			.atMost(Duration.ofSeconds(20))
			.untilAsserted(() -> assertThat(output).contains(
					"uses the same servers under other names, which excludes as one list does: " + list(0, 1, 2)));
		assertThat(output).doesNotContain("another instance uses a different node list");
	}

	@Test
	void aServerUnderAnotherNameIsTakenForNoOther() throws InterruptedException {
		checkNoOverlap(uris(0, 1, 2), otherNames(0, 1, 3));
	}

	/**
	 * The first instance has not looked at the record since: it does so every ten
	 * seconds.
	 */
	@Test
	void listsWithoutAJointMajorityAreNamedWithTheirUsers() {
		LockTemplate first = start("shop@a:1", uris(0, 1, 2));
		try (LockHandle held = first.acquire(LockRequest.of("n"))) {
			LockTemplate second = start("shop@b:2", uris(2, 3, 4));
			assertThatExceptionOfType(LockUnavailableException.class)
				.isThrownBy(() -> second.acquire(LockRequest.of("n").waitTime(Duration.ZERO)))
				.withMessageContaining("shop@a:1 uses " + list(0, 1, 2))
				.withMessageContaining("shop@b:2 uses " + list(2, 3, 4));
			assertThat(held.isHeld()).isTrue();
		}
	}

	private void checkNoOverlap(List<String> one, List<String> other) throws InterruptedException {
		AtomicInteger inside = new AtomicInteger();
		AtomicInteger overlaps = new AtomicInteger();
		AtomicBoolean over = new AtomicBoolean();
		List<AtomicInteger> grants = List.of(new AtomicInteger(), new AtomicInteger());
		List<Thread> threads = new ArrayList<>();
		for (int i = 0; i < 4; i++) {
			LockTemplate template = start("shop@h:" + i, (i % 2 == 0) ? one : other);
			AtomicInteger count = grants.get(i % 2);
			Thread thread = new Thread(() -> {
				while (!over.get()) {
					try (LockHandle held = template.acquire(LockRequest.of("n").waitTime(Duration.ofMillis(500)))) {
						overlaps.addAndGet((inside.incrementAndGet() > 1) ? 1 : 0);
						count.incrementAndGet();
						LockSupport.parkNanos(2_000_000);
						inside.decrementAndGet();
					}
					catch (LockException ex) {
						// The next round tries again.
					}
				}
			});
			thread.start();
			threads.add(thread);
		}
		Awaitility.await()
			.atMost(Duration.ofSeconds(60))
			.until(() -> grants.stream().allMatch((count) -> count.get() > 300));
		over.set(true);
		for (Thread thread : threads) {
			thread.join();
		}
		assertThat(overlaps).hasValue(0);
	}

	private String list(int... servers) {
		return uris(servers).stream()
			.map((uri) -> NodeAddress.parse(uri).name())
			.sorted()
			.collect(Collectors.joining(","));
	}

	private List<String> uris(int... servers) {
		return Arrays.stream(servers).mapToObj(this.servers.uris()::get).toList();
	}

	private List<String> otherNames(int... servers) {
		return uris(servers).stream().map((uri) -> uri.replace("127.0.0.1", "localhost")).toList();
	}

	private LockTemplate start(String instance, List<String> uris) {
		RedisNodeOptions options = TestOptions.with(this.clock)
			.set(RedisNodeOptions::instanceId, instance)
			.set(RedisNodeOptions::operationTimeout, Duration.ofSeconds(1))
			.set(RedisNodeOptions::failOnMismatch, true)
			.set(RedisNodeOptions::trustFirstSeen, true)
			.build();
		LockEngine engine = TestEngines.create(TestSettings.patient(instance),
				RedisNodes.create(uris.stream().map(NodeAddress::parse).toList(), options).nodes(), this.clock,
				this.timer, Runnable::run, List.of(), List.of());
		this.engines.add(engine);
		engine.start();
		return new DefaultLockTemplate(engine);
	}

}
