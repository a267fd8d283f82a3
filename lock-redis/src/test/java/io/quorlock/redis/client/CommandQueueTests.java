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
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import io.quorlock.quorum.node.NodeReply.Failed.Cause;
import io.quorlock.time.TestClock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Tests for {@link CommandQueue}: which thread writes which calls, and when.
 */
class CommandQueueTests {

	private final TestClock clock = new TestClock();

	private final CommandQueue queue = new CommandQueue(this.clock);

	private final PendingCommand first = new TestCommand();

	private final PendingCommand second = new TestCommand();

	private final PendingCommand third = new TestCommand();

	@Test
	void callIsWrittenByItsThreadIfNothingIsUnderWay() {
		assertThat(offer(this.first)).containsExactly(this.first);
	}

	@Test
	void callBehindOthersIsLeftToTheWriter() {
		offer(this.first);
		assertThat(offer(this.second)).isEmpty();
		this.queue.written();
		assertThat(this.queue.awaitQueued()).isTrue();
		assertThat(takeQueued()).containsExactly(this.second);
	}

	@Test
	void enqueuedCallsAreWrittenWithTheNext() {
		assertThat(this.queue.enqueue(this.first)).isNull();
		assertThat(this.queue.enqueue(this.second)).isNull();
		assertThat(offer(this.third)).containsExactly(this.first, this.second, this.third);
		assertThat(replied(3)).containsExactly(this.first, this.second, this.third);
	}

	@Test
	void enqueuedCallsAreWrittenUponAFlush() {
		this.queue.enqueue(this.first);
		assertThat(this.queue.flush()).containsExactly(this.first);
		assertThat(this.queue.flush()).isEmpty();
	}

	@Test
	void enqueuedCallsBehindOthersAreLeftToTheWriterUponAFlush() {
		offer(this.first);
		this.queue.enqueue(this.second);
		this.queue.written();
		assertThat(this.queue.flush()).isEmpty();
		assertThat(this.queue.awaitQueued()).isTrue();
		assertThat(takeQueued()).containsExactly(this.second);
	}

	@Test
	void enqueuedCallsDoNotDisturbTheWriter() throws Exception {
		this.queue.enqueue(this.first);
		Future<Boolean> writer = waitingWriter();
		this.queue.close("over");
		assertThat(writer.get(30, TimeUnit.SECONDS)).isFalse();
	}

	/** Two that write at once would mix up the commands, although a reply was quick. */
	@Test
	void nobodyElseWritesBeforeACallIsWritten() throws Exception {
		offer(this.first);
		assertThatTheNextIsLeftToTheWriter();
	}

	@Test
	void nobodyElseWritesBeforeEnqueuedCallsAreWritten() throws Exception {
		this.queue.enqueue(this.first);
		this.queue.flush();
		assertThatTheNextIsLeftToTheWriter();
	}

	private void assertThatTheNextIsLeftToTheWriter() throws Exception {
		replied(1);
		assertThat(offer(this.second)).isEmpty();
		Future<Boolean> writer = waitingWriter();
		this.queue.written();
		assertThat(writer.get(30, TimeUnit.SECONDS)).isTrue();
		assertThat(takeQueued()).containsExactly(this.second);
	}

	private Future<Boolean> waitingWriter() {
		FutureTask<Boolean> writer = new FutureTask<>(this.queue::awaitQueued);
		Thread thread = new Thread(writer);
		thread.start();
		Awaitility.await().until(() -> thread.getState() == Thread.State.WAITING);
		assertThat(writer).isNotDone();
		return writer;
	}

	@Test
	void manyCallsAtOnceAreLeftToTheWriter() {
		for (int i = 0; i < 1_000; i++) {
			this.queue.enqueue(new TestCommand());
		}
		assertThat(this.queue.flush()).isEmpty();
		assertThat(this.queue.awaitQueued()).isTrue();
		assertThat(takeQueued()).hasSize(1_000);
	}

	/** It might fill the socket's buffer, and its caller be the timer. */
	@Test
	void largeCallIsLeftToTheWriter() {
		PendingCommand large = new TestCommand(9_000);
		assertThat(offer(large)).isEmpty();
		assertThat(this.queue.awaitQueued()).isTrue();
		assertThat(takeQueued()).containsExactly(large);
	}

	@Test
	void smallCallsThatAreLargeTogetherAreLeftToTheWriter() {
		this.queue.enqueue(new TestCommand(5_000));
		assertThat(offer(new TestCommand(5_000))).isEmpty();
		assertThat(this.queue.awaitQueued()).isTrue();
		assertThat(takeQueued()).hasSize(2);
	}

