package io.quorlock.core;

import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

import io.quorlock.LockHandle;
import io.quorlock.LockRequest;
import io.quorlock.memory.InMemoryLockNode;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What R9 relies on where the nodes have forgotten a fence: that clocks disagree by less
 * than the retention.
 */
class FenceBoundsTests {

	private final ManualTime time = new ManualTime();

	private final List<InMemoryLockNode> nodes = Stream.of("a", "b", "c")
		.map((name) -> new InMemoryLockNode(name, this.time))
		.toList();

	private final LockSettings settings = LockSettings.defaults("app");

	@Test
	void withinItsBoundATokenIsGreaterAlsoWhenTheFenceHasExpired() {
		long first = token(this.settings.fencingRetention().minusMinutes(1));
		letTheFenceExpire();
		assertThat(token(Duration.ZERO)).isGreaterThan(first);
	}

	@Test
	void asLongAsTheFenceIsStoredNoClockMatters() {
		long first = token(Duration.ofDays(1));
		this.time.advance(this.settings.fencingRetention().minusSeconds(1));
		assertThat(token(Duration.ZERO)).isGreaterThan(first);
	}

	/** Named in docs/safety.md: a condition of use, which no lock can enforce. */
	@Test
	void outsideItsBoundATokenGoesBackwards() {
		long first = token(this.settings.fencingRetention().plusMinutes(1));
		letTheFenceExpire();
		assertThat(token(Duration.ZERO)).isLessThan(first);
	}

	private void letTheFenceExpire() {
		this.time.advance(this.settings.fencingRetention().plus(this.settings.leaseTime()).plusSeconds(1));
	}

	/** A token of an instance that was just started, whose clock is ahead. */
	private long token(Duration ahead) {
		LockEngine engine = new LockEngine(this.settings, this.nodes, new ClockAhead(this.time, ahead), this.time,
				Runnable::run, List.of(), List.of(), () -> 42);
		engine.start();
		LockHandle lock = engine.acquireAsync(LockRequest.of("order"), Duration.ZERO).join();
		long token = lock.fencingToken();
		engine.stop();
		return token;
	}

	private record ClockAhead(EngineClock clock, Duration ahead) implements EngineClock {

		@Override
		public long nanoTime() {
			return this.clock.nanoTime();
		}

		@Override
		public long wallMicros() {
			return this.clock.wallMicros() + this.ahead.toNanos() / 1_000;
		}

	}

}
