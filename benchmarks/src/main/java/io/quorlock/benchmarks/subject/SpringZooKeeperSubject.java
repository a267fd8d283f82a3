package io.quorlock.benchmarks.subject;

import java.util.List;
import java.util.concurrent.locks.Lock;

import org.apache.curator.framework.CuratorFramework;

import org.springframework.integration.zookeeper.lock.ZookeeperLockRegistry;

/**
 * Spring Integration's {@code ZookeeperLockRegistry}.
 */
final class SpringZooKeeperSubject implements LockSubject {

	private final CuratorFramework client;

	private final ZookeeperLockRegistry registry;

	SpringZooKeeperSubject(List<Integer> ports) throws InterruptedException {
		this.client = CuratorClients.connect(ports);
		this.registry = new ZookeeperLockRegistry(this.client, "/spring");
		this.registry.setCacheCapacity(20_000);
	}

	@Override
	public Hold lock(String name) {
		Lock lock = this.registry.obtain(name);
		lock.lock();
		return lock::unlock;
	}

	@Override
	public void close() {
		this.registry.destroy();
		this.client.close();
	}

}
