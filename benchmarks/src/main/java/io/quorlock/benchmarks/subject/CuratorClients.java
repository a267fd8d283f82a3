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
import java.util.stream.Collectors;

import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.ExponentialBackoffRetry;

/**
 * Clients of Curator, one for each subject that locks through it.
 */
final class CuratorClients {

	private CuratorClients() {
	}

	static String connectString(List<Integer> ports) {
		return ports.stream().map((port) -> "127.0.0.1:" + port).collect(Collectors.joining(","));
	}

	static CuratorFramework connect(List<Integer> ports) throws InterruptedException {
		CuratorFramework client = CuratorFrameworkFactory.newClient(connectString(ports),
				new ExponentialBackoffRetry(100, 3));
		client.start();
		client.blockUntilConnected();
		return client;
	}

}
