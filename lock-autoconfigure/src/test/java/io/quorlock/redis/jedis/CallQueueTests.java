package io.quorlock.redis.jedis;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import io.quorlock.core.NodeReply.Outcome;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link CallQueue}: who writes which calls, and when.
 */
class CallQueueTests {

	private final CallQueue queue = new CallQueue(new TestClock());

	private final Call first = new TestCall();

	private final Call second = new TestCall();

	private final Call third = new TestCall();

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
		assertThat(answered(3)).containsExactly(this.first, this.second, this.third);
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
		CompletableFuture<Boolean> writer = CompletableFuture.supplyAsync(this.queue::awaitQueued);
		TimeUnit.MILLISECONDS.sleep(50);
		assertThat(writer).isNotDone();
		this.queue.close("over");
		assertThat(writer.get(30, TimeUnit.SECONDS)).isFalse();
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
	void enqueuedCallsCountAsPending() {
		for (int i = 0; i < CallQueue.MAX_CALLS; i++) {
			assertThat(this.queue.enqueue(new TestCall())).isNull();
		}
		assertThat(this.queue.enqueue(new TestCall())).isEqualTo("too many unanswered commands");
		assertThat(this.queue.isSettled()).isFalse();
		assertThat(this.queue.oldestNanos(new TestClock().nanoTime() + Duration.ofSeconds(1).toNanos())).isPositive();
	}

	private List<Call> offer(Call call) {
		return this.queue.offer(() -> true, "", call).toWrite();
	}

	private List<Call> takeQueued() {
		List<Call> batch = new ArrayList<>();
		this.queue.takeQueued(batch);
		return batch;
	}

	private List<Call> answered(int count) {
		List<Call> calls = new ArrayList<>();
		for (int i = 0; i < count; i++) {
			calls.add(this.queue.takeAnswered(false, false));
		}
		return calls;
	}

	private static final class TestCall extends Call {

		TestCall() {
			super(new byte[1]);
		}

		@Override
		boolean isUrgent() {
			return false;
		}

		@Override
		void onAnswer(@Nullable Object answer) {
		}

		@Override
		void onFailure(Outcome outcome, String reason) {
		}

	}

}
