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

package io.quorlock.redis.spring;

import java.time.Duration;
import java.util.OptionalLong;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import org.springframework.scheduling.concurrent.CustomizableThreadFactory;

import io.quorlock.quorum.node.NodeReply;
import io.quorlock.time.LockClock;

/**
 * The one thread of a node that may block: it connects, asks again and again whether the
 * server is there, and subscribes.
 */
abstract class LinkMonitor {

	private static final Log logger = LogFactory.getLog(LinkMonitor.class);

	private static final Duration PING_TIMEOUT = Duration.ofSeconds(2);

	private static final long TIMELY_NANOS = Duration.ofMillis(100).toNanos();

	private static final long SILENCE_NANOS = Duration.ofSeconds(10).toNanos();

	/** What a server does when its memory is full may be changed while it runs. */
	private static final long INFO_NANOS = Duration.ofSeconds(10).toNanos();

	private static final long PING_PAUSE_MILLIS = 1_000;

	private static final long RETRY_PAUSE_MILLIS = 200;

	private final ScheduledThreadPoolExecutor thread;

	private final RedisLink link;

	private final LockClock clock;

	private final LinkHealth health;

	private volatile OptionalLong clockOffsetMicros = OptionalLong.empty();

	/** Since when the thread has been at work, and whether it is. */
	private volatile long begunNanos;

	private volatile boolean busy;

	private long infoNanos;

	private volatile boolean open;

	private volatile boolean stopped;

	LinkMonitor(RedisLink link, LockClock clock, LinkHealth health) {
		this.link = link;
		this.clock = clock;
		this.health = health;
		CustomizableThreadFactory threadFactory = new CustomizableThreadFactory("quorlock-redis-");
		threadFactory.setDaemon(true);
		this.thread = new ScheduledThreadPoolExecutor(1, threadFactory);
		this.thread.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
	}

	/** The link was opened, perhaps anew. */
	abstract void onOpen();

	/** The server has replied again. */
	abstract void onUp();

	/**
	 * The server cannot be used.
	 * @param reason why, for people
	 */
	abstract void onDown(String reason);

	void start() {
		execute(this::check, 0);
	}

	boolean isOpen() {
		return this.open && !this.stopped;
	}

	private void check() {
		long pause = PING_PAUSE_MILLIS;
		try {
			String lost = this.link.lostBecause();
			if (!lost.isEmpty()) {
				this.open = false;
				onDown(lost);
				this.link.close();
			}
			if (!this.open) {
				this.link.open();
				this.infoNanos = this.clock.nanoTime() - INFO_NANOS;
				this.open = true;
				if (this.stopped) {
					this.link.close(); // the stop did not wait for it
					return;
				}
				onOpen();
			}
			ping();
			askForInfo();
			if (!this.stopped) {
				onUp();
			}
		}
		catch (Exception | Error ex) {
			pause = RETRY_PAUSE_MILLIS;
			if (!this.stopped) {
				String reason = RedisErrors.describe(ex);
				onDown(reason.startsWith("NOAUTH") ? "it requires a password: set spring.data.redis.password" : reason);
			}
		}
		finally {
			execute(this::check, pause);
		}
	}

	/** A server that refuses it is connected. */
	private void ping() throws Exception {
		try {
			long sentNanos = this.clock.nanoTime();
			this.link.ping(PING_TIMEOUT).ifPresent((micros) -> noteTime(micros, sentNanos));
		}
		catch (Exception ex) {
			if (RedisErrors.toReply(ex).cause() != NodeReply.Failed.Cause.ERROR) {
				throw ex;
			}
			this.health.onRefused(RedisErrors.describe(ex));
		}
	}

	/** Without the permission for it, locks work all the same. */
	private void askForInfo() {
		if (this.clock.nanoTime() - this.infoNanos >= INFO_NANOS) {
			this.infoNanos = this.clock.nanoTime();
			try {
				this.health.onInfo(this.link.info(PING_TIMEOUT));
			}
			catch (Exception ex) {
				logger.debug("The server does not report its eviction policy", ex);
			}
		}
	}

	/**
	 * Return whether the driver hangs. It may wait for a connection out of the
	 * application's pool for ever.
	 * @return the reason why the link cannot be used, or empty
	 */
	String silence() {
		if (!this.busy) {
			return "";
		}
		long nanos = this.clock.nanoTime() - this.begunNanos;
		return (nanos > SILENCE_NANOS)
				? "no free connection or no reply for %d seconds; if all of the pool are in use, raise its max-active"
					.formatted(Duration.ofNanos(nanos).toSeconds())
				: "";
	}

	/**
	 * A reply that took long is no better estimate of the time than an earlier one.
	 */
	private void noteTime(long serverMicros, long sentNanos) {
		long now = this.clock.nanoTime();
		if (now - sentNanos <= TIMELY_NANOS || this.clockOffsetMicros.isEmpty()) {
			this.clockOffsetMicros = OptionalLong.of(serverMicros - (sentNanos / 2 + now / 2) / 1_000);
		}
	}

	/**
	 * Return the server's wall clock less the engine's monotonic clock.
	 * @return microseconds; empty while it is unknown
	 */
	OptionalLong clockOffsetMicros() {
		return this.clockOffsetMicros;
	}

	/**
	 * Run what may block.
	 */
	void execute(Runnable work, long delayMillis) {
		try {
			this.thread.schedule(() -> run(work), delayMillis, TimeUnit.MILLISECONDS);
		}
		catch (RejectedExecutionException ex) {
			logger.trace("Stopped meanwhile", ex);
		}
	}

	private void run(Runnable work) {
		this.begunNanos = this.clock.nanoTime();
		this.busy = true;
		try {
			work.run();
		}
		finally {
			this.busy = false;
		}
	}

	/**
	 * Stop the thread, then close the link. The thread is interrupted only if it takes
	 * long: a driver that is interrupted while it connects may leave the connection
	 * unowned.
	 */
	void stop() {
		this.stopped = true;
		this.thread.shutdown();
		boolean interrupted = false;
		try {
			if (!this.thread.awaitTermination(PING_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS)) {
				this.thread.shutdownNow();
			}
		}
		catch (InterruptedException ex) {
			interrupted = true;
		}
		this.link.close();
		if (interrupted) {
			Thread.currentThread().interrupt();
		}
	}

}
