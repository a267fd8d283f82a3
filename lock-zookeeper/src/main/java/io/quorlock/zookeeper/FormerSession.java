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

import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.apache.zookeeper.WatchedEvent;
import org.apache.zookeeper.Watcher.Event.EventType;
import org.apache.zookeeper.ZooKeeper;

import io.quorlock.time.LockClock;

/**
 * Ends a session that is over for this process at the servers as well. The client gives a
 * session up when it was disconnected for a third longer than the timeout. Servers that
 * were down meanwhile start its time anew, and until its end the next session would wait
 * for the nodes of this one.
 */
final class FormerSession {

	private static final Log logger = LogFactory.getLog(FormerSession.class);

	private final long id;

	private final LockClock clock;

	private final Executor executor;

	private final Runnable again;

	private final long givenUpNanos;

	private final CountDownLatch constructed = new CountDownLatch(1);

	private final ZooKeeper client;

	/**
	 * Open the session once more. May block, since the constructor of the client may.
	 * @param settings the settings
	 * @param clock the clock
	 * @param id the session
	 * @param password its password
	 * @param executor runs what may block
	 * @param again runs if no server could be reached before the client gave up once more
	 */
	FormerSession(ZooKeeperSettings settings, LockClock clock, long id, byte[] password, Executor executor,
			Runnable again) throws IOException {
		this.id = id;
		this.clock = clock;
		this.executor = executor;
		this.again = again;
		this.givenUpNanos = clock.nanoTime() + settings.sessionTimeout().toNanos();
		this.client = ClientFactory.resume(settings, ClientFactory.attempts(settings, clock::nanoTime), this::process,
				id, password);
		this.constructed.countDown();
	}

	void process(WatchedEvent event) {
		if (event.getType() != EventType.None) {
			return;
		}
		switch (event.getState()) {
			case SyncConnected, AuthFailed -> this.executor.execute(this::close);
			// In most cases by the servers: then there is nothing to end.
			case Expired ->
				this.executor.execute((this.clock.nanoTime() - this.givenUpNanos < 0) ? this::close : this.again);
			default -> {
			}
		}
	}

	/** End the session if the servers can be reached. */
	void close() {
		try {
			this.constructed.await();
			this.client.close();
			logger.debug("The former ZooKeeper session 0x%x is ended".formatted(this.id));
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

}
