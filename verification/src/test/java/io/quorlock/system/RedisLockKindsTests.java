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

package io.quorlock.system;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import io.quorlock.LockHandle;
import io.quorlock.LockRequest;
import io.quorlock.embedded.EmbeddedRedis;
import io.quorlock.engine.DefaultLockTemplate;
import io.quorlock.engine.LockInspector;
import io.quorlock.store.NodeReport;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The kinds of locks of two instances on five servers.
 */
class RedisLockKindsTests extends LockKindsContract {

	private static final List<RealEngine> instances = new ArrayList<>();

	private static EmbeddedRedis redis;

	@BeforeAll
	static void start() {
		redis = EmbeddedRedis.start(5);
		for (int i = 0; i < 2; i++) {
			instances.add(RealEngine.start(RealEngine.settings("app@host:" + i), redis.uris()));
		}
	}

	@AfterAll
	static void stop() {
		instances.forEach(RealEngine::close);
		instances.clear();
		redis.close();
	}

	@Override
	DefaultLockTemplate instance(int number) {
		return instances.get(number).template;
	}

	@Test
	void waitersAreVisible() {
		DefaultLockTemplate one = instance(0);
		DefaultLockTemplate two = instance(1);
		LockInspector inspector = new LockInspector(one.engine());
		LockHandle holder = one.acquire(LockRequest.of("seen").fair());
		CompletableFuture<LockHandle> waiter = two
			.acquireAsync(LockRequest.of("seen").fair().waitTime(Duration.ofSeconds(20)))
			.toCompletableFuture();
		Awaitility.await().untilAsserted(() -> {
			List<NodeReport> reports = inspector.inspect("seen").join();
			// Where the waiter came first, the holder has its key from the next renewal
			// on.
			assertThat(reports.stream().filter((report) -> !report.holders().isEmpty()))
				.hasSizeGreaterThan(reports.size() / 2)
				.allSatisfy((report) -> assertThat(report.waiters()).singleElement()
					.satisfies(
							(waiting) -> assertThat(waiting.owner()).startsWith(two.engine().settings().instanceId())));
		});
		holder.close();
		waiter.join().close();
		Awaitility.await()
			.untilAsserted(() -> assertThat(inspector.inspect("seen").join())
				.allSatisfy((report) -> assertThat(report.waiters()).isEmpty()));
	}

	/** The operator is a third instance, whose commands others may overtake. */
	@Test
	void releaseByAnOperatorLeavesTheNextHolderAlone() {
		try (RealEngine third = RealEngine.start(RealEngine.settings("app@host:2"), redis.uris())) {
			LockInspector operator = new LockInspector(third.engine);
			for (int i = 0; i < 20; i++) {
				LockRequest request = LockRequest.of("taken").key(i).waitTime(Duration.ofSeconds(20));
				LockHandle first = instance(0).acquire(request);
				awaitOnEachNode(operator, first.name(), (report) -> report.owner() != null);
				CompletableFuture<LockHandle> next = instance(1).acquireAsync(request).toCompletableFuture();
				awaitOnEachNode(operator, first.name(), (report) -> !report.waiters().isEmpty());
				operator.forceRelease(first.name()).join();
				LockHandle second = next.join();
				// Its instance is told on a connection of its own.
				Awaitility.await().until(() -> !first.isHeld());
				operator.inspect(first.name()).join();
				assertThat(second.isHeld()).isTrue();
				second.close();
			}
		}
	}

	private static void awaitOnEachNode(LockInspector inspector, String lock, Predicate<NodeReport> condition) {
		Awaitility.await().until(() -> inspector.inspect(lock).join().stream().allMatch(condition));
	}

}
