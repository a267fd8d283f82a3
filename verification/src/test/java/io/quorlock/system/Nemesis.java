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

package io.quorlock.system;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import org.jspecify.annotations.Nullable;

import io.quorlock.embedded.EmbeddedRedis;
import io.quorlock.embedded.EmbeddedRedisNode;
import io.quorlock.embedded.LoopbackProxy;

/**
 * Does to nodes, to the network and to processes what happens to them in bad years. All
 * is well again when a call returns, but for the quarantine of nodes that restarted.
 */
final class Nemesis {

	private final EmbeddedRedis redis;

	private final List<LoopbackProxy> proxies;

	private final Supplier<List<ChildJvm>> processes;

	Nemesis(EmbeddedRedis redis, List<LoopbackProxy> proxies, Supplier<List<ChildJvm>> processes) {
		this.redis = redis;
		this.proxies = proxies;
		this.processes = processes;
	}

	/**
	 * Torments nodes, always the same ones, each on its own, and processes.
	 * @param nodes how many nodes
	 * @param processes whether to pause processes
	 * @param time for how long
	 */
	void torment(int nodes, boolean processes, Duration time) throws Exception {
		long end = System.nanoTime() + time.toNanos();
		BooleanSupplier goOn = () -> System.nanoTime() - end < 0;
		List<Callable<Void>> torments = torments(nodes, Fault.ALL, goOn);
		if (processes) {
			torments.add(() -> tormentProcesses(goOn));
		}
		runAll(torments);
	}

	/** What torments nodes, always the same ones, each on its own. */
	List<Callable<Void>> torments(int nodes, Set<Fault> faults, BooleanSupplier goOn) {
		List<Callable<Void>> torments = new ArrayList<>();
		victims(nodes).forEach((node) -> torments.add(() -> tormentNode(node, List.copyOf(faults), goOn)));
		return torments;
	}

	/**
	 * Restarts nodes, empty and all at once.
	 * @param nodes how many nodes
	 */
	void cutPower(int nodes) throws Exception {
		List<Callable<Void>> restarts = new ArrayList<>();
		victims(nodes).forEach((node) -> restarts.add(() -> {
			this.redis.node(node).restartEmpty();
			return null;
		}));
		runAll(restarts);
	}

	static void runAll(Collection<Callable<Void>> tasks) throws Exception {
		ExecutorService threads = Executors.newCachedThreadPool();
		try {
			for (Future<Void> task : threads.invokeAll(tasks)) {
				task.get();
			}
		}
		finally {
			threads.shutdownNow();
		}
	}

	private @Nullable Void tormentNode(int index, List<Fault> faults, BooleanSupplier goOn) throws Exception {
		while (goOn.getAsBoolean()) {
			Fault fault = faults.get(ThreadLocalRandom.current().nextInt(faults.size()));
			fault.begin(this.redis.node(index), this.proxies.get(index));
			try {
				sleep(200, 2_500);
			}
			finally {
				fault.end(this.redis.node(index), this.proxies.get(index));
			}
			sleep(0, 1_000);
		}
		return null;
	}

	@Nullable Void tormentProcesses(BooleanSupplier goOn) throws Exception {
		while (goOn.getAsBoolean()) {
			List<ChildJvm> all = this.processes.get();
			ChildJvm process = all.get(ThreadLocalRandom.current().nextInt(all.size()));
			long lease = ChaosClient.LEASE.toMillis();
			process.pause(Duration.ofMillis(ThreadLocalRandom.current().nextLong(lease / 10, 2 * lease)));
			sleep(100, 1_000);
		}
		return null;
	}

	private List<Integer> victims(int count) {
		List<Integer> nodes = IntStream.range(0, this.proxies.size())
			.boxed()
			.collect(Collectors.toCollection(ArrayList::new));
		Collections.shuffle(nodes);
		return nodes.subList(0, count);
	}

	private static void sleep(long minMillis, long maxMillis) throws InterruptedException {
		Thread.sleep(ThreadLocalRandom.current().nextLong(minMillis, maxMillis));
	}

	enum Fault {

		KILL {

			@Override
			void begin(EmbeddedRedisNode node, LoopbackProxy proxy) {
				node.kill();
			}

			@Override
			void end(EmbeddedRedisNode node, LoopbackProxy proxy) {
				node.restartEmpty();
			}

		},

		RESTART_EMPTY {

			@Override
			void begin(EmbeddedRedisNode node, LoopbackProxy proxy) {
				node.restartEmpty();
			}

		},

		PAUSE {

			@Override
			void begin(EmbeddedRedisNode node, LoopbackProxy proxy) {
				node.pause();
			}

			@Override
			void end(EmbeddedRedisNode node, LoopbackProxy proxy) {
				node.resume();
			}

		},

		DELAY {

			@Override
			void begin(EmbeddedRedisNode node, LoopbackProxy proxy) {
				proxy.delay(Duration.ofMillis(ThreadLocalRandom.current().nextLong(5, 400)));
			}

		},

		HOLD_REPLIES {

			@Override
			void begin(EmbeddedRedisNode node, LoopbackProxy proxy) {
				proxy.holdReplies();
			}

		},

		CUT {

			@Override
			void begin(EmbeddedRedisNode node, LoopbackProxy proxy) {
				proxy.cut();
			}

		},

		BLACK_HOLE {

			@Override
			void begin(EmbeddedRedisNode node, LoopbackProxy proxy) {
				proxy.blackhole();
			}

		};

		static final Set<Fault> ALL = EnumSet.allOf(Fault.class);

		/** Those that leave a node its memory. */
		static final Set<Fault> PASSING = EnumSet.complementOf(EnumSet.of(KILL, RESTART_EMPTY));

		abstract void begin(EmbeddedRedisNode node, LoopbackProxy proxy);

		void end(EmbeddedRedisNode node, LoopbackProxy proxy) {
			proxy.restore();
		}

	}

}
