package io.quorlock.system;

import java.nio.file.Path;
import java.time.Duration;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A short form of {@link ChaosRun}.
 */
@Tag("long")
class ChaosTests {

	@Test
	void locksOfAllKindsOnRedisWhileAMinorityAndProcessesFail() throws Exception {
		try (RedisChaos chaos = new RedisChaos()) {
			chaos.beWell(Duration.ofSeconds(2));
			chaos.torment("minority of nodes, processes paused", 2, true, Duration.ofSeconds(8));
			chaos.recover();
			ChaosReport report = chaos.end();
			System.out.println(report);
			report.checkSafety();
			assertThat(report.history().grants()).isPositive();
		}
	}

	@Test
	@Tag("proof")
	void locksOfAllKindsWhileTheyMoveBetweenGroupsAndAMinorityAndProcessesFail(@TempDir Path logs) throws Exception {
		try (GroupedChaos chaos = new GroupedChaos(logs)) {
			chaos.move();
			ChaosReport report = chaos.end();
			System.out.println(report);
			report.checkSafety();
			assertThat(report.history().grants()).isPositive();
		}
	}

	@Test
	void locksOfAllKindsOnZooKeeperWhileConnectionsAndTheLeaderFail() throws Exception {
		try (ZooKeeperChaos chaos = new ZooKeeperChaos()) {
			chaos.beWell(Duration.ofSeconds(2));
			chaos.tormentConnections(Duration.ofSeconds(6));
			chaos.stopLeader();
			chaos.recover();
			ChaosReport report = chaos.end();
			System.out.println(report);
			report.checkSafety();
			assertThat(report.history().grants()).isPositive();
		}
	}

}
