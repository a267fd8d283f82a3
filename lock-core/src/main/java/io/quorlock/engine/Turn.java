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

import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;

import org.jspecify.annotations.Nullable;

import io.quorlock.LockMode;

/**
 * The present holders of a lease: one writer, or readers that share it (R17, R19). Each
 * hand-over begins another turn, with the next fencing token. No holder joins a turn once
 * its last one has left.
 */
final class Turn {

	private static final AtomicIntegerFieldUpdater<Turn> COUNT = AtomicIntegerFieldUpdater.newUpdater(Turn.class,
			"count");

	final Holder first;

	/** In an order that does not depend on hash codes (R16); null for a writer. */
	private volatile @Nullable Set<Holder> readers;

	private volatile int count;

	private Turn(Holder first, @Nullable Set<Holder> readers, int count) {
		this.first = first;
		this.readers = readers;
		this.count = count;
	}

	/** Create the turn of a single holder. */
	static Turn of(LockMode mode, Holder holder) {
		return new Turn(holder, (mode == LockMode.SHARED) ? set(List.of(holder)) : null, 1);
	}

	private static Set<Holder> set(Collection<Holder> readers) {
		return Collections.synchronizedSet(new LinkedHashSet<>(readers));
	}

	/** Create the turn of readers, which lasts until {@link #begun()} at least. */
	static Turn of(Collection<Holder> readers) {
		return new Turn(readers.iterator().next(), set(readers), readers.size() + 1);
	}

	/**
	 * Turn a writer into a reader, whom others may join. They count together: if the
	 * writer leaves at the same time, nobody joins what is about to be released.
	 * @return false if it is one already
	 */
	synchronized boolean downgrade() {
		if (isShared()) {
			return false;
		}
		this.readers = set(List.of(this.first));
		return true;
	}

	/**
	 * All readers have been let in.
	 * @return whether all of them have left again
	 */
	boolean begun() {
		return COUNT.decrementAndGet(this) == 0;
	}

	boolean isShared() {
		return this.readers != null;
	}

	boolean join(Holder reader) {
		Set<Holder> present = this.readers;
		return present != null && COUNT.getAndUpdate(this, (count) -> (count > 0) ? count + 1 : 0) > 0
				&& present.add(reader);
	}

	/** Return whether it was the last. */
	boolean leave(Holder holder) {
		forget(holder);
		return COUNT.decrementAndGet(this) == 0;
	}

	/** A holder joined a lease that was lost meanwhile. */
	void forget(Holder holder) {
		Set<Holder> present = this.readers;
		if (present != null) {
			present.remove(holder);
		}
	}

	/** Return how often the lease was handed over before. */
	int number() {
		return this.first.turnNumber;
	}

	Collection<Holder> holders() {
		Set<Holder> present = this.readers;
		if (present == null) {
			return (this.count > 0) ? List.of(this.first) : List.of();
		}
		synchronized (present) {
			return List.copyOf(present);
		}
	}

	/** Return the holder that has held the lease for the longest time. */
	Holder longest() {
		Collection<Holder> holders = holders();
		return holders.isEmpty() ? this.first : holders.iterator().next();
	}

}
