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

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import io.quorlock.LockMode;
import io.quorlock.engine.LocalQueue.Member;
import io.quorlock.engine.LocalQueue.Waiter;
import io.quorlock.store.NameLocks;

/**
 * The threads of this process that want the same name queue up, first come first served;
 * only the head asks the store (R13). A queue is occupied by the request that asks, then
 * by the lease that it got, until that ends.
 * <p>
 * A request for several names takes its place in all queues in one step, and its turn is
 * when it is first in all of them. A place is not a hold: a nested request, whose call
 * holds a lock already, passes one that only waits for further names, and so does a
 * request that does not wait.
 * <p>
 * No request is notified under the locks of the names: the callers run those that were
 * admitted.
 *
 * @param <W> the type of the requests
 */
final class LocalQueues<W extends Waiter> {

	private final ConcurrentHashMap<String, LocalQueue<W>> queues = new ConcurrentHashMap<>();

	private final NameLocks locks = new NameLocks();

	/**
	 * Occupy the queues of a request if they are free.
	 * @param waiter the request
	 * @param wait whether to take a place otherwise
	 * @param joins joins a lease that the request may share, or that is unused; called
	 * for each occupant if no request waits in front
	 * @return the member in the way, or the lease that was joined, or null if the queues
	 * are occupied now
	 * @throws IllegalArgumentException if others use a name with permits, and the request
	 * without, or the other way round
	 */
	@Nullable Member enter(W waiter, boolean wait, Predicate<Member> joins) {
		return this.<@Nullable Member>locked(waiter, (queues) -> {
			boolean passes = !wait || waiter.isNested();
			boolean used = false;
			for (LocalQueue<W> queue : queues) {
				if (!queue.isEmpty()) {
					queue.checkKind(waiter);
					used = true;
				}
			}
			Member blocking = used ? blocking(waiter, queues, passes) : null;
			if (used && !queues.get(0).occupants().isEmpty() && waitersInFront(waiter, queues, passes) == null) {
				for (Member occupant : queues.get(0).occupants()) {
					if (joins.test(occupant)) {
						return occupant;
					}
				}
			}
			for (LocalQueue<W> queue : queues) {
				if (blocking == null) {
					queue.occupy(waiter);
				}
				else if (wait) {
					queue.add(waiter);
				}
			}
			return blocking;
		});
	}

	private @Nullable Member blocking(Member member, List<LocalQueue<W>> queues, boolean passes) {
		for (LocalQueue<W> queue : queues) {
			Member occupant = queue.occupantBefore(member);
			if (occupant != null) {
				return occupant;
			}
		}
		return waitersInFront(member, queues, passes);
	}

	/**
	 * A reader does not pass a waiting writer, since readers that come and go without a
	 * wait would starve it (R19); unless its call holds a lock already, or the writer
	 * only waits for further names (R13).
	 */
	private @Nullable Member waitersInFront(Member member, List<LocalQueue<W>> queues, boolean passes) {
		for (LocalQueue<W> queue : queues) {
			Member first = queue.first();
			boolean writer = first != null && first.mode() == LockMode.EXCLUSIVE && member.mode() == LockMode.SHARED
					&& !queue.occupants().isEmpty() && !(member instanceof Waiter waiter && waiter.isNested());
			if (first != null && (!passes || writer)) {
				return first;
			}
		}
		return null;
	}

	/**
	 * A request was granted its lease, in its place or, without one, beside the others.
	 */
	void replace(Member before, Member after) {
		locked(after, (queues) -> {
			queues.forEach((queue) -> queue.replace(before, after));
			return true;
		});
	}

	/**
	 * Leave the queues.
	 * @return the requests that occupy them now, and have to be run
	 */
	List<W> leave(Member member) {
		Set<W> candidates = locked(member, (queues) -> {
			Set<W> found = Set.of(); // unless a request waits
			for (LocalQueue<W> queue : queues) {
				if (queue.hasWaiters()) {
					found = found.isEmpty() ? new LinkedHashSet<>(2) : found;
					queue.remove(member, found);
				}
				else {
					queue.vacate(member);
				}
			}
			return found;
		});
		return candidates.isEmpty() ? List.of() : admit(candidates);
	}

