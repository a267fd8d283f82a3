package io.quorlock.system;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

import io.quorlock.embedded.EmbeddedZooKeeper;
import io.quorlock.engine.DefaultLockTemplate;
import io.quorlock.engine.TestSettings;

/**
 * The kinds of locks of two instances on a ZooKeeper server.
 */
class ZooKeeperLockKindsTests extends LockKindsContract {

	private static final List<RealZooKeeperEngine> instances = new ArrayList<>();

	private static EmbeddedZooKeeper server;

	@BeforeAll
	static void start() {
		server = EmbeddedZooKeeper.start();
		for (int i = 0; i < 2; i++) {
			instances.add(RealZooKeeperEngine.start(settings("app@host:" + i), server.connectString(),
					Duration.ofSeconds(30)));
		}
	}

	/** Readers share a lease for a second, also on a machine that is busy. */
	private static TestSettings settings(String instance) {
		TestSettings settings = RealEngine.settings(instance);
		return new TestSettings(instance, settings.waitTime(), settings.leaseTime(), settings.maxLeaseTime(),
				settings.maxHoldTime(), settings.operationTimeout(), settings.retryMinDelay(), settings.retryMaxDelay(),
				settings.maxAttempts(), settings.clockDriftFactor(), settings.fencing(), settings.fencingRetention(),
				settings.handoverMax(), Duration.ofSeconds(1));
	}

	@AfterAll
	static void stop() {
		instances.forEach(RealZooKeeperEngine::close);
		instances.clear();
		server.close();
	}

	@Override
	DefaultLockTemplate instance(int number) {
		return instances.get(number).template;
	}

}
