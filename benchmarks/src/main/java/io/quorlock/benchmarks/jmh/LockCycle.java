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

package io.quorlock.benchmarks.jmh;

import java.util.List;
import java.util.concurrent.TimeUnit;

import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.infra.ThreadParams;

import io.quorlock.benchmarks.subject.LockSubject;
import io.quorlock.benchmarks.subject.Subject;
import io.quorlock.embedded.EmbeddedRedis;
import io.quorlock.embedded.EmbeddedRedisNode;

/**
 * One subject alone in a JVM: lock and unlock of a key without contention. Intended for
 * JMH's profilers ({@code -prof gc}, {@code -prof stack}); the report's ratios come from
 * the studies, where the subjects alternate. With
 * {@code -bm thrpt -wi 0 -i 1 -r 10 -t 64} it measures JVMs that have just started.
 */
@BenchmarkMode(Mode.SampleTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(2)
public class LockCycle {

	/**
	 * Measure the whole cycle.
	 * @param connection the connected subject
	 * @param key the thread's key
	 * @throws Exception if the lock was not acquired
	 */
	@Benchmark
	public void lockAndUnlock(Connection connection, Key key) throws Exception {
		connection.locks.lock(key.name).unlock();
	}

	/**
	 * Nodes and a subject that is connected to them.
	 */
	@State(Scope.Benchmark)
	@SuppressWarnings("NullAway.Init") // JMH sets it up.
	public static class Connection {

		@Param({ "RAW_CONNECTION", "RAW_QUORUM_5", "CANONICAL_5", "REDISSON" })
		private Subject subject;

		private EmbeddedRedis redis;

		private LockSubject locks;

		/**
		 * Connect.
		 * @throws Exception if that fails
		 */
		@Setup(Level.Trial)
		public void connect() throws Exception {
			this.redis = EmbeddedRedis.start(5);
			List<Integer> ports = this.redis.nodes().stream().map(EmbeddedRedisNode::port).toList();
			this.locks = this.subject.connect(ports);
		}

		/**
		 * Disconnect.
		 */
		@TearDown(Level.Trial)
		public void disconnect() {
			this.locks.close();
			this.redis.close();
		}

	}

	/**
	 * The key of a thread.
	 */
	@State(Scope.Thread)
	@SuppressWarnings("NullAway.Init") // JMH sets it up.
	public static class Key {

		private String name;

		/**
		 * Create the key.
		 * @param threads JMH's thread numbers
		 */
		@Setup
		public void name(ThreadParams threads) {
			this.name = "jmh:" + threads.getThreadIndex();
		}

	}

}
