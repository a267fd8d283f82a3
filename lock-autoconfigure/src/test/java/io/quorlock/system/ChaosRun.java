package io.quorlock.system;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import io.quorlock.embedded.EmbeddedRedis;
import io.quorlock.embedded.LoopbackProxy;
import io.quorlock.system.ChaosHistory.Phase;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Three processes with eight threads each take locks on five nodes, while nodes, network
 * and processes fail. Not one of the usual tests: runs with the profile {@code chaos},
 * for {@code chaos.minutes}.
 */
class ChaosRun {

	private static final int PROCESSES = 3;

	private static final int THREADS = 8;

	private static final int NODES = 5;

	private static final int QUORUM = NODES / 2 + 1;

	/** Clients need so long at most to connect to a node that is well again. */
	private static final Duration RECONNECT = Duration.ofSeconds(3);

	private final List<LoopbackProxy> proxies = new ArrayList<>();

	private final List<ChildJvm> processes = new ArrayList<>();

	private final List<Phase> phases = new ArrayList<>();

	private EmbeddedRedis redis;

	private ChaosServer server;

	private Nemesis nemesis;

	@BeforeEach
	void start() throws Exception {
		this.server = new ChaosServer();
		this.redis = EmbeddedRedis.start(NODES);
		this.redis.nodes().forEach((node) -> this.proxies.add(LoopbackProxy.to(node)));
		for (int i = 1; i <= PROCESSES; i++) {
			List<String> arguments = new ArrayList<>(
					List.of("chaos@test:" + i, String.valueOf(this.server.port()), String.valueOf(THREADS)));
			arguments.addAll(uris());
			this.processes.add(ChildJvm.start(ChaosClient.class, arguments));
		}
		this.nemesis = new Nemesis(this.redis, this.proxies, this.processes);
	}

	@AfterEach
	void stop() throws Exception {
		this.processes.forEach(ChildJvm::close);
		this.proxies.forEach(LoopbackProxy::close);
		this.redis.close();
		this.server.close();
	}

	@Test
	void noFaultLetsTwoHoldTheLockOrALateWritePass() throws Exception {
		try (RealEngine observer = RealEngine.start(ChaosClient.settings("observer@test:0"), uris())) {
			for (ChildJvm process : this.processes) {
				process.awaitLine("READY");
			}
			long end = System.nanoTime() + Duration.ofMinutes(Integer.getInteger("chaos.minutes", 1)).toNanos();
			do {
				beWell();
				torment("minority of nodes", NODES - QUORUM, false, 10);
				recover(observer);
				torment("processes paused", 0, true, 8);
				torment("minority of nodes, processes paused", NODES - QUORUM, true, 10);
				recover(observer);
				cutPower();
				recover(observer);
				torment("majority of nodes", QUORUM, false, 5);
				torment("all nodes, processes paused", NODES, true, 5);
				recover(observer);
			}
			while (System.nanoTime() - end < 0);
		}
		this.server.stopClients();
		for (ChildJvm process : this.processes) {
			assertThat(process.awaitEnd(Duration.ofSeconds(30))).isZero();
		}
		long leftAtOnce = keysLeft();
		Thread.sleep(ChaosClient.LEASE.toMillis());
		ChaosReport report = new ChaosReport(this.server.history(), this.phases, this.server.resource(), leftAtOnce,
				keysLeft());
		System.out.println(report);
		report.check();
	}

	private void torment(String phase, int nodes, boolean processes, int seconds) throws Exception {
		long from = System.nanoTime();
		this.nemesis.torment(nodes, processes, Duration.ofSeconds(seconds));
		this.phases.add(new Phase(phase, from, System.nanoTime()));
	}

	private void beWell() throws InterruptedException {
		long from = System.nanoTime();
		Thread.sleep(5_000);
		this.phases.add(new Phase("all well", from, System.nanoTime()));
	}

	/** What the quarantine is for: a majority forgets what was held. */
	private void cutPower() throws Exception {
		long from = System.nanoTime();
		this.nemesis.cutPower(QUORUM);
		Thread.sleep(ChaosClient.LEASE.toMillis());
		this.phases.add(new Phase("majority restarted at once", from, System.nanoTime()));
	}

	/** Until as many nodes may fail again as before. */
	private void recover(RealEngine observer) throws InterruptedException {
		long from = System.nanoTime();
		Thread.sleep(RECONNECT.toMillis());
		Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> allCount(observer));
		this.phases.add(new Phase("recovery", from, System.nanoTime()));
	}

	private static boolean allCount(RealEngine engine) {
		return engine.nodes.stream().allMatch((node) -> node.status().isVoting());
	}

	private long keysLeft() {
		return this.redis.nodes()
			.stream()
			.mapToLong((node) -> (Long) node.execute("EVAL", "return #redis.call('KEYS', 'lock:{*}')", "0"))
			.sum();
	}

	private List<String> uris() {
		return this.proxies.stream().map(LoopbackProxy::uri).toList();
	}

}
