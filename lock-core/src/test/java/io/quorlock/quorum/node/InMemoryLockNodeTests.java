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

package io.quorlock.quorum.node;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;

import org.junit.jupiter.api.Test;

import io.quorlock.time.TestClock;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link InMemoryLockNode}.
 */
class InMemoryLockNodeTests extends LockNodeContract {

	private final TestClock clock = new TestClock();

	@Override
	protected LockNode createNode() {
		return new InMemoryLockNode("memory", this.clock);
	}

	@Test
	void lateReleaseIsNotMistakenForARunningLease() {
		InMemoryStore store = new InMemoryStore(this.clock);
		List<String> names = List.of("a");
		store.execute(new NodeCommand.Acquire(names, new Attempt("a1"), 1_000, null, 1, 0),
				new InMemoryMessages(Set.of()));
		this.clock.advance(Duration.ofMillis(1_000));
		assertThat(store.execute(new NodeCommand.Acquire(names, new Attempt("a2"), 1_000, null, 1, 0),
				new InMemoryMessages(Set.of())))
			.isInstanceOf(NodeReply.Granted.class);
		store.execute(new NodeCommand.Release(names, new Attempt("a1"), 0), new InMemoryMessages(Set.of()));
		assertThat(store.execute(new OperatorCommand.Inspect("a"), new InMemoryMessages(Set.of())))
			.isInstanceOfSatisfying(NodeReply.Inspected.class,
					(inspected) -> assertThat(inspected.holders().get(0).owner()).isEqualTo("a2"));
	}

	@Test
	void expiredKeysAreForgotten() {
		InMemoryStore store = new InMemoryStore(this.clock);
		for (int i = 0; i < 5_000; i++) {
			store.execute(
					new NodeCommand.Acquire(List.of("lock" + i), new Attempt("a" + i), 10, new long[] { 1 }, 1, 20),
					new InMemoryMessages(Set.of()));
			this.clock.advance(Duration.ofMillis(1));
		}
		assertThat(store.size()).isLessThan(2_200);
	}

	@Test
	void expiredReadersAndTicketsAreForgotten() {
		InMemoryStore store = new InMemoryStore(this.clock);
		for (int i = 0; i < 5_000; i++) {
			LockTarget name = LockTarget.shared(List.of("lock" + i));
			CommandHeader reader = new CommandHeader(name, new Attempt("a:b:" + i));
			store.execute(new NodeCommand.Acquire(reader, 10, null, 1, 0, null, 1), new InMemoryMessages(Set.of()));
			LockTarget exclusive = LockTarget.exclusive(name.names());
			CommandHeader writer = new CommandHeader(exclusive, new Attempt("a:b:w" + i));
			store.execute(new NodeCommand.Acquire(writer, 10, null, 1, 0,
					Ticket.of(i, exclusive, 10, "a:b:w" + i).living(10), 1), new InMemoryMessages(Set.of("a:b")));
			this.clock.advance(Duration.ofMillis(1));
		}
		assertThat(store.size()).isLessThan(2_200);
	}

	/** It was started again as another one. */
	@Test
	void instanceThatListensAsAnotherGetsNoMessagesToTheOneBefore() {
		InMemoryLockNode node = new InMemoryLockNode("memory", this.clock);
		node.start(new IdleNodeListener());
		node.listen("app@host:1:ab");
		node.submit(new NodeCommand.Acquire(List.of("order"), new Attempt("app@host:1:ab:1"), 5_000, null, 1, 0), 0,
				(slot, reply) -> {
				});
		assertThat(receivers(node)).isOne();
		node.listen("app@host:1:cd");
		assertThat(receivers(node)).isZero();
		node.stop();
	}

	private static int receivers(LockNode node) {
		AtomicInteger receivers = new AtomicInteger(-1);
		CommandHeader header = new CommandHeader(LockTarget.exclusive(List.of("order")), new Attempt("asker:1:1"));
		node.submit(OperatorCommand.RequestRelease.within(header, Duration.ofSeconds(3)), 0,
				(slot, reply) -> receivers.set(((NodeReply.PassedOn) reply).connections()));
		return receivers.get();
	}

}
