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

package io.quorlock.redis.client;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * A thread that does something for all nodes of a list from time to time, while any of
 * them is started.
 */
abstract class NodesThread implements Runnable {

	private final Log logger = LogFactory.getLog(getClass());

	private final Set<RedisLockNode> nodes = ConcurrentHashMap.newKeySet();

	private final String name;

	private final Duration period;

	private @Nullable Thread thread;

	NodesThread(String name, Duration period) {
		this.name = name;
		this.period = period;
	}

	final synchronized void add(RedisLockNode node) {
		this.nodes.add(node);
		if (this.thread == null) {
			Thread thread = new Thread(this, this.name);
			thread.setDaemon(true);
			thread.start();
			this.thread = thread;
		}
	}

	final synchronized void remove(RedisLockNode node) {
		this.nodes.remove(node);
		if (this.nodes.isEmpty() && this.thread != null) {
			LockSupport.unpark(this.thread);
			this.thread = null;
		}
	}

	@Override
	public final void run() {
		while (isCurrent()) {
			try {
				tick(this.nodes);
			}
			catch (Throwable ex) {
				this.logger.error("Housekeeping of lock nodes failed; report it with what follows", ex);
			}
			LockSupport.parkNanos(this, this.period.toNanos());
		}
	}

	/**
	 * Do what is due for the nodes that are started.
	 */
	abstract void tick(Set<RedisLockNode> nodes);

	private synchronized boolean isCurrent() {
		return this.thread == Thread.currentThread();
	}

}
