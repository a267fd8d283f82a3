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
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.apache.zookeeper.WatchedEvent;
import org.apache.zookeeper.Watcher.Event.EventType;
import org.apache.zookeeper.ZooKeeper;
import org.jspecify.annotations.Nullable;

import io.quorlock.store.NodeState;

/**
 * Keeps one session open, and opens the next when it is over. What may block in the
 * client, its constructor and its end, runs on a thread of its own.
 */
final class Sessions implements Session.Listener {

	private static final Log logger = LogFactory.getLog(Sessions.class);

	/**
	 * Between two sessions that could not be opened, or that were refused: doubled each
	 * time up to the longest.
	 */
	private static final long PAUSE_NANOS = 1_000_000_000;

	private static final long MAX_PAUSE_NANOS = 32 * PAUSE_NANOS;

	private final StoreContext context;

	private final Set<Consumer<Session>> waiting = ConcurrentHashMap.newKeySet();

	private volatile @Nullable ExecutorService thread;

	private volatile @Nullable Session opened;

	private volatile @Nullable Session ready;

	private volatile @Nullable Former former;

	private volatile String lastProblem = "not connected yet";

	/** How many sessions in a row came to nothing. */
	private final AtomicInteger failures = new AtomicInteger();

	Sessions(StoreContext context) {
		this.context = context;
	}

	void start() {
		ExecutorService executor = Executors.newFixedThreadPool(1, (task) -> {
			Thread created = new Thread(task, "quorlock-zookeeper");
			created.setDaemon(true);
			return created;
		});
		this.thread = executor;
		execute(executor, () -> open(executor));
	}

	boolean isStarted() {
		return this.thread != null;
	}

	/** The session that is open, whether it can be used or not. */
	@Nullable Session current() {
		return this.opened;
	}

	/** What is known of the connection, as health and endpoint show it. */
	NodeState state() {
		Session session = this.opened;
		boolean proven = session != null && session.isReady() && session.currentProof() >= 0;
		String state = (session != null) ? state(session, proven) : "closed";
		return new NodeState(this.context.settings.connectString(), proven, state, proven ? "" : describe(),
				Duration.ZERO, null, (session != null) ? "0x" + Long.toHexString(session.id()) : null, null);
	}

	private static String state(Session session, boolean proven) {
		if (session.isConnected()) {
			return proven ? "connected" : "unproven";
		}
		return (session.id() != 0) ? "disconnected" : "connecting";
	}

	/** What is known of the connection, for people. */
	String describe() {
		Session session = this.opened;
		if (this.thread == null) {
			return "the connection to ZooKeeper is closed";
		}
		if (session == null || session.id() == 0) {
			return "no session with ZooKeeper %s: %s".formatted(this.context.settings.connectString(),
					this.lastProblem);
		}
		String problem = session.problem();
		if (problem != null) {
			return problem;
		}
		String state = session.isConnected() ? "connected to" : "not connected, last to";
		String proof = (session.currentProof() < 0) ? "is not proven to be alive"
				: "is proven to be alive for another %d ms"
					.formatted((session.provenUntil() - this.context.now()) / 1_000_000);
		return "session 0x%x with a timeout of %d ms, %s %s, %s".formatted(session.id(), session.timeoutMillis(), state,
				session.server(), proof);
	}

	/**
	 * Use a session as soon as there is one. It may be over by then.
	 * @param user receives the session
	 * @return takes the wish back
	 */
	Runnable use(Consumer<Session> user) {
		this.waiting.add(user);
		Session current = this.ready;
		if (current != null && this.waiting.remove(user)) {
			user.accept(current);
		}
		return () -> this.waiting.remove(user);
	}

