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
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;

import io.quorlock.quorum.node.NodeReply;
import io.quorlock.quorum.node.NodeReply.Failed;

/**
 * Waits until replicas have a lock.
 */
final class ReplicaConfirmation {

	/**
	 * Replicas that are away make each confirmation take its whole time, one after
	 * another on one connection, while the locks that they are for are given up.
	 */
	private static final int MAX_PENDING = 1_000;

	private final RedisLink link;

	private final int replicas;

	private final Duration timeout;

	private final AtomicInteger pending = new AtomicInteger();

	/**
	 * Create a confirmation.
	 * @param link leads to the master
	 * @param replicas how many replicas must confirm a lock; 0 for none
	 * @param timeout how long they may take
	 */
	ReplicaConfirmation(RedisLink link, int replicas, Duration timeout) {
		this.link = link;
		this.replicas = replicas;
		this.timeout = timeout;
	}

	boolean isRequired() {
		return this.replicas > 0;
	}

	/**
	 * A lock counts only once its replicas have it. Whatever goes wrong here, the master
	 * has it.
	 */
	CompletionStage<NodeReply> confirm(NodeReply granted, byte[] lockKey) {
		if (this.pending.incrementAndGet() > MAX_PENDING) {
			this.pending.decrementAndGet();
			return CompletableFuture.completedFuture(new Failed(Failed.Cause.ERROR,
					"replicas have not confirmed the %d locks before".formatted(MAX_PENDING)));
		}
		// A link that throws fails the stage, too.
		CompletionStage<byte[]> granting = CompletableFuture.completedFuture(lockKey);
		return granting.thenCompose(this::await).handle((confirmed, failure) -> {
			this.pending.decrementAndGet();
			if (failure != null) {
				return new Failed(Failed.Cause.ERROR,
						"whether replicas confirmed the lock is unknown: " + RedisErrors.describe(failure));
			}
			return (confirmed >= this.replicas) ? granted
					: new Failed(Failed.Cause.ERROR, "%d of %d replicas confirmed the lock within %d ms"
						.formatted(confirmed, this.replicas, this.timeout.toMillis()));
		});
	}

	private CompletionStage<Long> await(byte[] lockKey) {
		return this.link.awaitReplicas(lockKey, this.replicas, this.timeout);
	}

}
