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

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

import redis.clients.jedis.Jedis;

import io.quorlock.benchmarks.subject.CrowdVariant;
import io.quorlock.benchmarks.subject.LockSubject;

/**
 * Instances that want the same lock.
 */
final class Crowd implements AutoCloseable {

	private static final int CONNECTING_THREADS = 8;

	/** How long those that still wait at the end may take before they are interrupted. */
	private static final int DRAIN_SECONDS = 5;

	/** How often it is looked whether the machine lets threads run. */
	private static final int STALL_MILLIS = 5;

	/** A wait may take five, so that a slice takes more. */
	static final int TURNS = 6;

	private final CrowdVariant variant;

	private final List<LockSubject> instances;

	private final List<Jedis> nodes;

	private final int zooKeeperPort;

	private Crowd(CrowdVariant variant, List<LockSubject> instances, List<Jedis> nodes, int zooKeeperPort) {
		this.variant = variant;
		this.instances = instances;
		this.nodes = nodes;
		this.zooKeeperPort = zooKeeperPort;
	}

	static Crowd connect(CrowdVariant variant, int count, ForkTask task) throws Exception {
		int zooKeeperPort = task.ports().get(0);
		List<LockSubject> instances = inParallel(IntStream.range(0, count)
			.<Callable<LockSubject>>mapToObj((i) -> () -> variant.connect(task.nodePorts(), zooKeeperPort))
			.toList());
		return new Crowd(variant, instances, Nodes.connect(task.nodePorts().subList(0, variant.nodes())),
				zooKeeperPort);
	}

	/**
	 * Let all instances take the lock again and again.
	 * @param name the name of the lock
	 * @param work for how many milliseconds each holds it
	 * @param warmUpMillis for how long before anything is measured
	 * @param millis for how long then at least
	 * @param maxMillis for how long at most, until all instances could have had six turns
	 */
	CrowdSlice run(String name, int work, int warmUpMillis, int millis, int maxMillis)
			throws IOException, InterruptedException {
		List<CrowdMember> members = new ArrayList<>();
		CrowdMember.Shared shared = new CrowdMember.Shared(this.variant, this.variant.id() + ":crowd:" + name, work);
		CountDownLatch ended = new CountDownLatch(this.instances.size());
		ExecutorService threads = Executors.newCachedThreadPool();
		for (LockSubject instance : this.instances) {
			CrowdMember member = new CrowdMember(instance, shared);
			members.add(member);
			threads.execute(() -> {
				member.run();
				ended.countDown();
			});
		}
		Thread.sleep(warmUpMillis);
		NodeCommands commands = NodeCommands.of(this.nodes);
		long requests = requests();
		long begin = System.nanoTime();
		long enough = shared.grants() + (long) TURNS * this.instances.size();
		long stall = sleep(millis, maxMillis, () -> shared.grants() >= enough);
		long end = System.nanoTime();
		long[] pending = members.stream().map(CrowdMember::askedSince).flatMapToLong(LongStream::of).toArray();
		NodeCommands spent = NodeCommands.of(this.nodes).minus(commands);
		requests = requests() - requests;
		shared.end();
		ended.await(DRAIN_SECONDS, TimeUnit.SECONDS);
		shared.forgetFailures();
		threads.shutdownNow();
		threads.awaitTermination(DRAIN_SECONDS, TimeUnit.SECONDS);
		List<List<GrantLog.Grant>> waits = members.stream().map((member) -> member.waits().grants(0)).toList();
		return new CrowdSlice((end - begin) / 1e9, CrowdWaits.counts(waits, begin, end),
				CrowdWaits.of(waits, pending, begin, end), stall, shared.failures(), shared.overlaps(), spent,
				requests);
	}

	/** Return for how many nanoseconds too long the thread slept at most. */
	private static long sleep(int millis, int maxMillis, BooleanSupplier enough) throws InterruptedException {
		long begin = System.nanoTime();
		long min = begin + TimeUnit.MILLISECONDS.toNanos(millis);
		long max = begin + TimeUnit.MILLISECONDS.toNanos(maxMillis);
		long stall = 0;
		for (long before = begin; before < min || (before < max && !enough.getAsBoolean());) {
			Thread.sleep(STALL_MILLIS);
			long after = System.nanoTime();
			stall = Math.max(stall, after - before - TimeUnit.MILLISECONDS.toNanos(STALL_MILLIS));
			before = after;
		}
		return stall;
	}

	/**
	 * Return how many commands each node gets in a second while no instance wants the
	 * lock.
	 */
	double idleCommands(int millis) throws InterruptedException {
		Thread.sleep(millis / 2); // what connecting left to do
		NodeCommands before = NodeCommands.of(this.nodes);
		Thread.sleep(millis);
		return NodeCommands.of(this.nodes).minus(before).all() * 1e3 / millis / Math.max(1, this.nodes.size());
	}

	private long requests() throws IOException {
		return (this.variant.nodes() == 0) ? ZooKeeperStudy.received(this.zooKeeperPort) : 0;
	}

	@Override
	public void close() throws Exception {
		inParallel(this.instances.stream().<Callable<Boolean>>map((instance) -> () -> {
			instance.close();
			return true;
		}).toList());
		this.nodes.forEach(Jedis::close);
	}

	private static <T> List<T> inParallel(List<Callable<T>> tasks) throws Exception {
		ExecutorService threads = Executors.newFixedThreadPool(CONNECTING_THREADS);
		try {
			List<T> results = new ArrayList<>();
			for (Future<T> result : threads.invokeAll(tasks)) {
				results.add(result.get());
			}
			return results;
		}
		finally {
			threads.shutdown();
		}
	}

}
