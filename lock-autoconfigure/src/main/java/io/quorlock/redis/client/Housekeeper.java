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
 * One thread that does what is due for all nodes of a list, while any of them is started.
 */
final class Housekeeper implements Runnable {

	private static final Log logger = LogFactory.getLog(Housekeeper.class);

	private static final long PERIOD_NANOS = Duration.ofMillis(250).toNanos();

	private final Set<JedisLockNode> nodes = ConcurrentHashMap.newKeySet();

	private final Set<JedisLockNode> failed = ConcurrentHashMap.newKeySet();

	private final EngineClock clock;

	private @Nullable Thread thread;

	Housekeeper(EngineClock clock) {
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
			try {
				long now = this.clock.nanoTime();
				this.nodes.forEach((node) -> keep(node, now));
			}
			catch (Throwable ex) {
				logger.error("Housekeeping of lock nodes failed", ex);
			}
			LockSupport.parkNanos(this, PERIOD_NANOS);
		}
	}

	private void keep(JedisLockNode node, long now) {
		try {
			node.keep(now);
			this.failed.remove(node);
		}
		catch (Throwable ex) {
			// Nothing ends this thread, and nothing is logged four times a second.
			if (this.failed.add(node)) {
				logger.error("Housekeeping of lock node " + node.name() + " failed", ex);
			}
		}
	}

	private synchronized boolean isCurrent() {
		return this.thread == Thread.currentThread();
	}

}
