package io.quorlock.core;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import io.quorlock.LockException;
import io.quorlock.LockHandle;
import io.quorlock.LockLostEvent;
import io.quorlock.LockRequest;
import io.quorlock.LockUnavailableException;

/**
 * Brings events to the listeners: in order for each of them, on a thread that is not the
 * engine's, so that one that blocks holds up only itself (R15).
 */
final class Listeners {

	private static final Log logger = LogFactory.getLog(Listeners.class);

	private static final int QUEUE_SIZE = 10_000;

	private final List<Channel> channels = new ArrayList<>();

	private final EngineClock clock;

	Listeners(List<? extends LockListener> listeners, Executor executor, EngineClock clock) {
		this.clock = clock;
		for (LockListener listener : listeners) {
			this.channels.add(new Channel(listener, executor));
		}
	}

	void waiting(LockRequest request) {
		if (!this.channels.isEmpty()) {
			tell((listener) -> listener.onWaiting(request));
		}
	}

	void acquired(LockRequest request, LockHandle handle, long waitedNanos, int attempts) {
		if (!this.channels.isEmpty()) {
			tell((listener) -> listener.onAcquired(request, handle, Duration.ofNanos(waitedNanos), attempts));
		}
	}

	void notAcquired(Acquisition acquisition, LockException failure) {
		if (!this.channels.isEmpty()) {
			Duration waited = Duration.ofNanos(acquisition.waitedNanos());
			int attempts = acquisition.attempts();
			tell((listener) -> listener.onNotAcquired(acquisition.request(),
					failure instanceof LockUnavailableException, waited, attempts));
		}
	}

	void renewed(LockRequest request, boolean success) {
		if (!this.channels.isEmpty()) {
			tell((listener) -> listener.onRenewed(request, success));
		}
	}

	void released(LockRequest request, long sinceNanos) {
		if (!this.channels.isEmpty()) {
			Duration held = Duration.ofNanos(this.clock.nanoTime() - sinceNanos);
			tell((listener) -> listener.onReleased(request, held));
		}
	}

	void lost(LockRequest request, LockLostEvent event) {
		tell((listener) -> listener.onLost(request, event));
	}

	private void tell(Consumer<LockListener> event) {
		for (Channel channel : this.channels) {
			channel.add(event);
		}
	}

	private static final class Channel implements Runnable {

		private final LockListener listener;

		private final Executor executor;

		private final ArrayBlockingQueue<Consumer<LockListener>> events = new ArrayBlockingQueue<>(QUEUE_SIZE);

		private final AtomicBoolean draining = new AtomicBoolean();

		private final AtomicLong dropped = new AtomicLong();

		private Channel(LockListener listener, Executor executor) {
			this.listener = listener;
			this.executor = executor;
		}

		void add(Consumer<LockListener> event) {
			if (!this.events.offer(event)) {
				if (this.dropped.getAndIncrement() % QUEUE_SIZE == 0) {
					logger.warn("Lock listener %s does not keep up: %,d events dropped so far".formatted(this.listener,
							this.dropped.get()));
				}
				return;
			}
			if (this.draining.compareAndSet(false, true)) {
				try {
					this.executor.execute(this);
				}
				catch (RejectedExecutionException | OutOfMemoryError ex) {
					// The event waits for the next one; what told of it goes on (R15).
					this.draining.set(false);
					logger.debug("No thread for lock listener " + this.listener, ex);
				}
			}
		}

		@Override
		public void run() {
			do {
				for (Consumer<LockListener> event = this.events.poll(); event != null; event = this.events.poll()) {
					try {
						event.accept(this.listener);
					}
					catch (RuntimeException | Error ex) {
						logger.error("Lock listener " + this.listener + " failed", ex);
					}
				}
				this.draining.set(false);
			}
			while (!this.events.isEmpty() && this.draining.compareAndSet(false, true));
		}

	}

}
