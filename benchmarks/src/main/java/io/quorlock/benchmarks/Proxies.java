package io.quorlock.benchmarks;

import java.time.Duration;
import java.util.List;

import io.quorlock.embedded.EmbeddedRedis;
import io.quorlock.embedded.LoopbackProxy;

/**
 * A proxy in front of each node, which adds 1 ms in each direction.
 */
final class Proxies implements AutoCloseable {

	private static final int DISTANCE_MILLIS = 1;

	private final List<LoopbackProxy> proxies;

	private Proxies(List<LoopbackProxy> proxies) {
		this.proxies = proxies;
		heal();
	}

	static Proxies before(EmbeddedRedis redis) {
		return new Proxies(redis.nodes().stream().map(LoopbackProxy::to).toList());
	}

	List<Integer> ports() {
		return this.proxies.stream().map(LoopbackProxy::port).toList();
	}

	void kill(int node) {
		this.proxies.get(node).cut();
	}

	void blackHole(int node) {
		this.proxies.get(node).blackhole();
	}

	void slowDown(int node, int millisEachWay) {
		this.proxies.get(node).delay(Duration.ofMillis(DISTANCE_MILLIS + millisEachWay));
	}

	void heal() {
		for (LoopbackProxy proxy : this.proxies) {
			proxy.restore();
			proxy.delay(Duration.ofMillis(DISTANCE_MILLIS));
		}
	}

	@Override
	public void close() {
		this.proxies.forEach(LoopbackProxy::close);
	}

}
