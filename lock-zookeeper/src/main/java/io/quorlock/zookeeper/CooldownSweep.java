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

/**
 * Deletes the nodes of cool-downs that have ended, and whose processes did not live to do
 * it: when this process comes, and seldom afterwards.
 */
final class CooldownSweep {

	private static final long INTERVAL_NANOS = 600_000_000_000L;

	private static final long LEAST_NANOS = 1_000_000_000;

	/** An index without a cool-down may be about to get one. */
	private static final long LONELY_MILLIS = 60_000;

	/** In one sweep; the rest is left to the next. */
	private static final int MOST = 1_000;

	private final StoreContext context;

	private volatile boolean stopped = true;

	private volatile @Nullable Runnable pending;

	CooldownSweep(StoreContext context) {
		this.context = context;
	}

	void start() {
		this.stopped = false;
		begin();
	}

	void stop() {
		this.stopped = true;
		Runnable waiting = this.pending;
		if (waiting != null) {
			waiting.run();
		}
	}

	private void begin() {
		if (!this.stopped) {
			this.pending = this.context.sessions.use(this::sweep);
		}
	}

	/** With the clock of the servers, which the reply to a write names. */
	private void sweep(Session session) {
		session.writeHeartbeat((code, stat) -> {
			if (stat == null) {
				later(LEAST_NANOS);
				return;
			}
			session.requests().children(this.context.paths.cooldowns(), (listed, children) -> {
				if (listed != Code.OK && listed != Code.NONODE) {
					later(LEAST_NANOS);
					return;
				}
				List<String> indexes = (children != null) ? children : List.of();
				new Round(session, stat.getMtime(), indexes.subList(0, Math.min(MOST, indexes.size()))).start();
			});
		});
	}

	private void later(long nanos) {
		if (!this.stopped) {
			LockTimer.Timeout timeout = this.context.timer.schedule(nanos, this::begin);
			this.pending = timeout::cancel;
		}
	}

	/** One look at all that cools down. */
	private final class Round {

		private final Session session;

		private final long serverMillis;

		private final List<String> indexes;

		private final List<Long> remaining = new ArrayList<>();

		private Round(Session session, long serverMillis, List<String> indexes) {
			this.session = session;
			this.serverMillis = serverMillis;
			this.indexes = indexes;
		}

		private void start() {
			this.indexes.forEach(this::read);
			// Behind the others.
			this.session.requests()
				.sync(CooldownSweep.this.context.paths.cooldowns(), (code, synced) -> later(nextNanos()));
		}

		private void read(String index) {
			StoreContext context = CooldownSweep.this.context;
			String container = context.paths.coolingContainer(index);
			String path = container + "/" + LockPaths.COOLDOWN;
			this.session.requests().read(path, false, (code, content) -> {
				if (content != null) {
					Cooldown cooldown = Cooldown.parse(content.text());
					long known = context.cooldowns.ageMillis(path, content.stat().getCzxid(), cooldown.millis());
					long left = cooldown.remainingMillis(this.serverMillis - content.stat().getCtime(), known);
					if (left <= 0) {
						context.cooldowns.forget(path);
						Cooldown.delete(this.session.requests(), container);
					}
					else {
						this.remaining.add(left);
					}
				}
				else if (code == Code.NONODE) {
					forget(LockPaths.cooldownIndex(container));
				}
			});
		}

		private void forget(String index) {
			this.session.requests().read(index, false, (code, content) -> {
				if (content != null && this.serverMillis - content.stat().getCtime() > LONELY_MILLIS) {
					this.session.requests().delete(index, (deleted, gone) -> {
					});
				}
			});
		}

		private long nextNanos() {
			long most = INTERVAL_NANOS + ThreadLocalRandom.current().nextLong(INTERVAL_NANOS);
			return this.remaining.stream()
				.mapToLong((millis) -> Math.max(LEAST_NANOS, Math.min(most, millis * 1_000_000)))
				.min()
				.orElse(most);
		}

	}

}