	/**
	 * End the session, and open no other.
	 * @param millis how long to wait until the servers know
	 */
	void close(int millis) {
		ExecutorService executor;
		Session last;
		synchronized (this) {
			executor = this.thread;
			last = this.opened;
			this.thread = null;
			this.opened = null;
		}
		if (executor == null) {
			return;
		}
		executor.execute(() -> {
			if (last != null) {
				close(last, millis);
			}
			closeFormer();
		});
		executor.shutdown();
		try {
			if (!executor.awaitTermination(millis, TimeUnit.MILLISECONDS)) {
				logger.warn(
						"ZooKeeper %s did not confirm the end of the session within %d ms; its locks are free when it expires. See the servers' log"
							.formatted(this.context.settings.connectString(), millis));
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	@Override
	public void onReady(Session session) {
		this.failures.set(0);
		this.ready = session;
		if (session.isOver()) {
			this.ready = null;
			return;
		}
		for (Consumer<Session> user : List.copyOf(this.waiting)) {
			if (this.waiting.remove(user)) {
				user.accept(session);
			}
		}
	}

	@Override
	public void onOver(Session session, Session.Ending ending, String reason) {
		if (this.ready == session) {
			this.ready = null;
		}
		ExecutorService executor = this.thread;
		if (executor != null && ending != Session.Ending.STOPPED) {
			report((session.id() != 0)
					? "ZooKeeper session 0x%x with %s is over: %s".formatted(session.id(), session.server(), reason)
					: "No session with ZooKeeper %s: %s".formatted(this.context.settings.connectString(), reason),
					reason, null);
			execute(executor, () -> {
				close(session, 0);
				switch (ending) {
					case EXPIRED -> endFormer(session.id(), session.password());
					case NOT_ACCEPTED, REFUSED -> this.failures.incrementAndGet();
					default -> {
					}
				}
				openLater(executor, (ending == Session.Ending.REFUSED) ? pause() : 0);
			});
		}
		this.lastProblem = reason;
	}

	/** Once, not every time that the same happens again. */
	private void report(String message, String problem, @Nullable Exception cause) {
		if (this.failures.get() > 0 && problem.equals(this.lastProblem)) {
			logger.debug(message, cause);
		}
		else {
			logger.warn(message, cause);
		}
	}

	/** Runs on the thread of one start: the next one opens its own session. */
	private void open(ExecutorService executor) {
		try {
			Session session = new Session(this.context, this);
			if (!isKept(session, executor)) {
				close(session, 0);
			}
		}
		catch (IOException | RuntimeException ex) {
			String problem = String.valueOf(ex.getMessage());
			report("Cannot open a ZooKeeper session with " + this.context.settings.connectString(), problem, ex);
			this.lastProblem = problem;
			this.failures.incrementAndGet();
			openLater(executor, pause());
		}
	}

	private synchronized boolean isKept(Session session, ExecutorService executor) {
		if (this.thread != executor) {
			return false;
		}
		this.opened = session;
		return true;
	}

	private long pause() {
		return Math.min(MAX_PAUSE_NANOS, PAUSE_NANOS << Math.min(this.failures.get() - 1, 10));
	}

	private void openLater(ExecutorService executor, long pause) {
		this.context.timer.schedule(pause, () -> execute(executor, () -> open(executor)));
	}

	private void endFormer(long id, byte[] password) {
		closeFormer();
		try {
			this.former = new Former(this.context, id, password, this::execute, () -> endFormer(id, password));
		}
		catch (IOException | RuntimeException ex) {
			logger.debug("Cannot end the former session; it ends by its timeout", ex);
		}
	}

	private void closeFormer() {
		Former latest = this.former;
		this.former = null;
		if (latest != null) {
			latest.close();
		}
	}

	private void close(Session session, int millis) {
		synchronized (this) {
			if (this.opened == session) {
				this.opened = null;
			}
		}
		try {
			session.close(millis);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	private void execute(Runnable task) {
		ExecutorService executor = this.thread;
		if (executor != null) {
			execute(executor, task);
		}
	}

	private static void execute(ExecutorService executor, Runnable task) {
		try {
			executor.execute(task);
		}
		catch (RejectedExecutionException ex) {
			logger.debug("The store was stopped meanwhile", ex);
		}
	}

	/**
	 * Ends a session that is over for this process at the servers as well. The client
	 * gives a session up when it was disconnected for a third longer than the timeout.
	 * Servers that were down meanwhile start its time anew, and until its end the next
	 * session would wait for the nodes of this one.
	 */
	static final class Former {

		private final long id;

		private final StoreContext context;

		private final Executor executor;

		private final Runnable again;

		private final long givenUpNanos;

		private final CountDownLatch constructed = new CountDownLatch(1);

		private final ZooKeeper client;

		/**
		 * Open the session once more. May block, since the constructor of the client may.
		 * @param context what the sessions of the store share
		 * @param id the session
		 * @param password its password
		 * @param executor runs what may block
		 * @param again runs if no server could be reached before the client gave up once
		 * more
		 */
		Former(StoreContext context, long id, byte[] password, Executor executor, Runnable again) throws IOException {
			this.id = id;
			this.context = context;
			this.executor = executor;
			this.again = again;
			this.givenUpNanos = context.now() + context.settings.sessionTimeout().toNanos();
			this.client = ConnectAttempts.to(context.settings, context.clock::nanoTime)
				.resume(context.settings, this::process, id, password);
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
					this.executor.execute((this.context.now() - this.givenUpNanos < 0) ? this::close : this.again);
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

}
