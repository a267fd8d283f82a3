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

import java.time.Duration;
import java.util.concurrent.CompletableFuture;

import org.junit.jupiter.api.Test;

import io.quorlock.quorum.node.NodeReply;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.BDDMockito.given;
import static org.mockito.Mockito.mock;

/**
 * Tests for {@link ReplicaConfirmation}.
 */
class ReplicaConfirmationTests {

	private static final Duration TIMEOUT = Duration.ofMillis(50);

	private static final byte[] KEY = { 'a' };

	private final RedisLink link = mock(RedisLink.class);

	private final ReplicaConfirmation confirmation = new ReplicaConfirmation(this.link, 2, TIMEOUT);

	private final NodeReply granted = new NodeReply.Released(true, 0);

	@Test
	void lockIsGrantedOnceAsManyReplicasConfirmItAsWereAskedFor() {
		given(this.link.awaitReplicas(KEY, 2, TIMEOUT)).willReturn(CompletableFuture.completedFuture(2L));
		assertThat(confirm()).isSameAs(this.granted);
	}

	@Test
	void lockThatTooFewReplicasConfirmIsNotGranted() {
		given(this.link.awaitReplicas(KEY, 2, TIMEOUT)).willReturn(CompletableFuture.completedFuture(1L));
		assertThat(confirm()).isEqualTo(
				new NodeReply.Failed(NodeReply.Failed.Cause.ERROR, "1 of 2 replicas confirmed the lock within 50 ms"));
	}

	@Test
	void lockOfWhichNothingIsKnownIsNotGranted() {
		given(this.link.awaitReplicas(KEY, 2, TIMEOUT))
			.willReturn(CompletableFuture.failedFuture(new IllegalStateException("connection lost")));
		for (int i = 0; i < 1_001; i++) {
			assertFailed("connection lost"); // so that none of them is pending
		}
		given(this.link.awaitReplicas(KEY, 2, TIMEOUT)).willThrow(new IllegalStateException("not connected"));
		assertFailed("not connected");
	}

	/** The locks that they are for were given up long before it is their turn. */
	@Test
	void confirmationsDoNotPileUpWhileTheReplicasAreAway() {
		CompletableFuture<Long> first = new CompletableFuture<>();
		given(this.link.awaitReplicas(KEY, 2, TIMEOUT)).willReturn(first).willReturn(new CompletableFuture<>());
		for (int i = 0; i < 1_000; i++) {
			assertThat(this.confirmation.confirm(this.granted, KEY)).isNotDone();
		}
		for (int i = 0; i < 2; i++) {
			assertThat(confirm()).isEqualTo(new NodeReply.Failed(NodeReply.Failed.Cause.ERROR,
					"replicas have not confirmed the 1000 locks before"));
		}
		first.complete(0L);
		assertThat(this.confirmation.confirm(this.granted, KEY)).isNotDone();
		assertThat(this.confirmation.confirm(this.granted, KEY)).isDone();
	}

	private void assertFailed(String reason) {
		assertThat(confirm()).isEqualTo(new NodeReply.Failed(NodeReply.Failed.Cause.ERROR,
				"whether replicas confirmed the lock is unknown: " + reason));
	}

	private NodeReply confirm() {
		return this.confirmation.confirm(this.granted, KEY).toCompletableFuture().join();
	}

}
