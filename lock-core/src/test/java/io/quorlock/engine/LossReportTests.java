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
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import io.quorlock.LockHandle;
import io.quorlock.LockLostEvent;
import io.quorlock.LockLostException;
import io.quorlock.LockRequest;
import io.quorlock.engine.event.LockListener;
import io.quorlock.logging.CapturedLog;
import io.quorlock.logging.LogCaptureExtension;
import io.quorlock.quorum.node.NodeCommand;
import io.quorlock.quorum.node.NodeReply;
import io.quorlock.spi.ReentrantLockHandle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

/**
 * R7: a loss is reported once, with its reason, whoever sees the end of the validity
 * first: event, callback, log and exception.
 */
@Timeout(60)
@ExtendWith(LogCaptureExtension.class)
class LossReportTests {

	private static final Duration LEASE = Duration.ofSeconds(30);

	private static final LockRequest ORDER = ScriptedCluster.ORDER;

	private static final String PAUSE = "its validity ended without a renewal (a pause of this process?)";

	private final List<LockLostEvent> events = new ArrayList<>();

	private final List<LockLostEvent> callbacks = new ArrayList<>();

	private int released;

	private final ScriptedCluster cluster = new ScriptedCluster(3, new LockListener() {

		@Override
		public void onLost(LockRequest request, LockLostEvent event) {
			LossReportTests.this.events.add(event);
		}

		@Override
		public void onReleased(LockRequest request, Duration held) {
			LossReportTests.this.released++;
		}

	});

	private enum Asker {

		IS_HELD, ENSURE_HELD, REMAINING, LOSS, TEXT, CLOSE, CLOSE_ASYNC, EXTEND, DOWNGRADE, HOLD_AT_LEAST, REENTRY,
		TIMER, INSPECTOR, NEXT_REQUEST, HAND_OVER, FIRST_OF_TWO_READERS, STOP

	}

	/** Their callbacks are gone with the handle. */
	private static final Set<Asker> CLOSING = EnumSet.of(Asker.CLOSE, Asker.CLOSE_ASYNC, Asker.HAND_OVER,
			Asker.FIRST_OF_TWO_READERS);

	@ParameterizedTest
	@EnumSource
	void everyLossAfterAThousandPausesIsReportedOnce(Asker asker, CapturedLog log) {
		for (int i = 1; i <= 1_000; i++) {
			loseAfterAPause(asker);
			assertThat(this.events).hasSize(i * (readers(asker) ? 2 : 1));
		}
		assertThat(this.events).extracting(LockLostEvent::reason).containsOnly(PAUSE);
		assertThat(this.callbacks).hasSize(CLOSING.contains(asker) ? 0 : 1_000);
		assertThat(this.released).isZero();
		assertThat(log.toString().split("WARN .*Lock 'order' was lost after 30000 ms: its validity ended", -1))
			.hasSize(1_001);
	}

	private static boolean readers(Asker asker) {
		return asker == Asker.FIRST_OF_TWO_READERS;
	}

	private void loseAfterAPause(Asker asker) {
		LockRequest request = readers(asker) ? ORDER.shared() : ORDER;
		LockHandle lock = this.cluster.acquire(request).join();
		LockHandle other = readers(asker) ? this.cluster.acquire(request).join() : null;
		CompletableFuture<LockHandle> next = (asker == Asker.HAND_OVER)
				? this.cluster.acquire(ORDER, Duration.ofMinutes(10)) : null;
		lock.onLost(this.callbacks::add);
		this.cluster.time.pause(LEASE);
		Throwable thrown = catchThrowable(() -> ask(asker, lock));
		if (thrown != null) {
			assertThat(thrown).isInstanceOf(LockLostException.class).hasMessageContaining("was lost: " + PAUSE);
		}
		lock.close();
		this.cluster.time.catchUp();
		close(other);
		close((next != null) ? next.join() : null);
		this.released -= (next != null) ? 1 : 0;
	}

	private void ask(Asker asker, LockHandle lock) {
		switch (asker) {
			case IS_HELD -> assertThat(lock.isHeld()).isFalse();
			case ENSURE_HELD -> lock.ensureHeld();
			case REMAINING -> assertThat(lock.remaining()).isZero();
			case LOSS -> assertThat(lock.loss()).get().extracting(Throwable::getMessage).asString().contains(PAUSE);
			case TEXT -> assertThat(lock).hasToString("LockHandle[order, PT0S]");
			case CLOSE, HAND_OVER, FIRST_OF_TWO_READERS -> lock.close();
			case CLOSE_ASYNC -> lock.closeAsync();
			case EXTEND -> lock.extend(LEASE);
			case DOWNGRADE -> lock.downgrade();
			case HOLD_AT_LEAST -> lock.holdAtLeast(LEASE);
			case REENTRY -> ((ReentrantLockHandle) lock).reenter(lock.names());
			case TIMER -> this.cluster.time.catchUp();
			case INSPECTOR -> assertThat(new LockInspector(this.cluster.engine).held()).isEmpty();
			case NEXT_REQUEST -> {
				close(this.cluster.acquire(ORDER).join());
				this.released--;
			}
			case STOP -> {
				this.cluster.engine.stop();
				this.cluster.engine.start();
			}
		}
	}

	private static void close(@Nullable LockHandle handle) {
		if (handle != null) {
			handle.close();
		}
	}

	/** The timer has found out, sends the release and has not reported the loss yet. */
	@Test
	void loserThatAsksWhileAnotherThreadIsAboutToReportTheLossKnowsItsReason() {
		LockHandle lock = this.cluster.acquire(ORDER).join();
		List<@Nullable Throwable> thrown = new ArrayList<>();
		whenReleasing(() -> {
			thrown.add(catchThrowable(lock::ensureHeld));
			lock.close();
		});
		this.cluster.time.pause(LEASE);
		this.cluster.time.catchUp();
		assertThat(thrown.get(0)).isInstanceOf(LockLostException.class).hasMessageContaining("was lost: " + PAUSE);
		assertThat(this.events).singleElement().extracting(LockLostEvent::reason).isEqualTo(PAUSE);
		assertThat(this.released).isZero();
	}

	private void whenReleasing(Runnable event) {
		ScriptedNode node = this.cluster.nodes.get(0);
		Function<NodeCommand, NodeReply> granting = Objects.requireNonNull(node.script);
		node.script = (command) -> {
			if (command instanceof NodeCommand.Release) {
				event.run();
			}
			return granting.apply(command);
		};
	}

}
