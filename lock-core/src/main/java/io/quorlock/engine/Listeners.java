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

package io.quorlock.engine;

import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import io.quorlock.LockAtRiskEvent;
import io.quorlock.LockException;
import io.quorlock.LockHandle;
import io.quorlock.LockLostEvent;
import io.quorlock.LockRequest;
import io.quorlock.LockUnavailableException;
import io.quorlock.LogText;
import io.quorlock.engine.event.LockListener;
import io.quorlock.engine.event.LockListener.Event;

/**
 * Notifies the listeners of events: in order for each of them, on a thread that is not
 * the engine's, so that a listener that blocks delays only itself (R15).
 */
final class Listeners {

	private static final Log logger = LogFactory.getLog(Listeners.class);

	private static final int QUEUE_SIZE = 10_000;

	private final Map<Event, List<Channel>> channels = new EnumMap<>(Event.class);

	Listeners(List<? extends LockListener> listeners, Executor executor) {
		List<Channel> all = new ArrayList<>();
		listeners.forEach((listener) -> all.add(new Channel(listener, executor, new ArrayBlockingQueue<>(QUEUE_SIZE))));
		for (Event event : Event.values()) {
			this.channels.put(event,
					all.stream().filter((channel) -> channel.listener.events().contains(event)).toList());
		}
	}

	void waiting(LockRequest request) {
		if (isObserved(Event.WAITING)) {
			notify(Event.WAITING, (listener) -> listener.onWaiting(request));
		}
	}

	/** Return whether a listener or the log takes acquired locks. */
	boolean reportAcquired() {
		return isObserved(Event.ACQUIRED) || logger.isDebugEnabled();
	}

	void acquired(LockRequest request, LockHandle handle, Duration waited, int attempts) {
		if (logger.isDebugEnabled()) {
			log("Lock '%s' was acquired after %d ms and %d attempt(s)".formatted(LogText.names(handle.names()),
					waited.toMillis(), attempts));
		}
		if (isObserved(Event.ACQUIRED)) {
			notify(Event.ACQUIRED, (listener) -> listener.onAcquired(request, handle, waited, attempts));
		}
	}

	void notAcquired(LockRequest request, LockException failure, Duration waited, int attempts) {
		log(String.valueOf(failure.getMessage()));
		if (isObserved(Event.NOT_ACQUIRED)) {
			notify(Event.NOT_ACQUIRED, (listener) -> listener.onNotAcquired(request,
					failure instanceof LockUnavailableException, waited, attempts));
		}
	}

	void renewed(LockRequest request, boolean success) {
		if (isObserved(Event.RENEWED)) {
			notify(Event.RENEWED, (listener) -> listener.onRenewed(request, success));
		}
	}

	/** Return whether a listener or the log takes released locks. */
	boolean reportReleased() {
		return isObserved(Event.RELEASED) || logger.isDebugEnabled();
	}

	void atRisk(LockRequest request, LockAtRiskEvent event) {
		if (isObserved(Event.AT_RISK)) {
			notify(Event.AT_RISK, (listener) -> listener.onAtRisk(request, event));
		}
	}

	void released(LockRequest request, Duration held) {
		if (logger.isDebugEnabled()) {
			log("Lock '%s' was released after %d ms".formatted(LogText.names(request.names()), held.toMillis()));
		}
		if (isObserved(Event.RELEASED)) {
			notify(Event.RELEASED, (listener) -> listener.onReleased(request, held));
		}
	}

	void lost(LockRequest request, LockLostEvent event) {
		notify(Event.LOST, (listener) -> listener.onLost(request, event));
	}

	private static void log(String message) {
		if (logger.isDebugEnabled()) {
			logger.debug(message);
		}
	}

	private boolean isObserved(Event event) {
		return !channels(event).isEmpty();
	}

	private void notify(Event type, Consumer<LockListener> event) {
		for (Channel channel : channels(type)) {
			channel.add(event);
		}
	}

	private List<Channel> channels(Event event) {
		return this.channels.getOrDefault(event, List.of());
	}

	/** The events of one listener. */
	static final class Channel implements Runnable {

		private final LockListener listener;

		private final Executor executor;

		private final Queue<Consumer<LockListener>> events;

		private final AtomicBoolean draining = new AtomicBoolean();

		private final AtomicLong dropped = new AtomicLong();

		Channel(LockListener listener, Executor executor, Queue<Consumer<LockListener>> events) {
			this.listener = listener;
			this.executor = executor;
			this.events = events;
		}

		void add(Consumer<LockListener> event) {
			if (!this.events.offer(event)) {
				if (this.dropped.getAndIncrement() % QUEUE_SIZE == 0) {
					logger.warn(
							"Lock listener %s does not keep up: %,d events dropped so far. Let it hand longer work to another thread"
								.formatted(this.listener, this.dropped.get()));
				}
				return;
			}
			if (this.draining.compareAndSet(false, true)) {
				try {
					this.executor.execute(this);
				}
				catch (RejectedExecutionException | OutOfMemoryError ex) {
					// The event waits for the next one; the engine goes on (R15).
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
						logger.error("Lock listener " + this.listener + " failed; mend it: it must not throw", ex);
					}
				}
				this.draining.set(false);
			}
			while (!this.events.isEmpty() && this.draining.compareAndSet(false, true));
		}

	}

}