	@Test
	void callThatWasNotSentDoesNotMakeTheConnectionLookDead() {
		this.queue.enqueue(this.first);
		assertThat(this.queue.oldestNanos(Long.MAX_VALUE)).isZero();
		this.queue.flush();
		assertThat(this.queue.oldestNanos(Long.MAX_VALUE)).isPositive();
	}

	@Test
	void callsThatAreEnqueuedDoNotHideAConnectionThatLooksDead() {
		offer(this.first);
		this.queue.written();
		this.queue.enqueue(this.second);
		assertThat(this.queue.oldestNanos(Long.MAX_VALUE)).isPositive();
		replied(1);
		assertThat(this.queue.oldestNanos(Long.MAX_VALUE)).isZero();
	}

	@Test
	void connectionLooksDeadBecauseOfTheOldestCall() {
		offer(this.first);
		this.clock.advance(Duration.ofSeconds(5));
		offer(this.second);
		assertThat(this.queue.oldestNanos(this.clock.nanoTime())).isGreaterThanOrEqualTo(5_000_000_000L);
	}

	@Test
	void connectionThatOwesAReplyIsNotSettledUntilItIsClosed() {
		offer(this.first);
		assertThat(this.queue.isSettled()).isFalse();
		this.queue.close("over");
		assertThat(this.queue.isSettled()).isTrue();
	}

	@Test
	void whatRemainsIsTakenOnceWithTheFirstReason() {
		offer(this.first);
		offer(this.second);
		this.queue.close("over");
		this.queue.close("closed");
		CommandQueue.Remains remains = this.queue.takeRemains();
		assertThat(remains.lost()).containsExactly(this.first);
		assertThat(remains.notSent()).containsExactly(this.second);
		assertThat(remains.reason()).isEqualTo("over");
		assertThat(this.queue.takeRemains().lost()).isEmpty();
		assertThat(this.queue.takeRemains().notSent()).isEmpty();
	}

	/** The replies behind it would be taken for those to other calls. */
	@Test
	void replyThatFitsNoCallEndsTheConnection() {
		assertThatIllegalStateException().isThrownBy(() -> this.queue.takeRepliedTo(false, false));
		offer(this.first);
		assertThatIllegalStateException().isThrownBy(() -> this.queue.takeRepliedTo(true, false));
		assertThat(this.queue.takeRepliedTo(false, true)).isSameAs(this.first);
	}

	@Test
	void callWhoseConditionFailsIsNotQueued() {
		CommandQueue.Offer refused = this.queue.offer(() -> false, "too late", this.first);
		assertThat(refused.refusal()).isEqualTo("too late");
		assertThat(refused.toWrite()).isEmpty();
		assertThat(this.queue.isSettled()).isTrue();
	}

	/** R3: a later command of the attempt must not come between. */
	@Test
	void nothingIsQueuedBetweenTheConditionAndTheCall() throws Exception {
		Thread other = new Thread(() -> offer(this.second));
		this.queue.offer(() -> {
			other.start();
			Awaitility.await().until(() -> other.getState() == Thread.State.BLOCKED);
			return true;
		}, "", this.first);
		other.join();
		assertThat(replied(1)).containsExactly(this.first);
	}

	/** With nothing that looks after it, one lost wake-up leaves a caller waiting. */
	@Test
	void noCallIsForgottenOrOvertaken() throws Exception {
		BlockingQueue<PendingCommand> connection = new LinkedBlockingQueue<>();
		daemon(() -> {
			while (this.queue.awaitQueued()) {
				write(takeQueued(), connection);
			}
		});
		daemon(() -> {
			while (true) {
				PendingCommand written = connection.take();
				PendingCommand replied = this.queue.takeRepliedTo(false, false);
				replied.onReply((replied == written) ? "in order" : "out of order");
			}
		});
		List<CompletableFuture<?>> callers = new ArrayList<>();
		for (int caller = 0; caller < 4; caller++) {
			callers.add(CompletableFuture.runAsync(() -> call(connection, 10_000)));
		}
		CompletableFuture.allOf(callers.toArray(CompletableFuture[]::new)).get(60, TimeUnit.SECONDS);
		this.queue.close("over");
	}

	private void call(BlockingQueue<PendingCommand> connection, int times) {
		for (int i = 0; i < times; i++) {
			TestCommand call = new TestCommand();
			TestCommand another = new TestCommand();
			if (i % 2 == 0) {
				this.queue.enqueue(another);
				write(offer(call), connection);
			}
			else {
				write(offer(another), connection);
				this.queue.enqueue(call);
				write(this.queue.flush(), connection);
			}
			assertThat(call.reply.orTimeout(30, TimeUnit.SECONDS).join()).isEqualTo("in order");
			assertThat(another.reply).isCompletedWithValue("in order");
		}
	}

	private void write(List<PendingCommand> calls, BlockingQueue<PendingCommand> connection) {
		if (!calls.isEmpty()) {
			connection.addAll(calls);
			this.queue.written();
		}
	}

