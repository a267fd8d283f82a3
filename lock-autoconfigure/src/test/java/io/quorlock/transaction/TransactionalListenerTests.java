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

package io.quorlock.transaction;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.transaction.event.TransactionPhase;
import org.springframework.transaction.event.TransactionalEventListener;
import org.springframework.transaction.support.TransactionTemplate;

import io.quorlock.LockContext;
import io.quorlock.annotation.DistributedLock;
import io.quorlock.aop.AopConfiguration;
import io.quorlock.aop.FakeLockTemplate;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Methods that a transaction calls at its end are locked, and no lock outlives it.
 */
class TransactionalListenerTests {

	private final AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext(
			AopConfiguration.class, TransactionConfiguration.class, Listeners.class);

	private final FakeLockTemplate locks = this.context.getBean(FakeLockTemplate.class);

	private final List<String> calls = this.context.getBean(Listeners.class).calls();

	@AfterEach
	void stop() {
		this.context.close();
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			false | BEFORE_COMMIT holds before, AFTER_COMMIT holds after, AFTER_COMPLETION holds completion
			true  | AFTER_ROLLBACK holds rollback, AFTER_COMPLETION holds completion""")
	void listenerIsLockedInItsPhaseAndNoLockOutlivesTheTransaction(boolean rollback, String expected) {
		publish(rollback);
		assertThat(this.calls).containsExactlyInAnyOrder(expected.split(", "));
		assertThat(this.locks.heldCount()).isZero();
	}

	/** What it did is committed already: another holder of its lock changes nothing. */
	@ParameterizedTest
	@ValueSource(strings = { "after", "completion" })
	void listenerWhoseLockIsHeldElsewhereIsNotCalled(String lock) {
		this.locks.holdElsewhere(lock);
		publish(false);
		assertThat(this.calls).hasSize(2).noneMatch((call) -> call.endsWith(lock));
		assertThat(this.locks.heldCount()).isOne();
		assertThat(this.locks.events()).contains("commit");
	}

	private void publish(boolean rollback) {
		this.context.getBean(TransactionTemplate.class).executeWithoutResult((status) -> {
			this.context.publishEvent("event");
			if (rollback) {
				status.setRollbackOnly();
			}
		});
	}

	static class Listeners {

		private final List<String> calls = new CopyOnWriteArrayList<>();

		@Autowired
		@Nullable Listeners self;

		List<String> calls() {
			return this.calls;
		}

		@DistributedLock("before")
		@TransactionalEventListener(phase = TransactionPhase.BEFORE_COMMIT)
		public void beforeCommit(String event) {
			called(TransactionPhase.BEFORE_COMMIT);
		}

		@DistributedLock(name = "after", onContention = DistributedLock.OnContention.SKIP, waitTime = "0s")
		@TransactionalEventListener
		public void afterCommit(String event) {
			called(TransactionPhase.AFTER_COMMIT);
		}

		@DistributedLock("rollback")
		@TransactionalEventListener(phase = TransactionPhase.AFTER_ROLLBACK)
		public void afterRollback(String event) {
			called(TransactionPhase.AFTER_ROLLBACK);
		}

		@DistributedLock(name = "completion", waitTime = "0s")
		@TransactionalEventListener(phase = TransactionPhase.AFTER_COMPLETION)
		public void afterCompletion(String event) {
			called(TransactionPhase.AFTER_COMPLETION);
		}

		private void called(TransactionPhase phase) {
			this.calls.add(phase + " holds " + LockContext.current().orElseThrow().name());
		}

	}

}
