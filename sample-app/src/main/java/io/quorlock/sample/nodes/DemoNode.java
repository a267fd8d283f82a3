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

package io.quorlock.sample.nodes;

import java.time.Duration;

import io.quorlock.embedded.EmbeddedRedisNode;
import io.quorlock.embedded.LoopbackProxy;

/**
 * One Redis server whose failures can be simulated.
 */
public final class DemoNode implements AutoCloseable {

	private final EmbeddedRedisNode server;

	private final LoopbackProxy proxy;

	private volatile boolean paused;

	private volatile Duration delay = Duration.ZERO;

	DemoNode(EmbeddedRedisNode server) {
		this.server = server;
		this.proxy = LoopbackProxy.to(server);
	}

	String uri() {
		return this.proxy.uri();
	}

	/**
	 * Return the name of the node, as the lock library has it.
	 * @return host and port
	 */
	public String name() {
		return uri().substring("redis://".length());
	}

	/** Kill the server, which loses its data. */
	public synchronized void stop() {
		this.proxy.cut();
		this.server.kill();
		this.paused = false;
	}

	/** Pause the server. Its connections stay open. */
	public synchronized void pause() {
		if (this.server.isRunning()) {
			this.server.pause();
			this.paused = true;
		}
	}

	/** Resume a paused server. */
	public synchronized void resume() {
		if (this.paused) {
			this.server.resume();
			this.paused = false;
		}
	}

	/** Restart the server without data. */
	public synchronized void restartEmpty() {
		this.server.restartEmpty();
		this.paused = false;
		this.proxy.restore();
		delay(this.delay);
	}

	/**
	 * Delay the network to the server.
	 * @param roundTrip what is added to a round trip; zero for nothing
	 */
	public void delay(Duration roundTrip) {
		this.proxy.delay(roundTrip.dividedBy(2));
		this.delay = roundTrip;
	}

	/**
	 * Return whether the process of the server runs.
	 * @return true also while it is paused
	 */
	public boolean isRunning() {
		return this.server.isRunning();
	}

	/**
	 * Return whether the server is paused.
	 * @return whether it is
	 */
	public boolean isPaused() {
		return this.paused;
	}

	/**
	 * Return the delay that is added to a round trip.
	 * @return the delay
	 */
	public Duration delay() {
		return this.delay;
	}

	@Override
	public void close() {
		this.proxy.close();
	}

}
