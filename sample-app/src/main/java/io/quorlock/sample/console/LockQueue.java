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

package io.quorlock.sample.console;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

import org.jspecify.annotations.Nullable;

import io.quorlock.engine.inspect.LockWait;
import io.quorlock.sample.console.LockView.Waiter;
import io.quorlock.store.NodeReport;

/**
 * Puts the requests for a name into the order in which they are to be served. The nodes
 * keep the order of those that left a ticket; the others stand behind them in the queue
 * of their instance, by the time for which they wait.
 */
final class LockQueue {

	/** The ticket has the same age as the request, but for when the two were read. */
	private static final Duration TOLERANCE = Duration.ofMillis(250);

	private LockQueue() {
	}

	/**
	 * Return the queue.
	 * @param requests the requests of all instances
	 * @param tickets the tickets of a node, next first
	 * @param ticketsAge how old the tickets' times are
	 * @param promised whether the kind of lock promises an order
	 */
	static List<Waiter> of(Collection<Request> requests, List<NodeReport.Waiter> tickets, Duration ticketsAge,
			boolean promised) {
		List<Request> queue = new ArrayList<>(requests);
		queue.sort(Comparator.comparing((Request request) -> request.waiting().waitedFor()).reversed());
		List<Request> ticketed = new ArrayList<>();
		for (NodeReport.Waiter ticket : tickets) {
			Request request = requestOf(ticket, ticketsAge, queue, ticketed);
			if (request != null) {
				ticketed.add(request);
			}
		}
		Set<Request> withTicket = new HashSet<>(ticketed);
		List<Waiter> waiters = new ArrayList<>();
		int next = 0;
		for (Request request : queue) {
			boolean ticket = withTicket.contains(request);
			// The places of those with tickets are divided among them by the nodes.
			Request here = ticket ? ticketed.get(next++) : request;
			waiters.add(waiter(promised ? waiters.size() + 1 : 0, here, ticket));
		}
		return waiters;
	}

	private static @Nullable Request requestOf(NodeReport.Waiter ticket, Duration ticketsAge, List<Request> queue,
			List<Request> taken) {
		Duration age = ticket.waiting().plus(ticketsAge);
		return queue.stream()
			.filter((request) -> !taken.contains(request))
			.filter((request) -> ticket.owner().startsWith(request.instance() + ":"))
			.filter((request) -> request.waiting().mode() == ticket.mode())
			.filter((request) -> request.differenceTo(age).compareTo(TOLERANCE) <= 0)
			.min(Comparator.comparing((request) -> request.differenceTo(age)))
			.orElse(null);
	}

	private static Waiter waiter(int position, Request request, boolean ticket) {
		LockWait wait = request.waiting();
		return new Waiter(position, request.instance(), wait.thread(), LockViews.mode(wait.mode()),
				LockViews.millis(wait.waitedFor()), ticket, wait.attempts() == 0);
	}

	/**
	 * A request of an instance.
	 *
	 * @param instance the instance
	 * @param waiting the request
	 */
	record Request(String instance, LockWait waiting) {

		Duration differenceTo(Duration age) {
			return waiting().waitedFor().minus(age).abs();
		}

	}

}
