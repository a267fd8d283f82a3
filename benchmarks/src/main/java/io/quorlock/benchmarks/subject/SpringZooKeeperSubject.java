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