	/** Run the requests whose turn has come. */
	static void run(List<? extends Waiter> admitted) {
		admitted.forEach((waiter) -> Trampoline.run(waiter::onTurn));
	}

	/**
	 * Those of the candidates that are first in all of their queues occupy them; behind a
	 * reader others may follow, and behind one that has left meanwhile.
	 */
	private List<W> admit(Set<W> candidates) {
		Set<W> admitted = new LinkedHashSet<>(2);
		while (!candidates.isEmpty()) {
			W candidate = candidates.iterator().next();
			candidates.remove(candidate);
			locked(candidate, (queues) -> {
				boolean turn = queues.stream().allMatch((queue) -> queue.isTurnOf(candidate));
				if (turn) {
					queues.forEach((queue) -> queue.admit(candidate));
					admitted.add(candidate);
				}
				// Behind a candidate for one name, no others were looked for yet.
				if (turn || queues.size() == 1) {
					queues.forEach((queue) -> queue.addCandidates(candidates));
				}
				return turn;
			});
		}
		return List.copyOf(admitted);
	}

	/**
	 * Take the requests that are next out of the queue of a lease's only name, to pass
	 * the lease on to them: a writer, or all readers in front of the next writer.
	 * @param lease the occupant
	 * @param eligible whether the lease suits a waiter
	 * @return the waiters, none if the lease does not suit the first
	 */
	List<W> takeNext(Member lease, Predicate<? super W> eligible) {
		return locked(lease, (queues) -> {
			LocalQueue<W> queue = queues.get(0);
			boolean occupied = queues.size() == 1 && queue.occupants().contains(lease);
			return occupied ? queue.takeNext(eligible) : List.of();
		});
	}

	/**
	 * Some of the occupants' queues may have room for others now.
	 * @return the requests that occupy them now, and have to be run
	 */
	List<W> admitBeside(Member occupant) {
		return admit(locked(occupant, (queues) -> {
			Set<W> candidates = new LinkedHashSet<>(2);
			queues.forEach((queue) -> queue.addCandidates(candidates));
			return candidates;
		}));
	}

	/** Return the occupants of the queues of a member: each of them once. */
	Set<Member> occupants(Member member) {
		return locked(member, (queues) -> {
			Set<Member> occupants = new LinkedHashSet<>();
			queues.forEach((queue) -> occupants.addAll(queue.occupants()));
			return occupants;
		});
	}

	/** Return whether a request waits in the queue of a name. */
	boolean hasWaiters(String name) {
		LocalQueue<W> queue = this.queues.get(name);
		return queue != null && queue.hasWaiters();
	}

	/** Return the member in the way of a request that waits, or null if there is none. */
	@Nullable Member inFrontOf(W waiter) {
		return this.<@Nullable Member>locked(waiter, (queues) -> {
			Member occupant = blocking(waiter, queues, true);
			for (LocalQueue<W> queue : queues) {
				W first = queue.first();
				if (occupant == null && first != waiter) {
					occupant = first;
				}
			}
			return occupant;
		});
	}

	/** Return all occupants; one of several queues more than once. */
	Stream<Member> occupants() {
		return this.queues.values().stream().flatMap((queue) -> queue.occupants().stream());
	}

	private <T extends @Nullable Object> T locked(Member member, Function<List<LocalQueue<W>>, T> task) {
		List<String> names = member.names();
		long locked = this.locks.lock(names);
		try {
			List<LocalQueue<W>> found = (names.size() == 1) ? List.of(queue(names.get(0)))
					: names.stream().map(this::queue).toList();
			try {
				return task.apply(found);
			}
			finally {
				for (LocalQueue<W> queue : found) {
					queue.removeIfEmpty(this.queues);
				}
			}
		}
		finally {
			this.locks.unlock(locked);
		}
	}

	private LocalQueue<W> queue(String name) {
		return this.queues.computeIfAbsent(name, LocalQueue<W>::new);
	}

}
