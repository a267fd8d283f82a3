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
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.WatchedEvent;
import org.apache.zookeeper.Watcher.Event.EventType;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.Stat;
import org.jspecify.annotations.Nullable;

import io.quorlock.store.Grant;

/**
 * One session: what it holds and waits for ends with it at the latest. It becomes ready
 * once, and is over once.
 */
final class Session implements Heartbeats.Listener {

	private static final Log logger = LogFactory.getLog(Session.class);

	/** Between two attempts to prepare a session that the servers refuse to prepare. */
	private static final long SETUP_PAUSE_NANOS = 1_000_000_000;

	/**
	 * A lease may end when the servers do not reply for somewhat less than half of the
	 * timeout. Below this, that is hardly more than a pause of a process.
	 */
	private static final int SHORT_TIMEOUT_MILLIS = 6_000;

	private final StoreContext context;

	private final Listener listener;

	private final ConnectAttempts attempts;

	private final SessionEvents events;

	private final FencingTokens.Base tokenBase;

	private final Set<Member> members = ConcurrentHashMap.newKeySet();

	private final AtomicReference<@Nullable String> over = new AtomicReference<>();

	private final CompletableFuture<Boolean> constructed = new CompletableFuture<>();

	private final ZooKeeper client;

	private final SessionRequests requests;

	/** Of the session's own, so that its writes wake no claim. */
	private final String heartbeatPath;

	private final AtomicBoolean settingUp = new AtomicBoolean();

	private volatile boolean connected;

	private volatile @Nullable String problem;

	/** What the first server granted. */
	private volatile int timeoutMillis;

	/** Since the first connection. */
	private volatile @Nullable Heartbeats heartbeats;

	/** Whether the session has been prepared. */
	private volatile boolean ready;

	/** Open a session. May block, since the constructor of the client may. */
	Session(StoreContext context, Listener listener) throws IOException {
		this.context = context;
		this.heartbeatPath = context.paths.sessions() + "/" + UUID.randomUUID();
		this.events = new SessionEvents(context.timer);
		this.listener = listener;
		this.attempts = ConnectAttempts.to(context.settings, context.clock::nanoTime);
		this.client = this.attempts.create(context.settings, this::process);
		this.requests = new SessionRequests(this.client, context.settings.connectString(), context.settings.acl(),
				context.clock::nanoTime, context.observers);
		this.tokenBase = new FencingTokens.Base(context.paths.tokenBase(), this.requests, this.events, context.tokens);
		this.constructed.complete(true);
		context.timer.schedule(context.settings.connectionTimeout().toNanos(), this::endUnlessAccepted);
	}

	SessionRequests requests() {
		return this.requests;
	}

	SessionEvents events() {
		return this.events;
	}

	FencingTokens.Base tokenBase() {
		return this.tokenBase;
	}

	/** Take part, or be notified at once that the session is over. */
	void join(Member member) {
		this.members.add(member);
		String reason = this.over.get();
		if (reason != null && this.members.remove(member)) {
			member.onOver(reason);
		}
	}

	void leave(Member member) {
		this.members.remove(member);
	}

	/** Go on after a lost connection: when there is one again, or the session is over. */
	void resume(Runnable task) {
		this.events.onConnection(task, () -> this.connected || isOver());
	}

	/** Write to the session's own node: the reply contains the time of the servers. */
	void writeHeartbeat(SessionRequests.Reply<Stat> reply) {
		this.requests.write("heartbeat", this.heartbeatPath, SessionRequests.NOTHING, -1, (code, stat) -> {
			if (stat != null) {
				this.context.tokens.committed(stat.getMzxid());
			}
			reply.received(code, stat);
		});
	}

	/** Do something after a while, unless the store is stopped for good. */
	void later(long nanos, Runnable task) {
		this.context.timer.schedule(nanos, task);
	}

	/** The number of the proof that holds now, -1 if none does. */
	int currentProof() {
		Heartbeats beats = this.heartbeats;
		return (beats != null && !isOver()) ? beats.proof().current(this.context.now()) : -1;
	}

	boolean isProven(int number) {
		return currentProof() == number;
	}

	/** Until when the session is known to be alive. */
	long provenUntil() {
		Heartbeats beats = this.heartbeats;
		return (beats != null) ? beats.proof().provenUntil() : this.context.now();
	}

