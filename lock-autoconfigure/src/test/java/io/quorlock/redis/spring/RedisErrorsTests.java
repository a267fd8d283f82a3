package io.quorlock.redis.spring;

import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionException;

import org.junit.jupiter.api.Test;

import io.quorlock.quorum.node.NodeReply.Outcome;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link RedisErrors}.
 */
class RedisErrorsTests {

	@Test
	void cancelledCommandMayHaveBeenSent() {
		assertThat(outcome(new CancellationException())).isEqualTo(Outcome.LOST);
		assertThat(outcome(new CompletionException(new CancellationException("closed")))).isEqualTo(Outcome.LOST);
	}

	@Test
	void commandWithoutAConnectionWasNotSent() {
		assertThat(outcome(new IllegalStateException("not connected"))).isEqualTo(Outcome.NOT_SENT);
	}

	@Test
	void serverThatRefusesIsAnError() {
		assertThat(outcome(new CompletionException(new RuntimeException("READONLY You can't write"))))
			.isEqualTo(Outcome.ERROR);
	}

	private static Outcome outcome(Throwable failure) {
		return RedisErrors.toReply(failure).outcome();
	}

}
