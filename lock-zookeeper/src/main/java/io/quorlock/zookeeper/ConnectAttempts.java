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
import java.net.InetSocketAddress;
import java.util.Collection;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;

import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.client.ConnectStringParser;
import org.apache.zookeeper.client.HostProvider;
import org.apache.zookeeper.client.StaticHostProvider;
import org.apache.zookeeper.client.ZKClientConfig;
import org.jspecify.annotations.Nullable;

/**
 * Creates a client of ZooKeeper, and notes when it began its latest attempt to connect,
 * and to which server. A session cannot be older than the attempt that created it,
 * however long the servers were away before, nor was it moved before the attempt that
 * moved it.
 */
final class ConnectAttempts implements HostProvider {

	/** Between two rounds through all servers, besides what the client adds at random. */
	private static final long MAX_SPIN_DELAY_MILLIS = 100;

	/** After so many in a row, also to three servers, no lock is held any more. */
	private static final int MANY = 300;

	private final HostProvider servers;

	private final LongSupplier nanoTime;

	private volatile long begunNanos;

	private volatile long establishedNanos;

	/** Since the latest connection, the one that is under way included. */
	private final AtomicInteger attempts = new AtomicInteger();

	private volatile @Nullable InetSocketAddress server;

	ConnectAttempts(HostProvider servers, LongSupplier nanoTime) {
		this.servers = servers;
		this.nanoTime = nanoTime;
		this.begunNanos = nanoTime.getAsLong();
		this.establishedNanos = this.begunNanos;
	}

	static ConnectAttempts to(ZooKeeperSettings settings, LongSupplier nanoTime) {
		ConnectStringParser parser = new ConnectStringParser(settings.connectString());
		return new ConnectAttempts(new StaticHostProvider(parser.getServerAddresses()), nanoTime);
	}

	/** A client with a session of its own. */
	ZooKeeper create(ZooKeeperSettings settings, Watcher watcher) throws IOException {
		// Never read-only: such a server may be cut off from all others.
		return authenticated(settings, new ZooKeeper(settings.connectString(), timeoutMillis(settings), watcher, false,
				this, config(settings)));
	}

	/** A client with a session that exists already. */
	ZooKeeper resume(ZooKeeperSettings settings, Watcher watcher, long id, byte[] password) throws IOException {
		return authenticated(settings, new ZooKeeper(settings.connectString(), timeoutMillis(settings), watcher, id,
				password, false, this, config(settings)));
	}

	private static int timeoutMillis(ZooKeeperSettings settings) {
		return Math.toIntExact(settings.sessionTimeout().toMillis());
	}

	private static ZKClientConfig config(ZooKeeperSettings settings) {
		ZKClientConfig config = new ZKClientConfig();
		settings.nextClientProperties().forEach(config::setProperty);
		return config;
	}

	private static ZooKeeper authenticated(ZooKeeperSettings settings, ZooKeeper client) {
		settings.credentials().forEach((credentials) -> client.addAuthInfo(credentials.scheme(), credentials.secret()));
		return client;
	}

	/** When the attempt was begun that led to the latest connection. */
	long begunNanos() {
		return this.establishedNanos;
	}

	/** How many attempts in a row have come to nothing. */
	int failed() {
		return this.attempts.get();
	}

	/** The server of the latest attempt, for people. */
	String server() {
		InetSocketAddress address = this.server;
		return (address != null) ? address.getHostString() + ":" + address.getPort() : "none";
	}

	@Override
	public int size() {
		return this.servers.size();
	}

	@Override
	public InetSocketAddress next(long spinDelay) {
		// A lock is kept over an outage that ends early enough, so the pause is short at
		// first. The client logs each attempt.
		boolean early = this.attempts.get() < MANY;
		InetSocketAddress next = this.servers.next(early ? Math.min(spinDelay, MAX_SPIN_DELAY_MILLIS) : spinDelay);
		this.begunNanos = this.nanoTime.getAsLong();
		this.server = next;
		this.attempts.incrementAndGet();
		return next;
	}

	@Override
	public void onConnected() {
		this.establishedNanos = this.begunNanos;
		this.attempts.set(0);
		this.servers.onConnected();
	}

	@Override
	public boolean updateServerList(Collection<InetSocketAddress> addresses, InetSocketAddress current) {
		return this.servers.updateServerList(addresses, current);
	}

}
