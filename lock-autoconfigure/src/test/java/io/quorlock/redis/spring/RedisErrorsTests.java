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

package io.quorlock.redis.spring;

import java.io.EOFException;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionException;

import org.junit.jupiter.api.Test;

import org.springframework.data.redis.RedisConnectionFailureException;

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
		assertThat(cause(LinkException.notSent("not connected"))).isEqualTo(Cause.NOT_SENT);
	}

	/** Drivers throw it as well for what they have sent. */
	@Test
	void illegalStateOfADriverSaysNothingOfWhatWasSent() {
		assertThat(cause(new IllegalStateException("closed"))).isEqualTo(Cause.CONNECTION_LOST);
	}

	/** Jedis 7 sends on a broken connection, and fails with whatever it reads there. */
	@Test
	void refusalOnABrokenConnectionDoesNotMeanThatNothingWasCarriedOut() {
		assertThat(cause(new RedisConnectionFailureException("broken",
				new RuntimeException("ERR max number of clients reached"))))
			.isEqualTo(Cause.CONNECTION_LOST);
	}

	@Test
	void serverThatRefusesIsAnError() {
		assertThat(cause(new CompletionException(new RuntimeException("READONLY You can't write"))))
			.isEqualTo(Cause.ERROR);
	}

	/** What the JDK says of it begins with capitals, as errors of a server do. */
	@Test
	void connectionThatEndsMayHaveTakenTheCommand() {
		assertThat(cause(new RuntimeException("gone", new EOFException("SSL peer shut down incorrectly"))))
			.isEqualTo(Cause.CONNECTION_LOST);
		assertThat(cause(new RuntimeException("A reply is missing"))).isEqualTo(Cause.CONNECTION_LOST);
		assertThat(cause(new RuntimeException("IO error"))).isEqualTo(Cause.CONNECTION_LOST);
	}

	@Test
	void codeOfTheServerMayStandAlone() {
		assertThat(cause(new RuntimeException("LOADING"))).isEqualTo(Cause.ERROR);
		assertThat(cause(new RuntimeException("ERR"))).isEqualTo(Cause.ERROR);
	}

	@Test
	void numberIsNoCodeOfTheServer() {
		assertThat(cause(new RuntimeException("1000 ms are over"))).isEqualTo(Cause.CONNECTION_LOST);
	}

	@Test
	void replyTellsTheMostSpecificCause() {
		assertThat(RedisErrors.toReply(new CompletionException("outer", new EOFException("gone"))).message())
			.isEqualTo("gone");
		assertThat(RedisErrors.toReply(new CompletionException(new EOFException())).message())
			.isEqualTo("EOFException");
	}

	private static Cause cause(Throwable failure) {
		return RedisErrors.toReply(failure).cause();
	}

}
