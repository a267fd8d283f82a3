package io.quorlock.redis.client;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import io.quorlock.engine.EngineClock;

/**
 * One thread that looks after all nodes of a group every now and then, while any of them
 * is started.
 */
final class NodeTicker implements Runnable {

	private static final Log logger = LogFactory.getLog(NodeTicker.class);

	private static final long PERIOD_NANOS = Duration.ofMillis(250).toNanos();

	private final Set<JedisLockNode> nodes = ConcurrentHashMap.newKeySet();

	private final EngineClock clock;

	private @Nullable Thread thread;

	NodeTicker(EngineClock clock) {
		this.clock = clock;
	}

	synchronized void add(JedisLockNode node) {
		this.nodes.add(node);
		if (this.thread == null) {
			Thread thread = new Thread(this, "quorlock-nodes");
			thread.setDaemon(true);
			thread.start();
			this.thread = thread;
		}
	}

	synchronized void remove(JedisLockNode node) {
		this.nodes.remove(node);
		if (this.nodes.isEmpty() && this.thread != null) {
			LockSupport.unpark(this.thread);
			this.thread = null;
		}
	}

	@Override
	public void run() {
		while (isCurrent()) {
			long now = this.clock.nanoTime();
			this.nodes.forEach((node) -> tick(node, now));
			LockSupport.parkNanos(this, PERIOD_NANOS);
		}
	}

	private static void tick(JedisLockNode node, long now) {
		try {
			node.tick(now);
		}
		catch (RuntimeException | Error ex) {
			logger.error("Looking after lock node " + node.name() + " failed", ex);
		}
	}

	private synchronized boolean isCurrent() {
		return this.thread == Thread.currentThread();
	}

}
