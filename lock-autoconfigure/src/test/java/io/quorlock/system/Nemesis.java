package io.quorlock.system;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

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

	private final List<ChildJvm> processes;

	Nemesis(EmbeddedRedis redis, List<LoopbackProxy> proxies, List<ChildJvm> processes) {
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
		List<Callable<Void>> torments = new ArrayList<>();
		victims(nodes).forEach((node) -> torments.add(() -> tormentNode(node, end)));
		if (processes) {
			torments.add(() -> tormentProcesses(end));
		}
		runAll(torments);
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

	private static void runAll(List<Callable<Void>> tasks) throws Exception {
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

	private Void tormentNode(int index, long end) throws Exception {
		while (System.nanoTime() - end < 0) {
			Fault fault = Fault.values()[ThreadLocalRandom.current().nextInt(Fault.values().length)];
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

	private Void tormentProcesses(long end) throws Exception {
		while (System.nanoTime() - end < 0) {
			ChildJvm process = this.processes.get(ThreadLocalRandom.current().nextInt(this.processes.size()));
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

	private enum Fault {

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

		abstract void begin(EmbeddedRedisNode node, LoopbackProxy proxy);

		void end(EmbeddedRedisNode node, LoopbackProxy proxy) {
			proxy.restore();
		}

	}

}
