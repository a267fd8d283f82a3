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
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import io.quorlock.quorum.node.NodeStatus.State;

/**
 * The thread that keeps one node connected, and reads its replies while it is.
 */
final class Connector implements Runnable {

	private static final Log logger = LogFactory.getLog(Connector.class);

	/**
	 * A connection that lived shorter does not make the next attempt come sooner. An
	 * attempt that timed out was itself a pause, and by default takes longer than this.
	 */
	private static final long STABLE_NANOS = Duration.ofMillis(250).toNanos();

	private static final long MIN_PAUSE_MILLIS = 50;

	private static final long MAX_PAUSE_MILLIS = 2_000;

	private static final String UNEXPECTED = "unexpected failure, see the log";

	private final RedisLockNode node;

	private final CountDownLatch stopped = new CountDownLatch(1);

	private long pauseLimitMillis = MIN_PAUSE_MILLIS;

	Connector(RedisLockNode node) {
		this.node = node;
	}

	void start() {
		startThread(this, "quorlock-reader-" + this.node.name());
	}

	/** Threads that connect, read or write do not keep the process. */
	static Thread startThread(Runnable work, String name) {
		Thread thread = new Thread(work, name);
		thread.setDaemon(true);
		thread.start();
		return thread;
	}

	void stop() {
		this.stopped.countDown();
	}

	@Override
	public void run() {
		while (this.stopped.getCount() > 0) {
			long start = System.nanoTime();
			boolean rejected = connectAndRead();
			if (!rejected && System.nanoTime() - start > STABLE_NANOS) {
				resetPauses();
			}
			pause(nextPauseMillis());
		}
	}

	void resetPauses() {
		this.pauseLimitMillis = MIN_PAUSE_MILLIS;
	}

	/**
	 * Pauses grow, and are random so that the instances of a fleet do not all come back
	 * at once.
	 */
	long nextPauseMillis() {
		long limit = this.pauseLimitMillis;
		this.pauseLimitMillis = Math.min(2 * limit, MAX_PAUSE_MILLIS);
		return ThreadLocalRandom.current().nextLong(limit / 2, limit + 1);
	}

	/** Return whether the server refused us: that is no pause, however far it is. */
	private boolean connectAndRead() {
		try {
			Session session = this.node.connect(this);
			use(session);
			String reason = session.pipeline.run();
			this.node.disconnected(this, NodeUnavailableException.down(reason));
		}
		catch (NodeUnavailableException ex) {
			this.node.disconnected(this, ex);
			return ex.status().state() == State.REJECTED;
		}
		catch (RuntimeException | Error ex) {
			logger.error("Connecting lock node " + this.node.name() + " failed; report it with what follows", ex);
			this.node.disconnected(this, NodeUnavailableException.down(UNEXPECTED));
		}
		return false;
	}

	private void use(Session session) {
		try {
			this.node.connected(this, session);
		}
		catch (RuntimeException | Error ex) {
			logger.error("Using lock node " + this.node.name() + " failed; report it with what follows", ex);
			session.pipeline.close(UNEXPECTED);
		}
	}

	private void pause(long millis) {
		try {
			this.stopped.await(millis, TimeUnit.MILLISECONDS);
		}
		catch (InterruptedException ex) {
			this.stopped.countDown();
		}
	}

}
