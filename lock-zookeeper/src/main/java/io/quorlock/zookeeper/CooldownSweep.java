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

package io.quorlock.zookeeper;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;

import org.apache.zookeeper.KeeperException.Code;
import org.jspecify.annotations.Nullable;

import io.quorlock.time.LockTimer;
import io.quorlock.zookeeper.SessionRequests.Reply;

/**
 * Deletes the nodes of cool-downs that have ended, and whose processes did not live to do
 * it: when this process comes, and seldom afterwards.
 */
final class CooldownSweep {

	private static final long INTERVAL_NANOS = 600_000_000_000L;

	private static final long MIN_NANOS = 1_000_000_000;

	/** An index without a cool-down may be about to get one. */
	private static final long LONELY_MILLIS = 60_000;

	/** In one sweep; the rest is left to the next. */
	private static final int MAX = 1_000;

	private final StoreContext context;

	private final Sessions sessions;

	/** Of the latest start, until it is stopped: what is under way of another ends. */
	private volatile @Nullable Object run;

	private volatile @Nullable Runnable pending;

	CooldownSweep(StoreContext context, Sessions sessions) {
		this.context = context;
		this.sessions = sessions;
	}

	void start() {
		Object latest = new Object();
		this.run = latest;
		begin(latest);
	}

	void stop() {
		this.run = null;
		Runnable waiting = this.pending;
		if (waiting != null) {
			waiting.run();
		}
	}

	private void begin(Object own) {
		if (this.run == own) {
			this.pending = this.sessions.use((session) -> sweep(session, own));
		}
	}

	/** With the clock of the servers, which the reply to a write names. */
	private void sweep(Session session, Object own) {
		session.writeHeartbeat((code, stat) -> {
			if (stat == null) {
				later(own, MIN_NANOS);
				return;
			}
			session.requests().children(this.context.paths.cooldowns(), (listed, children) -> {
				if (listed == Code.OK || listed == Code.NONODE) {
					List<String> indexes = (children != null) ? children : List.of();
					lookAt(session.requests(), stat.getMtime(), indexes.subList(0, Math.min(MAX, indexes.size())), own);
				}
				else {
					later(own, MIN_NANOS);
				}
			});
		});
	}

	private void lookAt(SessionRequests requests, long serverMillis, List<String> indexes, Object own) {
		List<Long> remaining = new ArrayList<>();
		for (String index : indexes) {
			read(requests, serverMillis, this.context.paths.coolingContainer(index), remaining);
		}
		// Behind the others.
		requests.sync(this.context.paths.cooldowns(), (code, synced) -> later(own, nextNanos(remaining)));
	}

	private void read(SessionRequests requests, long serverMillis, String container, List<Long> remaining) {
		String path = container + "/" + LockPaths.COOLDOWN;
		requests.read(path, false, (code, content) -> {
			if (content != null) {
				Cooldown cooldown = Cooldown.parse(content.text());
				long known = this.context.cooldowns.ageMillis(path, content.stat().getCzxid(), cooldown.millis());
				long left = cooldown.remainingMillis(serverMillis - content.stat().getCtime(), known);
				if (left <= 0) {
					this.context.cooldowns.forget(path);
					Cooldown.delete(requests, container);
				}
				else {
					remaining.add(left);
				}
			}
			else if (code == Code.NONODE) {
				forget(requests, serverMillis, LockPaths.cooldownIndex(container));
			}
		});
	}

	private static void forget(SessionRequests requests, long serverMillis, String index) {
		requests.read(index, false, (code, content) -> {
			if (content != null && serverMillis - content.stat().getCtime() > LONELY_MILLIS) {
				requests.delete(index, Reply.ignored());
			}
		});
	}

	private static long nextNanos(List<Long> remainingMillis) {
		long max = INTERVAL_NANOS + ThreadLocalRandom.current().nextLong(INTERVAL_NANOS);
		return remainingMillis.stream()
			.mapToLong((millis) -> Math.max(MIN_NANOS, Math.min(max, millis * 1_000_000)))
			.min()
			.orElse(max);
	}

	private void later(Object own, long nanos) {
		if (this.run == own) {
			LockTimer.Timeout timeout = this.context.timer.schedule(nanos, () -> begin(own));
			this.pending = timeout::cancel;
		}
	}

}
