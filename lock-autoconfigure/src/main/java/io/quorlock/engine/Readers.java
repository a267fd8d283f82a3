package io.quorlock.engine;

import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Those who share a lease at present (R19). Nobody joins once the last has left.
 */
final class Readers {

	/** In an order that does not depend on hash codes (R16). */
	private final Set<Holder> holders = Collections.synchronizedSet(new LinkedHashSet<>(2));

	private final AtomicInteger count = new AtomicInteger();

	void addFirst(Holder holder) {
		this.count.set(1);
		this.holders.add(holder);
	}

	boolean join(Holder holder) {
		return this.count.getAndUpdate((count) -> (count > 0) ? count + 1 : 0) > 0 && this.holders.add(holder);
	}

	/** Return whether it was the last. */
	boolean leave(Holder holder) {
		this.holders.remove(holder);
		return this.count.decrementAndGet() == 0;
	}

	/** A holder joined a lease that was lost meanwhile. */
	void forget(Holder holder) {
		this.holders.remove(holder);
	}

	Collection<Holder> all() {
		synchronized (this.holders) {
			return List.copyOf(this.holders);
		}
	}

}
