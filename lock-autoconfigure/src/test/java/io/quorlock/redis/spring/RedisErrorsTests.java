package io.quorlock.redis.spring;

import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionException;

import org.junit.jupiter.api.Test;

import io.quorlock.quorum.node.NodeReply.Failed.Cause;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link RedisErrors}.
 */
class RedisErrorsTests {

	@Test
	void cancelledCommandMayHaveBeenSent() {
		assertThat(cause(new CancellationException())).isEqualTo(Cause.CONNECTION_LOST);
		assertThat(cause(new CompletionException(new CancellationException("closed"))))
			.isEqualTo(Cause.CONNECTION_LOST);
	}

	@Test
	void commandWithoutAConnectionWasNotSent() {
		assertThat(cause(new IllegalStateException("not connected"))).isEqualTo(Cause.NOT_SENT);
	}

	@Test
	void serverThatRefusesIsAnError() {
		assertThat(cause(new CompletionException(new RuntimeException("READONLY You can't write"))))
			.isEqualTo(Cause.ERROR);
	}

	private static Cause cause(Throwable failure) {
		return RedisErrors.toReply(failure).cause();
	}

}
