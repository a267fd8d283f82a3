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
import java.util.List;

import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.ZooKeeper;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

import io.quorlock.embedded.EmbeddedZooKeeper;
import io.quorlock.engine.DefaultLockTemplate;
import io.quorlock.engine.TestSettings;

/**
 * The kinds of locks of two instances on a ZooKeeper server, with and without a chroot.
 */
@ParameterizedClass
@ValueSource(strings = { "", "/apps" })
class ZooKeeperLockKindsTests extends LockKindsContract {

	private static final List<RealZooKeeperEngine> instances = new ArrayList<>();

	private static EmbeddedZooKeeper server;

	@Parameter
	private String chroot;

	@BeforeParameterizedClassInvocation
	static void start(String chroot) throws Exception {
		server = EmbeddedZooKeeper.start();
		if (!chroot.isEmpty()) {
			createChroot(chroot);
		}
		for (int i = 0; i < 2; i++) {
			instances.add(RealZooKeeperEngine.start(settings("app@host:" + i), server.connectString() + chroot,
					Duration.ofSeconds(30)));
		}
	}

	private static void createChroot(String chroot) throws Exception {
		try (ZooKeeper admin = new ZooKeeper(server.connectString(), 30_000, (event) -> {
		})) {
			admin.create(chroot, new byte[0], ZooDefs.Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
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

	@AfterParameterizedClassInvocation
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
