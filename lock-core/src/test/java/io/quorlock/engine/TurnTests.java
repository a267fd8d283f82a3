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

import org.junit.jupiter.api.Test;

import io.quorlock.LockMode;
import io.quorlock.LockRequest;
import io.quorlock.store.FakeLeaseStore;
import io.quorlock.time.ManualTime;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link Turn}: who may join, and who is the last to leave (R17, R19).
 */
class TurnTests {

	private final Holder first = holder();

	private final Holder second = holder();

	/** A holder as the engine makes it, of an engine of its own. */
	private static Holder holder() {
		FakeLeaseStore store = new FakeLeaseStore();
		ManualTime time = new ManualTime();
		LockEngine engine = new LockEngine(TestSettings.defaults("app@host:1").engine(), store, time, time,
				Runnable::run);
		engine.start();
		engine.acquireAsync(LockRequest.of("order").shared(), Duration.ZERO);
		store.contender().grant();
		return engine.leases().iterator().next().holder();
	}

	@Test
	void nobodyJoinsOnceTheLastReaderHasLeft() {
		Turn turn = Turn.of(LockMode.SHARED, this.first);
		assertThat(turn.leave(this.first)).isTrue();
		assertThat(turn.join(this.second)).isFalse();
		assertThat(turn.holders()).isEmpty();
	}

	@Test
	void readerThatJoinsKeepsTheTurnUntilItLeaves() {
		Turn turn = Turn.of(LockMode.SHARED, this.first);
		assertThat(turn.join(this.second)).isTrue();
		assertThat(turn.leave(this.first)).isFalse();
		assertThat(turn.holders()).containsExactly(this.second);
		assertThat(turn.leave(this.second)).isTrue();
		assertThat(turn.join(this.first)).isFalse();
	}

	@Test
	void nobodyJoinsAWriter() {
		Turn turn = Turn.of(LockMode.EXCLUSIVE, this.first);
		assertThat(turn.join(this.second)).isFalse();
		assertThat(turn.leave(this.first)).isTrue();
	}

	@Test
	void nobodyJoinsAWriterThatLeftWhileItWasDowngraded() {
		Turn writer = Turn.of(LockMode.EXCLUSIVE, this.first);
		assertThat(writer.downgrade()).isTrue();
		assertThat(writer.leave(this.first)).isTrue();
		assertThat(writer.join(this.second)).isFalse();
	}

	@Test
	void writerThatWasDowngradedLeavesTheLeaseToThoseThatJoined() {
		Turn writer = Turn.of(LockMode.EXCLUSIVE, this.first);
		assertThat(writer.downgrade()).isTrue();
		assertThat(writer.downgrade()).as("once more").isFalse();
		assertThat(writer.join(this.second)).isTrue();
		assertThat(writer.leave(this.first)).isFalse();
		assertThat(writer.leave(this.second)).isTrue();
	}

	@Test
	void turnOfReadersLastsUntilAllWereLetIn() {
		Turn turn = Turn.of(List.of(this.first, this.second));
		assertThat(turn.leave(this.first)).isFalse();
		assertThat(turn.leave(this.second)).isFalse();
		assertThat(turn.join(this.first)).as("while others are let in").isTrue();
		assertThat(turn.begun()).isFalse();
		assertThat(turn.leave(this.first)).isTrue();
	}

}
