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
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.recipes.locks.InterProcessMutex;

/**
 * Curator's {@code InterProcessMutex}, one for each name, as its documentation advises.
 */
final class CuratorSubject implements LockSubject {

	private final CuratorFramework client;

	private final Map<String, InterProcessMutex> mutexes = new ConcurrentHashMap<>();

	CuratorSubject(List<Integer> ports) throws InterruptedException {
		this.client = CuratorClients.connect(ports);
	}

	@Override
	public Hold lock(String name) throws Exception {
		InterProcessMutex mutex = this.mutexes.computeIfAbsent(name,
				(key) -> new InterProcessMutex(this.client, "/curator/" + key));
		mutex.acquire();
		return mutex::release;
	}

	@Override
	public void close() {
		this.client.close();
	}

}
