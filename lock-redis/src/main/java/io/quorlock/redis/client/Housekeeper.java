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

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import io.quorlock.time.LockClock;

/**
 * Does what is due for all nodes of a list.
 */
final class Housekeeper extends NodesThread {

	private static final Log logger = LogFactory.getLog(Housekeeper.class);

	private static final Duration PERIOD = Duration.ofMillis(250);

	/** A tick that is so late had to wait for the process, as the replies had. */
	private static final long LATE_NANOS = 4 * PERIOD.toNanos();

	private final Set<RedisLockNode> failed = ConcurrentHashMap.newKeySet();

	private final LockClock clock;

	private volatile long tickedNanos;

	private volatile boolean late;

	Housekeeper(LockClock clock) {
		super("quorlock-nodes", PERIOD);
		this.clock = clock;
		this.tickedNanos = clock.nanoTime();
	}

	@Override
	void tick(Set<RedisLockNode> nodes) {
		long now = this.clock.nanoTime();
		// Behind a pause the replies that are there are read first, but not for ever.
		this.late = !this.late && now - this.tickedNanos > LATE_NANOS;
		this.tickedNanos = now;
		if (!this.late) {
			nodes.forEach((node) -> keep(node, now));
		}
	}

	private void keep(RedisLockNode node, long now) {
		try {
			node.keep(now);
			this.failed.remove(node);
		}
		catch (Throwable ex) {
			// Nothing ends this thread, and nothing is logged four times a second.
			if (this.failed.add(node)) {
				logger.error("Housekeeping of lock node " + node.name() + " failed; report it with what follows", ex);
			}
		}
	}

}
