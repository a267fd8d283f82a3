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
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import io.quorlock.LockAtRiskEvent;
import io.quorlock.LockHandle;
import io.quorlock.LockRequest;
import io.quorlock.embedded.EmbeddedRedis;
import io.quorlock.embedded.EmbeddedRedisNode;
import io.quorlock.engine.LockInspector;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * How soon a holder is notified, on real nodes (R7, R26). The bounds leave room for a
 * busy machine; docs/safety.md has the figures that are printed.
 */
@Timeout(120)
class NoticeTimesTests {

	private final EmbeddedRedis redis = EmbeddedRedis.start(3);

	private final List<RealEngine> engines = new ArrayList<>();

	@AfterEach
	void stop() {
		this.redis.nodes().forEach(EmbeddedRedisNode::resume);
		this.engines.forEach(RealEngine::close);
		this.redis.close();
	}

	@Test
	@Tag("long")
	void riskIsReportedWhenAThirdOfTheValidityIsLeft() throws InterruptedException {
		Duration lease = Duration.ofSeconds(3);
		RealEngine engine = start(1, lease);
		List<Long> millis = new ArrayList<>();
		for (int i = 0; i < 5; i++) {
			BlockingQueue<LockAtRiskEvent> events = new ArrayBlockingQueue<>(10);
			LockHandle lock = engine.template.acquire(LockRequest.of("risky-" + i));
			lock.onAtRisk(events::add);
			this.redis.nodes().forEach(EmbeddedRedisNode::pause);
			LockAtRiskEvent event = events.poll(30, TimeUnit.SECONDS);
			assertThat(event).isNotNull();
			assertThat(event.atRisk()).isTrue();
			assertThat(event.remaining()).isLessThanOrEqualTo(lease.dividedBy(3));
			millis.add(event.unconfirmedFor().toMillis());
			this.redis.nodes().forEach(EmbeddedRedisNode::resume);
			LockAtRiskEvent safe = events.poll(30, TimeUnit.SECONDS);
			assertThat(safe == null || !safe.atRisk() || !lock.isHeld()).isTrue();
			lock.close();
		}
		report("from the last confirmed renewal to the report of the risk, with a lease of 3 s", millis);
		assertThat(millis).allMatch((each) -> each >= 1_950 && each < 2_950);
	}

	@Test
	void holderIsNotifiedOfAForcedRelease() throws InterruptedException {
		RealEngine holder = start(1, Duration.ofSeconds(30));
		RealEngine operator = start(2, Duration.ofSeconds(30));
		List<Long> micros = new ArrayList<>();
		for (int i = 0; i < 50; i++) {
			BlockingQueue<Long> lost = new ArrayBlockingQueue<>(1);
			LockHandle lock = holder.template.acquire(LockRequest.of("forced-" + i));
			lock.onLost((event) -> lost.add(System.nanoTime()));
			long before = System.nanoTime();
			new LockInspector(operator.engine).forceRelease("forced-" + i);
			Long after = lost.poll(20, TimeUnit.SECONDS);
			assertThat(after).as("callback %d", i).isNotNull();
			assertThat(lock.isHeld()).isFalse();
			micros.add((after - before) / 1_000);
		}
		report("from a forced release to the callback of the holder, in microseconds", micros);
		// Its next renewal would be due after 10 s.
		assertThat(micros).allMatch((each) -> each < 5_000_000);
	}

	private RealEngine start(int number, Duration lease) {
		RealEngine engine = RealEngine.start(RealEngine.settings("app@host:" + number, lease, Duration.ofMillis(500)),
				this.redis.uris());
		this.engines.add(engine);
		return engine;
	}

	private static void report(String what, List<Long> values) {
		List<Long> sorted = values.stream().sorted().toList();
		System.out.printf("Notice times, %s: median %,d, at most %,d, of %d%n", what, sorted.get(sorted.size() / 2),
				sorted.get(sorted.size() - 1), sorted.size());
	}

}
