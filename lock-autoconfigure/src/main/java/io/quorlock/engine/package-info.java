/**
 * Who in this process gets a lock: requests, local queues, hand-over, holders, handles
 * and listeners. Whether this process gets a lease is the concern of a
 * {@link io.quorlock.store.LeaseStore}; the engine knows neither votes nor Spring nor
 * Redis.
 * <p>
 * Lock order: {@code LocalQueue} (those of several names in the order of the names),
 * {@code Acquisition}. No lock is held while a store, a listener or another acquisition
 * is called.
 */
@NullMarked
package io.quorlock.engine;

import org.jspecify.annotations.NullMarked;
