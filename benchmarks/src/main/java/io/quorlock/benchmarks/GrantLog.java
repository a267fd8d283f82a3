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

package io.quorlock.benchmarks;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Records when each thread of a process was granted the contended lock, and when it began
 * to release it. The monotonic clock is the same for all processes of a Linux machine.
 */
final class GrantLog {

	private final ThreadLog[] threads;

	private double cpuMicros;

	GrantLog(int threads) {
		this.threads = new ThreadLog[threads];
		Arrays.setAll(this.threads, (i) -> new ThreadLog());
	}

	void add(int thread, long grantNanos, long releaseNanos) {
		this.threads[thread].add(grantNanos, releaseNanos);
	}

	void cpuMicros(double cpuMicros) {
		this.cpuMicros = cpuMicros;
	}

	double cpuMicros() {
		return this.cpuMicros;
	}

	void write(Path file) throws IOException {
		try (DataOutputStream out = new DataOutputStream(new BufferedOutputStream(Files.newOutputStream(file)))) {
			out.writeDouble(this.cpuMicros);
			out.writeInt(this.threads.length);
			for (ThreadLog thread : this.threads) {
				out.writeInt(thread.size);
				for (int i = 0; i < thread.size; i++) {
					out.writeLong(thread.times[i]);
				}
			}
		}
	}

	static GrantLog read(Path file) throws IOException {
		try (DataInputStream in = new DataInputStream(new BufferedInputStream(Files.newInputStream(file)))) {
			double cpuMicros = in.readDouble();
			GrantLog log = new GrantLog(in.readInt());
			log.cpuMicros = cpuMicros;
			for (int thread = 0; thread < log.threads.length; thread++) {
				int size = in.readInt();
				for (int i = 0; i < size; i += 2) {
					log.add(thread, in.readLong(), in.readLong());
				}
			}
			return log;
		}
	}

	int[] grantsByThread() {
		return Arrays.stream(this.threads).mapToInt((thread) -> thread.size / 2).toArray();
	}

	List<Grant> grants(int process) {
		List<Grant> grants = new ArrayList<>();
		for (ThreadLog thread : this.threads) {
			for (int i = 0; i < thread.size; i += 2) {
				grants.add(new Grant(process, thread.times[i], thread.times[i + 1]));
			}
		}
		return grants;
	}

	/**
	 * One hold of the lock.
	 *
	 * @param process the JVM
	 * @param begin when the caller had it, in nanoseconds
	 * @param end when the caller began to release it, in nanoseconds
	 */
	record Grant(int process, long begin, long end) {

	}

	private static final class ThreadLog {

		private long[] times = new long[1024];

		private int size;

		private void add(long begin, long end) {
			if (this.size == this.times.length) {
				this.times = Arrays.copyOf(this.times, this.size * 2);
			}
			this.times[this.size++] = begin;
			this.times[this.size++] = end;
		}

	}

}
