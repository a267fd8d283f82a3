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
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;

import io.quorlock.Settings;
import io.quorlock.embedded.EmbeddedZooKeeper;
import io.quorlock.embedded.LoopbackProxy;
import io.quorlock.store.ClaimFailure;
import io.quorlock.store.TestClaim;
import io.quorlock.store.TestContender;
import io.quorlock.time.ManualTime;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A store behind a proxy on a clock that stands still, and another one without a proxy on
 * the same clock. All tests of a class share the server, and each has a name of its own.
 */
abstract class AbstractStoppedTimeTests {

	static final Duration TIMEOUT = Duration.ofSeconds(36);

	static final Duration HEARTBEAT = TIMEOUT.dividedBy(6);

	static final Duration OPERATION_TIMEOUT = Duration.ofSeconds(5);

	static final Duration WAIT = Duration.ofHours(10);

	private static final AtomicInteger NUMBERS = new AtomicInteger();

	static EmbeddedZooKeeper server;

	final ManualTime time = new ManualTime();

	/** What the store was replied to, without heartbeats. */
	final List<String> operations = new CopyOnWriteArrayList<>();

	final AtomicInteger heartbeats = new AtomicInteger();

	private final Map<String, Runnable> atNext = new ConcurrentHashMap<>();

	private final List<ZooKeeperLeaseStore> stores = new ArrayList<>();

	LoopbackProxy proxy;

	RawClient admin;

	ZooKeeperLeaseStore store;

	private @Nullable ZooKeeperLeaseStore other;

	/** A lock of this test alone. */
	String name;

	@BeforeAll
	static void startServer() {
		server = EmbeddedZooKeeper.start();
	}

	@AfterAll
	static void stopServer() {
		server.close();
	}

	@BeforeEach
	void start() throws Exception {
		this.name = "lock-" + NUMBERS.incrementAndGet();
		this.proxy = LoopbackProxy.to(server.port());
		this.admin = new RawClient(server.connectString());
		this.store = start("127.0.0.1:" + this.proxy.port(), "a");
		// What a new session asks for besides.
		Awaitility.await().until(() -> this.operations.contains("sync"));
	}

	@AfterEach
	void stop() throws Exception {
		this.proxy.restore();
		this.stores.forEach(ZooKeeperLeaseStore::close);
		this.admin.close();
		this.proxy.close();
	}

	/** Another instance, without a proxy. */
	ZooKeeperLeaseStore other() {
		ZooKeeperLeaseStore started = this.other;
		if (started == null) {
			started = start(server.connectString(), "b");
			this.other = started;
		}
		return started;
	}

	private ZooKeeperLeaseStore start(String connectString, String instanceId) {
		ZooKeeperLeaseStore started = starting(connectString, instanceId,
				(settings) -> settings.set(ZooKeeperSettings::operationTimeout, OPERATION_TIMEOUT));
		ZooKeeperStores.awaitAvailable(started);
		return started;
	}

	/** One that may never be available. */
	ZooKeeperLeaseStore starting(String connectString, String instanceId,
			Consumer<Settings<ZooKeeperSettings>> customizer) {
		Settings<ZooKeeperSettings> settings = TestZooKeeperSettings.with(connectString, instanceId)
			.set(ZooKeeperSettings::sessionTimeout, TIMEOUT);
		customizer.accept(settings);
		ZooKeeperLeaseStore started = new ZooKeeperLeaseStore(settings.build(), this.time, this.time,
				List.of((node, operation, outcome, error, nanos) -> onReply(instanceId, operation)));
		this.stores.add(started);
		started.start();
		return started;
	}

	/** The last is reported behind its reply. */
	void awaitOperations(String... inOrder) {
		Awaitility.await().untilAsserted(() -> assertThat(this.operations).containsSubsequence(inOrder));
	}

	private void onReply(String instanceId, String operation) {
		Runnable action = instanceId.equals("a") ? this.atNext.remove(operation) : null;
		if (instanceId.equals("a") && operation.equals("heartbeat")) {
			this.heartbeats.incrementAndGet();
		}
		else if (instanceId.equals("a")) {
			this.operations.add(operation);
		}
		if (action != null) {
			action.run();
		}
	}

	/** As an administrator ends a session. */
	static void expire(long sessionId) {
		server.expireSession(sessionId);
	}

	/** The servers end the session, and something is asked for before that is known. */
	void expireBehindTheNext(Runnable request) {
		this.proxy.cut();
		Awaitility.await().until(() -> this.proxy.connectionsOpen() == 0);
		expire(this.store.sessionId());
		this.proxy.restore();
		this.proxy.holdReplies();
		Awaitility.await().until(() -> this.proxy.connectionsOpen() == 1);
		request.run();
		this.proxy.releaseReplies();
	}

	/** Runs this once, before the reply is read with which the store lists nodes next. */
	void atNextList(Action action) {
		atNext("list", action);
	}

	/** Runs this once, before the next reply to such a request is read. */
	void atNext(String operation, Action action) {
		this.atNext.put(operation, () -> {
			try {
				action.run();
			}
			catch (Exception ex) {
				throw new IllegalStateException(ex);
			}
		});
	}

	TestContender contend(TestClaim claim) {
		return contend(this.store, claim);
	}

	TestContender contend(ZooKeeperLeaseStore asked, TestClaim claim) {
		return TestContender.of(asked, claim, this.time.nanoTime()).start();
	}

	/** What a claim without a wait is told that asks through one with a wait. */
	ClaimFailure.Held askThrough(TestContender waiter) {
		CompletableFuture<ClaimFailure> reply = new CompletableFuture<>();
		waiter.contender().askFor(reply::complete);
		// The claim in front may be about to give up.
		Awaitility.await().until(() -> {
			this.time.advance(Duration.ofMillis(10));
			return reply.isDone();
		});
		return (ClaimFailure.Held) TestContender.await(reply);
	}

	/** What an administrator does meanwhile. */
	@FunctionalInterface
	interface Action {

		void run() throws Exception;

	}

}
