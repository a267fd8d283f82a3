package io.quorlock.sample.nodes;

import java.time.Duration;

import io.quorlock.embedded.EmbeddedRedisNode;
import io.quorlock.embedded.LoopbackProxy;

/**
 * One Redis server, and what can be done to it.
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
	 * The name by which the locks know it.
	 * @return host and port
	 */
	public String name() {
		return uri().substring("redis://".length());
	}

	/** Ends the server at once: what it knew is gone. */
	public synchronized void stop() {
		this.proxy.cut();
		this.server.kill();
		this.paused = false;
	}

	/** Freezes the server; its connections stay open. */
	public synchronized void pause() {
		if (this.server.isRunning()) {
			this.server.pause();
			this.paused = true;
		}
	}

	/** Lets a frozen server go on. */
	public synchronized void resume() {
		if (this.paused) {
			this.server.resume();
			this.paused = false;
		}
	}

	/** Starts the server anew; it remembers nothing. */
	public synchronized void restartEmpty() {
		this.server.restartEmpty();
		this.paused = false;
		this.proxy.restore();
		delay(this.delay);
	}

	/**
	 * Slows the network to the server down.
	 * @param roundTrip what is added to a round trip; zero for nothing
	 */
	public void delay(Duration roundTrip) {
		this.proxy.delay(roundTrip.dividedBy(2));
		this.delay = roundTrip;
	}

	/**
	 * Whether the server's process is there.
	 * @return true also while it is frozen
	 */
	public boolean isRunning() {
		return this.server.isRunning();
	}

	/**
	 * Whether the server is frozen.
	 * @return whether it is
	 */
	public boolean isPaused() {
		return this.paused;
	}

	/**
	 * What is added to a round trip.
	 * @return the time
	 */
	public Duration delay() {
		return this.delay;
	}

	@Override
	public void close() {
		this.proxy.close();
	}

}
