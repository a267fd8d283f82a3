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

import java.net.InetSocketAddress;
import java.util.Collection;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;

import org.apache.zookeeper.client.HostProvider;
import org.jspecify.annotations.Nullable;

/**
 * Notes when the client began its latest attempt to connect, and to which server. A
 * session cannot be older than the attempt that created it, however long the servers were
 * away before, nor was it moved before the attempt that moved it.
 */
final class ConnectAttempts implements HostProvider {

	private final HostProvider servers;

	private final LongSupplier nanoTime;

	/** Between two rounds through all servers, besides what the client adds at random. */
	private static final long MOST_SPIN_DELAY_MILLIS = 100;

	/** After so many in a row, also to three servers, no lock is held any more. */
	private static final int MANY = 300;

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
		InetSocketAddress next = this.servers.next(early ? Math.min(spinDelay, MOST_SPIN_DELAY_MILLIS) : spinDelay);
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
