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

package io.quorlock.actuate;

import java.time.Instant;
import java.util.Arrays;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;

import org.jspecify.annotations.Nullable;

import io.quorlock.store.ReplyOutcome;
import io.quorlock.store.StoreObserver;

/**
 * The latencies of the latest replies of each node, and its last failure.
 *
 * @since 0.1.0
 */
public final class NodeStatistics implements StoreObserver {

	private static final int SAMPLES = 1024;

	private final ConcurrentHashMap<String, Recent> nodes = new ConcurrentHashMap<>();

	@Override
	public void onReply(String node, String operation, ReplyOutcome outcome, @Nullable String error, long nanos) {
		Recent recent = recentOf(node);
		if (error != null) {
			recent.lastError = new LastError(Instant.now(), operation, error);
		}
		else {
			recent.add((int) Math.min(nanos / 1_000, Integer.MAX_VALUE));
		}
	}

	private Recent recentOf(String node) {
		Recent known = this.nodes.get(node);
		return (known != null) ? known : this.nodes.computeIfAbsent(node, (key) -> new Recent());
	}

	/**
	 * Return the latest latencies of a node.
	 * @param node the node
	 * @return the percentiles of its last 1,024 replies, or {@code null} if there are
	 * none
	 */
	public @Nullable Latency latency(String node) {
		return recentOf(node).latency();
	}

	/**
	 * Return the last command that a node did not carry out.
	 * @param node the node
	 * @return the error, or {@code null} if there was none
	 */
	public @Nullable LastError lastError(String node) {
		return recentOf(node).lastError;
	}

	private static final class Recent {

		private final AtomicIntegerArray micros = new AtomicIntegerArray(SAMPLES);

		private final AtomicLong count = new AtomicLong();

		private volatile @Nullable LastError lastError;

		private void add(int duration) {
			this.micros.set((int) (this.count.getAndIncrement() % SAMPLES), duration);
		}

		private @Nullable Latency latency() {
			int size = (int) Math.min(this.count.get(), SAMPLES);
			if (size == 0) {
				return null;
			}
			int[] sorted = new int[size];
			Arrays.setAll(sorted, this.micros::get);
			Arrays.sort(sorted);
			return new Latency(size, sorted[size / 2], sorted[size * 95 / 100], sorted[size * 99 / 100],
					sorted[size - 1]);
		}

	}

	/**
	 * Latencies of a node, in microseconds, from the beginning of a round to the reply.
	 *
	 * @param samples the number of replies
	 * @param p50 the median
	 * @param p95 the 95th percentile
	 * @param p99 the 99th percentile
	 * @param max the longest
	 */
	public record Latency(int samples, int p50, int p95, int p99, int max) {
	}

	/**
	 * A command that was not carried out.
	 *
	 * @param at the time
	 * @param operation the operation
	 * @param error what went wrong
	 */
	public record LastError(Instant at, String operation, String error) {
	}

}
