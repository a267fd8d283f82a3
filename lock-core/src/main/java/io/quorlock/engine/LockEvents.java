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
import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.stream.Collectors;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import io.quorlock.LockAtRiskEvent;
import io.quorlock.LockException;
import io.quorlock.LockLostEvent;
import io.quorlock.LockRequest;
import io.quorlock.LockUnavailableException;
import io.quorlock.LogText;
import io.quorlock.engine.event.LockListener;
import io.quorlock.engine.event.LockListener.Event;
import io.quorlock.engine.event.RequestObservation;

/**
 * Reports what happens to locks to the listeners, to the observers of their requests, to
 * the holders and in the log, and runs the code of users on threads that they may block
 * (R15). Each listener is notified in order, so that one that blocks delays only itself.
 */
final class LockEvents {

	private static final Log logger = LogFactory.getLog(LockEvents.class);

	private static final int QUEUE_SIZE = 10_000;

	private static final int MAX_NAMES = 10;

	private final Executor executor;

	private final Map<Event, List<Channel>> channels = new EnumMap<>(Event.class);

	LockEvents(List<? extends LockListener> listeners, Executor executor) {
		this.executor = executor;
		List<Channel> all = new ArrayList<>();
		listeners.forEach((listener) -> all.add(new Channel(listener, executor, new ArrayBlockingQueue<>(QUEUE_SIZE))));
		for (Event event : Event.values()) {
			this.channels.put(event,
					all.stream().filter((channel) -> channel.listener.events().contains(event)).toList());
		}
	}

	/** Run the code of a user. */
	void run(Runnable code) {
		try {
			this.executor.execute(code);
		}
		catch (RejectedExecutionException | OutOfMemoryError ex) {
			// Shut down, or no more threads: no other thread would run it.
			Trampoline.run(code);
		}
	}

	/** Return a stage that completes on a thread that users may block. */
	<T extends @Nullable Object> CompletableFuture<T> completeOnThread(CompletionStage<T> stage) {
		CompletableFuture<T> result = new CompletableFuture<>();
		stage.whenComplete((value, ex) -> run(() -> {
			if (ex != null) {
				result.completeExceptionally(ex);
			}
			else {
				result.complete(value);
			}
		}));
		return result;
	}

	/** Run the code of a user, which must not throw, on this thread. */
	static void runHere(Object what, Runnable code) {
		try {
			code.run();
		}
		catch (RuntimeException | Error ex) {
			logger.error(what + " failed; mend it: it must not throw", ex);
		}
	}

	void waiting(LockRequest request) {
		notify(Event.WAITING, (listener) -> listener.onWaiting(request));
	}

	void acquired(LockCall call, Handle handle) {
		if (logger.isDebugEnabled()) {
			logger.debug("Lock '%s' was acquired after %d ms and %d attempt(s)".formatted(LogText.names(handle.names()),
					call.waited().toMillis(), call.attempts()));
		}
		if (isObserved(Event.ACQUIRED)) {
			Duration waited = call.waited();
			int attempts = call.attempts();
			notify(Event.ACQUIRED, (listener) -> listener.onAcquired(call.request, handle, waited, attempts));
		}
	}

	void notAcquired(LockCall call, LockException failure) {
		logger.debug(failure.getMessage());
		Duration waited = call.waited();
		int attempts = call.attempts();
		notify(Event.NOT_ACQUIRED, (listener) -> listener.onNotAcquired(call.request,
				failure instanceof LockUnavailableException, waited, attempts));
	}

	void renewed(LockRequest request, boolean confirmed) {
		notify(Event.RENEWED, (listener) -> listener.onRenewed(request, confirmed));
	}

	void atRisk(LockRequest request, LockAtRiskEvent event) {
		notify(Event.AT_RISK, (listener) -> listener.onAtRisk(request, event));
	}

	void released(Holder left) {
		if (!left.end()) {
			return;
		}
		left.observed.ended(RequestObservation::onReleased);
		if (logger.isDebugEnabled()) {
			logger.debug("Lock '%s' was released after %d ms".formatted(LogText.names(left.request.names()),
					left.held().toMillis()));
		}
		if (isObserved(Event.RELEASED)) {
			Duration held = left.held();
			notify(Event.RELEASED, (listener) -> listener.onReleased(left.request, held));
		}
	}

	/**
	 * Report a loss to those of the holders whose end was not reported yet. The loss of
	 * an unused lease is not reported.
	 * @param longest who has held it for the longest time, to be logged; null if all
	 * leases end with the engine and are logged together
	 * @return whether there was a holder
	 */
	boolean lost(HeldLease lease, Collection<Holder> holders, @Nullable Holder longest, String reason) {
		List<Holder> losers = holders.stream().filter(Holder::end).toList();
		if (longest != null && !losers.isEmpty()) {
			logger.warn(
					"Lock '%s' was lost after %d ms: %s. The integrity of what it protects may be compromised: check it"
						.formatted(lease, longest.held().toMillis(), reason));
		}
		for (Holder loser : losers) {
			LockLostEvent event = new LockLostEvent(lease.names(), lease.grant.owner(), loser.held(), reason);
			notify(Event.LOST, (listener) -> listener.onLost(loser.request, event));
			loser.lost(event);
		}
		return !losers.isEmpty();
	}

	/** Log which leases ended with the engine. */
	static void logStopped(List<String> leases) {
		if (leases.isEmpty()) {
			return;
		}
		String names = leases.stream()
			.limit(MAX_NAMES)
			.map((lease) -> "'" + lease + "'")
			.collect(Collectors.joining(", "));
		int more = Math.max(0, leases.size() - MAX_NAMES);
		logger
			.warn(("The lock engine of this instance stopped while %d of its locks were held: %s%s. They were released; "
					+ "the integrity of what they protect may be compromised: check it, and let their work end before the stop")
				.formatted(leases.size(), names, (more > 0) ? " and " + more + " more" : ""));
	}

	private boolean isObserved(Event event) {
		return !this.channels.getOrDefault(event, List.of()).isEmpty();
	}

	private void notify(Event type, Consumer<LockListener> event) {
		this.channels.getOrDefault(type, List.of()).forEach((channel) -> channel.add(event));
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
					Consumer<LockListener> next = event;
					runHere("Lock listener " + this.listener, () -> next.accept(this.listener));
				}
				this.draining.set(false);
			}
			while (!this.events.isEmpty() && this.draining.compareAndSet(false, true));
		}

	}

}
