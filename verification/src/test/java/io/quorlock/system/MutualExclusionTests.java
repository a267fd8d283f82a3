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

import java.io.DataInputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import io.quorlock.embedded.EmbeddedRedis;
import io.quorlock.embedded.EmbeddedRedisNode;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Two JVMs with eight threads each increment a number 20,000 times without anything
 * atomic but the lock, on five real nodes, well and unwell.
 */
@Tag("long")
class MutualExclusionTests {

	private static final int INCREMENTS = 10_000;

	@TempDir
	private Path directory;

	private EmbeddedRedis redis;

	@BeforeEach
	void startNodes() {
		this.redis = EmbeddedRedis.start(5);
	}

	@AfterEach
	void stopNodes() {
		this.redis.close();
	}

	@Test
	void totalIsExact() throws Exception {
		count(() -> {
		});
	}

	@Test
	void totalIsExactWhenTwoOfFiveNodesDieHalfWay() throws Exception {
		count(() -> {
			Awaitility.await().atMost(Duration.ofSeconds(90)).until(() -> counter() > INCREMENTS / 2);
			this.redis.node(1).kill();
			this.redis.node(3).kill();
		});
	}

	@Test
	void totalIsExactWhileANodeIsPausedAndContinued() throws Exception {
		EmbeddedRedisNode node = this.redis.node(2);
		count(() -> {
			while (counter() < INCREMENTS * 9 / 10) {
				long before = counter();
				node.pause();
				Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> counter() > before + 500);
				node.resume();
				long after = counter();
				Awaitility.await()
					.atMost(Duration.ofSeconds(60))
					.until(() -> counter() > after + 500 || counter() >= INCREMENTS);
			}
		});
	}

	/** All servers are healthy, and both processes have a majority of their own list. */
	@Test
	void totalIsExactIfOneAddressInTheListOfOneProcessIsWrong() throws Exception {
		List<String> uris = this.redis.uris();
		count(List.of(uris.subList(0, 3), List.of(uris.get(0), uris.get(1), uris.get(3))), () -> {
		});
	}

	private void count(Runnable meanwhile) throws Exception {
		count(List.of(this.redis.uris(), this.redis.uris()), meanwhile);
	}

	private void count(List<List<String>> lists, Runnable meanwhile) throws Exception {
		List<ChildJvm> processes = new ArrayList<>();
		try {
			for (List<String> list : lists) {
				List<String> arguments = new ArrayList<>(List.of("counter@test:" + (processes.size() + 1),
						file().toString(), "8", String.valueOf(INCREMENTS / 2)));
				arguments.addAll(list);
				processes.add(ChildJvm.start(CounterProcess.class, arguments));
			}
			meanwhile.run();
			for (ChildJvm process : processes) {
				assertThat(process.awaitEnd(Duration.ofSeconds(180))).isZero();
			}
		}
		finally {
			processes.forEach(ChildJvm::close);
		}
		assertThat(counter()).isEqualTo(INCREMENTS);
	}

	private Path file() {
		return this.directory.resolve("counter");
	}

	private long counter() {
		try (DataInputStream input = new DataInputStream(Files.newInputStream(file()))) {
			return input.readLong();
		}
		catch (java.io.IOException ex) {
			return 0;
		}
	}

}
