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

package io.quorlock.sample.watch;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/**
 * The latest response times of the nodes. A request without a reply counts with the time
 * for which the reply was awaited.
 */
public final class NodeLatencies {

	private static final long LATELY_NANOS = TimeUnit.SECONDS.toNanos(3);

	private static final int KEPT = 64;

	private final Map<String, Deque<Sample>> samples = new ConcurrentHashMap<>();

	void add(String node, long nanos) {
		Deque<Sample> latest = this.samples.computeIfAbsent(node, (name) -> new ArrayDeque<>());
		synchronized (latest) {
			latest.add(new Sample(System.nanoTime(), nanos));
			if (latest.size() > KEPT) {
				latest.remove();
			}
		}
	}

	/**
	 * Return the median of the latest response times.
	 * @param node the node
	 * @return milliseconds, -1 if the node was not asked lately
	 */
	public double medianMillis(String node) {
		Deque<Sample> latest = this.samples.get(node);
		if (latest == null) {
			return -1;
		}
		long since = System.nanoTime() - LATELY_NANOS;
		synchronized (latest) {
			long[] sorted = latest.stream().filter((one) -> one.at > since).mapToLong(Sample::nanos).sorted().toArray();
			return (sorted.length > 0) ? sorted[sorted.length / 2] / 1e6 : -1;
		}
	}

	private record Sample(long at, long nanos) {

	}

}