	private static void daemon(ThrowingRunnable work) {
		Thread thread = new Thread(() -> {
			try {
				work.run();
			}
			catch (Exception ex) {
				throw new IllegalStateException(ex);
			}
		});
		thread.setDaemon(true);
		thread.start();
	}

	private interface ThrowingRunnable {

		void run() throws Exception;

	}

	@Test
	void callEnqueuedBehindOneForTheWriterGoesWithIt() {
		offer(this.first);
		offer(this.second);
		this.queue.enqueue(this.third);
		this.queue.written();
		assertThat(this.queue.awaitQueued()).isTrue();
		assertThat(takeQueued()).containsExactly(this.second, this.third);
	}

	@Test
	void whatWasEnqueuedWhenItEndsWasNotSent() {
		this.queue.enqueue(this.first);
		this.queue.close("over");
		assertThat(this.queue.flush()).isEmpty();
		assertThat(this.queue.enqueue(this.second)).isEqualTo("over");
		assertThat(this.queue.takeRemains().notSent()).containsExactly(this.first);
	}

	@Test
	void whatTheWriterHasNotTakenWhenItEndsWasNotSent() {
		offer(this.first);
		offer(this.second);
		this.queue.written();
		assertThat(this.queue.awaitQueued()).isTrue();
		this.queue.close("over");
		assertThat(takeQueued()).isEmpty();
		assertThat(this.queue.takeRemains().notSent()).containsExactly(this.second);
	}

	@Test
	void callsAreLimitedBeforeAndAfterTheyAreSentButUrgentOnesAreTaken() {
		for (int i = 0; i < CommandQueue.MAX_COMMANDS; i++) {
			assertThat(this.queue.enqueue(new TestCommand())).isNull();
		}
		assertFull();
		assertThat(this.queue.isSettled()).isFalse();
		this.queue.flush();
		takeQueued();
		assertFull();
		assertThat(this.queue.offer(() -> true, "", new TestCommand(100, true)).refusal()).isNull();
		for (int i = CommandQueue.MAX_COMMANDS + 1; i < 2 * CommandQueue.MAX_COMMANDS + 1_024; i++) {
			assertThat(this.queue.enqueue(new TestCommand(100, true))).isNull();
		}
		assertThat(this.queue.enqueue(new TestCommand(100, true))).isEqualTo("too many pending commands");
	}

	@Test
	void releasesFindRoomBehindLargeCommands() {
		int half = 8 * 1024 * 1024;
		assertThat(this.queue.enqueue(new TestCommand(half))).isNull();
		assertThat(this.queue.enqueue(new TestCommand(half))).isNull();
		assertFull();
		assertThat(this.queue.enqueue(new TestCommand(half, true))).isNull();
		assertThat(this.queue.enqueue(new TestCommand(half, true))).isNull();
		assertThat(this.queue.enqueue(new TestCommand(1, true))).isEqualTo("too many pending commands");
	}

	private void assertFull() {
		assertThat(this.queue.enqueue(this.first)).isEqualTo("too many pending commands");
		assertThat(this.queue.offer(() -> true, "", this.first).refusal()).isEqualTo("too many pending commands");
	}

	@Test
	void callsThatWereRepliedToLeaveRoomForOthers() {
		for (int i = 0; i < 100; i++) {
			PendingCommand call = new TestCommand(5_000);
			assertThat(offer(call)).containsExactly(call);
			this.queue.written();
			assertThat(replied(1)).containsExactly(call);
		}
		assertThat(this.queue.isSettled()).isTrue();
	}

	private List<PendingCommand> offer(PendingCommand call) {
		return this.queue.offer(() -> true, "", call).toWrite();
	}

	private List<PendingCommand> takeQueued() {
		List<PendingCommand> batch = new ArrayList<>();
		this.queue.takeQueued(batch);
		return batch;
	}

	private List<PendingCommand> replied(int count) {
		List<PendingCommand> calls = new ArrayList<>();
		for (int i = 0; i < count; i++) {
			calls.add(this.queue.takeRepliedTo(false, false));
		}
		return calls;
	}

	private static final class TestCommand extends PendingCommand {

		private final CompletableFuture<@Nullable Object> reply = new CompletableFuture<>();

		private final boolean urgent;

		TestCommand() {
			this(100);
		}

		TestCommand(int bytes) {
			this(bytes, false);
		}

		TestCommand(int bytes, boolean urgent) {
			super(new byte[bytes]);
			this.urgent = urgent;
		}

		@Override
		boolean isUrgent() {
			return this.urgent;
		}

		@Override
		void onReply(@Nullable Object reply) {
			this.reply.complete(reply);
		}

		@Override
		void onFailure(Cause cause, String reason) {
		}

	}

}