	/** When the heartbeat was sent since which the session is known to be alive. */
	long provenSince() {
		Heartbeats beats = this.heartbeats;
		return (beats != null) ? beats.proof().provenSince() : this.context.now();
	}

	/** R26: the number of the risk that there is, 0 if there is none. */
	int risk() {
		Heartbeats beats = this.heartbeats;
		return (beats != null) ? beats.risk() : 0;
	}

	boolean isConnected() {
		return this.connected;
	}

	/** Whether the session has been prepared. */
	boolean isReady() {
		return this.ready && !isOver();
	}

	boolean isOver() {
		return this.over.get() != null;
	}

	/** What hinders the session from being used, as far as it is known. */
	@Nullable String problem() {
		return this.problem;
	}

	long id() {
		return this.client.getSessionId();
	}

	/** The timeout that was negotiated, 0 before the first connection. */
	int timeoutMillis() {
		return this.timeoutMillis;
	}

	byte[] password() {
		return this.client.getSessionPasswd();
	}

	String server() {
		return this.attempts.server();
	}

	/** End the session, and with it all of its nodes. Blocks until the server knows. */
	void close(int millis) throws InterruptedException {
		end(Ending.STOPPED, "the store is stopped");
		this.client.close(millis);
	}

	private void process(WatchedEvent event) {
		this.constructed.join();
		if (event.getType() != EventType.None) {
			if (event.getPath() != null) {
				this.events.changed(event.getPath(), event.getType());
			}
			return;
		}
		switch (event.getState()) {
			case SyncConnected -> connected();
			case Disconnected -> disconnected();
			case Expired -> end(Ending.EXPIRED, "the session expired");
			case AuthFailed -> end(Ending.REFUSED, "the servers refused the authentication");
			default -> {
			}
		}
	}

	private void connected() {
		this.connected = true;
		Heartbeats beats = this.heartbeats;
		int timeout = this.client.getSessionTimeout();
		if (beats == null) {
			warnOfTimeout(timeout);
			this.timeoutMillis = timeout;
			SessionProof proof = new SessionProof(timeout * 1_000_000L, this.context.settings.clockDriftFactor(),
					this.attempts.begunNanos());
			this.heartbeats = new Heartbeats(this::writeHeartbeat, proof, timeout * 1_000_000L, this.context.clock,
					this.context.timer, () -> this.connected, this::setUp, this);
			setUp();
		}
		else if (timeout != this.timeoutMillis) {
			// R22: what was proven so far was counted from another timeout.
			end(Ending.CHANGED, "%s changed its timeout from %d to %d ms, on which all servers have to agree"
				.formatted(server(), this.timeoutMillis, timeout));
			return;
		}
		else {
			beats.proof().moved(this.attempts.begunNanos(), this.context.now());
			if (isReady()) {
				beats.send();
				this.tokenBase.restore();
			}
		}
		this.events.connected();
	}

	/** Reported for each connection that comes to nothing, too. */
	private void disconnected() {
		if (this.connected) {
			this.connected = false;
			this.tokenBase.forget();
			long established = this.attempts.begunNanos();
			this.context.timer.schedule(this.timeoutMillis * 2_000_000L, () -> endUnlessResumed(established));
		}
	}

	/**
	 * The client gives a session up only while no server accepts a connection, and with a
	 * later transaction than the servers know it is refused for ever. All proof is over.
	 */
	private void endUnlessResumed(long established) {
		if (!this.connected && this.attempts.begunNanos() == established) {
			end(Ending.EXPIRED,
					"the servers have closed each connection for %d ms, %d in a row. They do so without a quorum, and for a session that has seen later transactions than they know, because their data was lost or restored from a backup"
						.formatted(this.timeoutMillis * 2, this.attempts.failed()));
		}
	}

	private void endUnlessAccepted() {
		if (this.heartbeats == null) {
			end(Ending.NOT_ACCEPTED, "no server accepted a session within %d ms"
				.formatted(this.context.settings.connectionTimeout().toMillis()));
		}
	}

