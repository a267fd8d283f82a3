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

/**
 * Which request of this process gets a lock: requests, local queues, hand-over, holders,
 * handles and listeners. Whether this process gets a lease is the concern of a
 * {@link io.quorlock.store.LeaseStore}; the engine knows neither votes nor Spring nor
 * Redis.
 * <p>
 * Lock order, of this package and of the stores:
 * <ol>
 * <li>The {@code LocalQueue}s of several names, in the order of their {@code NameLocks}.
 * Under them, a request joins the {@code Turn} of readers, and the clock is read.
 * <li>All others are the last that a thread locks, apart from those of the clock and the
 * timer: {@code Acquisition}, {@code QuorumContender}, {@code AcquireRound} and
 * {@code Watchdog}, {@code GroupedContender}, and the monitors of {@code quorum}, of
 * {@code zookeeper} and of the drivers.
 * </ol>
 * No lock is held while a store, a node, a listener or another request is called, since
 * each may call back before it returns. {@code LockOrderTests} runs the engine and the
 * quorum with {@code ReentrantLock}s that check both.
 */
@Api(Api.Status.INTERNAL)
@NullMarked
package io.quorlock.engine;

import org.jspecify.annotations.NullMarked;

import io.quorlock.Api;
