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

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;

import org.jspecify.annotations.Nullable;

import io.quorlock.LockKeyException;
import io.quorlock.store.Claim;
import io.quorlock.store.Contender;
import io.quorlock.store.Grant;
import io.quorlock.store.LeaseStore;
import io.quorlock.store.NodeReport;
import io.quorlock.store.NodeState;
import io.quorlock.store.ReleaseResult;
import io.quorlock.store.StoreObserver;
import io.quorlock.store.StoreStatus;
import io.quorlock.time.LockClock;
import io.quorlock.time.LockTimer;

/**
 * Leases from a ZooKeeper ensemble. A claim is an ephemeral sequential node in the format
 * of Curator's {@code InterProcessMutex}, so that both exclude each other. A lease is
 * valid for as long as writes with a reply prove its session.
 *
 * @since 0.1.0
 */
public final class ZooKeeperLeaseStore implements LeaseStore {

	/** More than one name of the greatest length takes in a request. */
	private static final int MAX_BYTES_PER_NAME = 8_000;

	private final StoreContext context;

	private final Sessions sessions;

	private final CooldownSweep sweep;

	/**
	 * Create a new store. It connects when it is started.
	 * @param settings the settings
	 * @param clock the clock that the store shares with the engine
	 * @param timer runs what is due later
	 * @param observers observe each request
	 */
	public ZooKeeperLeaseStore(ZooKeeperSettings settings, LockClock clock, LockTimer timer,
			List<StoreObserver> observers) {
		this.context = new StoreContext(settings, clock, timer, observers);
		this.sessions = new Sessions(this.context);
		this.sweep = new CooldownSweep(this.context, this.sessions);
	}

	@Override
	public void start() {
		this.context.restart();
		this.sessions.start();
		this.sweep.start();
	}

	@Override
	public CompletionStage<@Nullable Void> stop() {
		return this.context.withinOperationTimeout(this.context.removals().thenApply((done) -> true))
			.thenAccept((inTime) -> {
			});
	}

	@Override
	public void close() {
		this.sweep.stop();
		this.sessions.close(Math.toIntExact(this.context.settings.operationTimeout().toMillis()));
	}

	@Override
	public void check(Claim claim) {
		if (claim.retained()) {
			throw new IllegalArgumentException(
					"ZooKeeper cannot retain a lease: others could not ask for it. Remove the retain time of " + claim);
		}
		if (claim.tokens() > FencingTokens.PER_GRANT) {
			throw new IllegalArgumentException("ZooKeeper grants at most %d fencing tokens at once, not %d"
				.formatted(FencingTokens.PER_GRANT, claim.tokens()));
		}
		if (claim.permits() > 0 && claim.names().size() > 1) {
			throw new IllegalArgumentException("Permits are granted for one name at a time, not for " + claim);
		}
		checkSize(claim);
		for (String name : claim.names()) {
			if (LockPaths.encode(name).equals("zookeeper") && this.context.paths.container("x").equals("/x")) {
				throw new LockKeyException("ZooKeeper keeps the name '%s' for itself".formatted(name));
			}
		}
	}

	/**
	 * Servers close the connection that brings more, and with it all locks are at risk.
	 */
	private void checkSize(Claim claim) {
		int limit = this.context.maxRequestBytes;
		if ((long) claim.names().size() * MAX_BYTES_PER_NAME < limit) {
			return;
		}
		List<String> containers = claim.names().stream().map(this.context.paths::container).toList();
		int size = SessionRequests.sizeOfEnqueue(this.context.settings, containers);
		if (size >= limit) {
			throw new LockKeyException(
					"%d names of locks make a request of about %,d bytes; ZooKeeper takes %,d at most: %s"
						.formatted(containers.size(), size, limit, claim));
		}
	}

	@Override
	public Contender contend(Claim claim, Contender.Listener listener) {
		return new ZooKeeperContender(this.context, this.sessions, claim, listener);
	}

	@Override
	public CompletionStage<ReleaseResult> release(Grant grant, Duration cooldown, @Nullable Contender next) {
		CompletionStage<Boolean> gone = ((ZooKeeperGrant) grant).release(cooldown);
		if (next != null) {
			// Behind the release in the same session, and behind all others in the queue.
			next.start();
		}
		return this.context.withinOperationTimeout(gone)
			.thenApply((confirmed) -> confirmed ? ReleaseResult.CONFIRMED : ReleaseResult.UNCONFIRMED);
	}

	@Override
	public StoreStatus status() {
		NodeState state = this.sessions.state();
		return new StoreStatus(state.voting(), 1, List.of(state));
	}

	/**
	 * Describe the session for people: its id, its server, the timeout that was
	 * negotiated, and for how long it is proven to be alive.
	 * @return a clause without a full stop
	 */
	public String describeSession() {
		return this.sessions.describe();
	}

	/**
	 * Return the id of the session, as the servers' tools show it.
	 * @return the id, 0 while there is none
	 */
	long sessionId() {
		Session session = this.sessions.current();
		return (session != null) ? session.id() : 0;
	}

	@Override
	public CompletionStage<List<NodeReport>> inspect(String name) {
		return QueueReport.inspect(this.context, this.sessions, name);
	}

	@Override
	public CompletionStage<Boolean> requestRelease(String name, Duration deadline) {
		throw ZooKeeperGrant.requestsAreNotPassedOn();
	}

	@Override
	public CompletionStage<List<NodeReport>> forceRelease(String name, int permit) {
		return QueueReport.forceRelease(this.context, this.sessions, name, permit);
	}

}
