package io.quorlock.benchmarks.subject;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.SimpleLock;
import net.javacrumbs.shedlock.provider.zookeeper.curator.ZookeeperCuratorLockProvider;
import org.apache.curator.framework.CuratorFramework;

/**
 * ShedLock's provider for ZooKeeper. It never waits.
 */
final class ShedLockZooKeeperSubject implements LockSubject {

	private final CuratorFramework client;

	private final ZookeeperCuratorLockProvider provider;

	ShedLockZooKeeperSubject(List<Integer> ports) throws InterruptedException {
		this.client = CuratorClients.connect(ports);
		this.provider = new ZookeeperCuratorLockProvider(this.client, "/shedlock");
	}

	@Override
	public Hold lock(String name) {
		SimpleLock lock = this.provider
			.lock(new LockConfiguration(Instant.now(), name, Duration.ofMillis(LEASE_MILLIS), Duration.ZERO))
			.orElseThrow();
		return lock::unlock;
	}

	@Override
	public void close() {
		this.client.close();
	}

}