	private void warnOfTimeout(int timeout) {
		if (timeout != this.context.settings.sessionTimeout().toMillis()) {
			logger.warn(
					"ZooKeeper %s granted a session timeout of %d ms, %d ms were asked for. Ask for a time within the servers' limits (distributed-lock.zookeeper.session-timeout)"
						.formatted(this.context.settings.connectString(), timeout,
								this.context.settings.sessionTimeout().toMillis()));
		}
		if (timeout < SHORT_TIMEOUT_MILLIS) {
			logger.warn(("ZooKeeper session timeout of %d ms is short: pauses of this process, or of the servers, soon "
					+ "cost the locks that it holds. Use several seconds (distributed-lock.zookeeper.session-timeout)")
				.formatted(timeout));
		}
	}

	/** Also when the root was deleted meanwhile. */
	private void setUp() {
		if (this.settingUp.compareAndSet(false, true)) {
			new SessionSetup(this.requests, this.context.paths, this.heartbeatPath, this.tokenBase, this::setUp)
				.start();
		}
	}

	private void setUp(Code code) {
		this.settingUp.set(false);
		if (code == Code.OK) {
			ready();
		}
		else if (code == Code.CONNECTIONLOSS) {
			resume(this::setUp);
		}
		else if (code != Code.SESSIONEXPIRED && !isOver()) {
			report(code);
			this.context.timer.schedule(SETUP_PAUSE_NANOS, this::setUp);
		}
	}

	private void report(Code code) {
		String chroot = this.context.settings.chroot();
		String hint = (code == Code.NONODE && !chroot.isEmpty())
				? "; create '%s', which the connect string ends with".formatted(chroot) : "";
		String reason = "ZooKeeper refuses to prepare root '%s': %s%s".formatted(this.context.settings.root(), code,
				hint);
		if (!reason.equals(this.problem)) {
			logger.warn(reason);
		}
		this.problem = reason;
	}

	private void ready() {
		this.problem = null;
		Heartbeats beats = this.heartbeats;
		if (beats != null && !this.ready && !isOver()) {
			this.ready = true;
			beats.start();
			this.tokenBase.restore();
			this.listener.onReady(this);
		}
	}

	@Override
	public void onHeartbeat(boolean proven) {
		this.tokenBase.restore();
		this.members.forEach((member) -> member.onHeartbeat(proven));
	}

	/** Once for all locks, which stand and fall with the session. */
	@Override
	public void onRisk() {
		long now = this.context.now();
		long leases = this.members.stream().filter(Grant.class::isInstance).count();
		if (risk() == 0) {
			logger.info("ZooKeeper session 0x%x is safe again: a heartbeat was confirmed, %d ms are left"
				.formatted(id(), (provenUntil() - now) / 1_000_000));
		}
		else {
			logger.warn(
					"ZooKeeper session 0x%x is at risk: it ends in %d ms, and with it what it holds (locks: %d), unless a heartbeat is confirmed, and none was for %d ms, last by %s. See the health of the servers"
						.formatted(id(), (provenUntil() - now) / 1_000_000, leases, (now - provenSince()) / 1_000_000,
								server()));
		}
		this.members.forEach(Member::onRisk);
	}

	@Override
	public void onLapse() {
		this.members.forEach(Member::onLapse);
	}

	private void end(Ending ending, String reason) {
		if (!this.over.compareAndSet(null, reason)) {
			return;
		}
		this.connected = false;
		Heartbeats beats = this.heartbeats;
		if (beats != null) {
			beats.stop();
		}
		this.listener.onOver(this, ending, reason);
		for (Member member : List.copyOf(this.members)) {
			if (this.members.remove(member)) {
				member.onOver(reason);
			}
		}
		this.events.connected();
	}

	/**
	 * Takes part in a session and is notified of what becomes of it, on threads of the
	 * store.
	 */
	interface Member extends Heartbeats.Listener {

		/**
		 * The session is over, and its ephemeral nodes with it.
		 * @param reason why
		 */
		void onOver(String reason);

	}

	/**
	 * What ended a session.
	 */
	enum Ending {

		/** It is over by the clock of the servers, or by that of this process. */
		EXPIRED,

		/** A server granted another timeout than the one before. */
		CHANGED,

		/** No server accepted it in time. */
		NOT_ACCEPTED,

		/** The servers refused the authentication. */
		REFUSED,

		/** This process has no use for it any more. */
		STOPPED

	}

	/**
	 * Is notified of the life of a session, on threads of the store.
	 */
	interface Listener {

		void onReady(Session session);

		/** Before the members are notified, so that they find the next session only. */
		void onOver(Session session, Ending ending, String reason);

	}

}
