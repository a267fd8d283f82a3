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

package io.quorlock.sample.console;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;

import io.quorlock.LockHandle;
import io.quorlock.LockRequest;
import io.quorlock.LockTemplate;
import io.quorlock.sample.fleet.Instance;

/**
 * A thread of an instance that asks for a lock, and holds it until it is to leave.
 */
final class Worker implements AutoCloseable {

	private final CountDownLatch leave = new CountDownLatch(1);

	private final Thread thread;

	Worker(Instance instance, String name, LockRequest request) {
		LockTemplate template = instance.context().getBean(LockTemplate.class);
		this.thread = new Thread(() -> work(template, request.waitTime(Duration.ofSeconds(60))),
				instance.name() + "-" + name);
		this.thread.setDaemon(true);
		this.thread.start();
	}

	private void work(LockTemplate template, LockRequest request) {
		try (LockHandle ignored = template.acquire(request)) {
			this.leave.await();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	@Override
	public void close() {
		this.leave.countDown();
	}

	void join() throws InterruptedException {
		close();
		this.thread.join(20_000);
	}

}
