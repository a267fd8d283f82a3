/**
 * Which request of this process gets a lock: requests, local queues, hand-over, holders,
 * handles and listeners. Whether this process gets a lease is the concern of a
 * {@link io.quorlock.store.LeaseStore}; the engine knows neither votes nor Spring nor
 * Redis.
 * <p>
 * Lock order: the {@code LocalQueue}s of several names are locked in the order of the
 * names, and nothing else under them. Nothing is locked under an {@code Acquisition}. No
 * lock is held while a store, a listener or another acquisition is called, since each may
 * call back before it returns. {@code LockOrderTests} runs the engine and the quorum with
 * locks that check this.
 */
@NullMarked
package io.quorlock.engine;

import org.jspecify.annotations.NullMarked;
