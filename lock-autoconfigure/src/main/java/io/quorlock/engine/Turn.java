package io.quorlock.engine;

import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;

import io.quorlock.LockMode;

/**
 * The present holders of a lease: one writer, or readers that share it (R17, R19). Each
 * hand-over begins another turn, with the next fencing token. No holder joins a turn once
 * its last one has left.
 */
final class Turn {

	private final LockMode mode;

	private final Holder first;

	/** In an order that does not depend on hash codes (R16). */
	private final Set<Holder> holders;

	private final AtomicInteger count;

	private Turn(LockMode mode, Collection<Holder> holders, int count) {
		this.mode = mode;
		this.first = holders.iterator().next();
		this.holders = (mode == LockMode.SHARED) ? Collections.synchronizedSet(new LinkedHashSet<>(holders))
				: Set.of(this.first);
		this.count = new AtomicInteger(count);
	}

	/** Create the turn of a single holder. */
	static Turn of(LockMode mode, Holder holder) {
		return new Turn(mode, List.of(holder), 1);
	}

	/** Create the turn of readers, which lasts until {@link #begun()} at least. */
	static Turn of(Collection<Holder> readers) {
		return new Turn(LockMode.SHARED, readers, readers.size() + 1);
	}

	/**
	 * All readers have been let in.
	 * @return whether all of them have left again
	 */
	boolean begun() {
		return this.count.decrementAndGet() == 0;
	}

	boolean isShared() {
		return this.mode == LockMode.SHARED;
	}

	boolean join(Holder reader) {
		return isShared() && this.count.getAndUpdate((count) -> (count > 0) ? count + 1 : 0) > 0
				&& this.holders.add(reader);
	}

	/** Return whether it was the last. */
	boolean leave(Holder holder) {
		if (isShared()) {
			this.holders.remove(holder);
		}
		return this.count.decrementAndGet() == 0;
	}

	/** A holder joined a lease that was lost meanwhile. */
	void forget(Holder holder) {
		this.holders.remove(holder);
	}

	Holder first() {
		return this.first;
	}

	/** Return how often the lease was handed over before. */
	int generation() {
		return this.first.generation();
	}

	Collection<Holder> holders() {
		if (!isShared()) {
			return (this.count.get() > 0) ? this.holders : List.of();
		}
		synchronized (this.holders) {
			return List.copyOf(this.holders);
		}
	}

	/** Return the holder that has held the lease for the longest time. */
	Holder longest() {
		Collection<Holder> holders = holders();
		return holders.isEmpty() ? this.first : holders.iterator().next();
	}

}
