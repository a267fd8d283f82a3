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
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BooleanSupplier;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import io.quorlock.LockAtRiskEvent;
import io.quorlock.LockHandle;
import io.quorlock.LockRequest;
import io.quorlock.engine.event.LockListener;
import io.quorlock.quorum.node.InMemoryLockNode;
import io.quorlock.time.SystemClock;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * R26 with the threads of production: whatever the order in which the timer and the
 * replies notice the beginning and the end of a risk, each callback and the listener see
 * them in turn.
 */
@Timeout(60)
class RiskRaceTests {

	private static final int LOCKS = 40;

	private static final int EPISODES = 3;

	@Test
	void beginningAndEndOfEachRiskAreReportedInTurn() {
		SwitchableNode node = new SwitchableNode(new InMemoryLockNode("node", new SystemClock()));
		Map<String, List<Boolean>> heard = new ConcurrentHashMap<>();
		Map<String, List<Boolean>> called = new ConcurrentHashMap<>();
		LockListener listener = new LockListener() {
			@Override
			public void onAtRisk(LockRequest request, LockAtRiskEvent event) {
				add(heard, event);
			}
		};
		TestSettings settings = EngineFixture.settings(Duration.ofMillis(1_500), Duration.ofMillis(20));
		try (EngineFixture fixture = new EngineFixture(settings, List.of(node), listener)) {
			for (int episode = 1; episode <= EPISODES; episode++) {
				List<LockHandle> locks = new ArrayList<>();
				for (int i = 0; i < LOCKS; i++) {
					LockHandle lock = fixture.template.acquire(LockRequest.of("lock").key(i));
					lock.onAtRisk((event) -> add(called, event));
					locks.add(lock);
				}
				long begun = count(called, true);
				long ended = count(called, false);
				node.silence();
				await(locks, () -> count(called, true) > begun);
				node.speak();
				await(locks, () -> count(called, false) > ended);
				locks.forEach(LockHandle::close);
			}
		}
		assertThat(called.values()).allSatisfy(RiskRaceTests::expectInTurn);
		assertThat(heard.values()).allSatisfy(RiskRaceTests::expectInTurn);
	}

	/** A busy machine may lose all locks before it comes to look. */
	private static void await(List<LockHandle> locks, BooleanSupplier condition) {
		Awaitility.await()
			.atMost(Duration.ofSeconds(30))
			.pollInterval(Duration.ofMillis(5))
			.until(() -> condition.getAsBoolean() || locks.stream().noneMatch(LockHandle::isHeld));
	}

	private static long count(Map<String, List<Boolean>> events, boolean atRisk) {
		return events.values().stream().flatMap(List::stream).filter((event) -> event == atRisk).count();
	}

	private static void add(Map<String, List<Boolean>> events, LockAtRiskEvent event) {
		events.computeIfAbsent(event.owner(), (owner) -> new CopyOnWriteArrayList<>()).add(event.atRisk());
	}

	private static void expectInTurn(List<Boolean> events) {
		for (int i = 0; i < events.size(); i++) {
			assertThat(events.get(i)).as("event %d of %s", i, events).isEqualTo(i % 2 == 0);
		}
	}

}
