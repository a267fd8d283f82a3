package io.quorlock.engine;

import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
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
import io.quorlock.engine.event.LockListener;

/**
 * Brings events to the listeners: in order for each of them, on a thread that is not the
 * engine's, so that one that blocks holds up only itself (R15).
 */
final class Listeners {

	private static final Log logger = LogFactory.getLog(Listeners.class);

	private static final int QUEUE_SIZE = 10_000;

	private final Map<Event, List<Channel>> channels = new EnumMap<>(Event.class);

	private final EngineClock clock;

	Listeners(List<? extends LockListener> listeners, Executor executor, EngineClock clock) {
		this.clock = clock;
		List<Channel> all = new ArrayList<>();
		listeners.forEach((listener) -> all.add(new Channel(listener, executor)));
		for (Event event : Event.values()) {
			this.channels.put(event, all.stream().filter((channel) -> event.concerns(channel.listener)).toList());
		}
	}

	void waiting(LockRequest request) {
		if (isHeard(Event.WAITING)) {
			tell(Event.WAITING, (listener) -> listener.onWaiting(request));
		}
	}

	void acquired(LockRequest request, LockHandle handle, long waitedNanos, int attempts) {
		if (isHeard(Event.ACQUIRED)) {
			tell(Event.ACQUIRED,
					(listener) -> listener.onAcquired(request, handle, Duration.ofNanos(waitedNanos), attempts));
		}
	}

	void notAcquired(Acquisition acquisition, LockException failure) {
		if (isHeard(Event.NOT_ACQUIRED)) {
			Duration waited = Duration.ofNanos(acquisition.waitedNanos());
			int attempts = acquisition.attempts();
			tell(Event.NOT_ACQUIRED, (listener) -> listener.onNotAcquired(acquisition.request(),
					failure instanceof LockUnavailableException, waited, attempts));
		}
	}

	void renewed(LockRequest request, boolean success) {
		if (isHeard(Event.RENEWED)) {
			tell(Event.RENEWED, (listener) -> listener.onRenewed(request, success));
		}
	}

	void released(LockRequest request, long sinceNanos) {
		if (isHeard(Event.RELEASED)) {
			Duration held = Duration.ofNanos(this.clock.nanoTime() - sinceNanos);
			tell(Event.RELEASED, (listener) -> listener.onReleased(request, held));
		}
	}

	void lost(LockRequest request, LockLostEvent event) {
		tell(Event.LOST, (listener) -> listener.onLost(request, event));
	}

	private boolean isHeard(Event event) {
		return !channels(event).isEmpty();
	}

	private void tell(Event event, Consumer<LockListener> told) {
		for (Channel channel : channels(event)) {
			channel.add(told);
		}
	}

	private List<Channel> channels(Event event) {
		return this.channels.getOrDefault(event, List.of());
	}

	/**
	 * A listener is not bothered with what it leaves to the default: with three events a
	 * cycle, the queue would cost more than many a listener.
	 */
	private enum Event {

		WAITING("onWaiting", LockRequest.class),

		ACQUIRED("onAcquired", LockRequest.class, LockHandle.class, Duration.class, int.class),

		NOT_ACQUIRED("onNotAcquired", LockRequest.class, boolean.class, Duration.class, int.class),

		RENEWED("onRenewed", LockRequest.class, boolean.class),

		RELEASED("onReleased", LockRequest.class, Duration.class),

		LOST("onLost", LockRequest.class, LockLostEvent.class);

		private final String method;

		private final Class<?>[] parameters;

		Event(String method, Class<?>... parameters) {
			this.method = method;
			this.parameters = parameters;
		}

		private boolean concerns(LockListener listener) {
			try {
				return listener.getClass()
					.getMethod(this.method, this.parameters)
					.getDeclaringClass() != LockListener.class;
			}
			catch (NoSuchMethodException | LinkageError ex) {
				return true; // a native image may not tell
			}
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
