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
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

import io.quorlock.Api;
import io.quorlock.LockRequest;
import io.quorlock.store.NodeReport;
import io.quorlock.store.StoreStatus;

/**
 * Reports to operators which locks are held, which requests wait, and what the nodes say
 * of a name, and does what they ask for.
 *
 * @since 0.1.0
 */
@Api(Api.Status.EXTENSION)
public final class LockInspector implements LockOperations {

	private final LockEngine engine;

	/**
	 * Create an inspector.
	 * @param engine the engine to look into
	 */
	public LockInspector(LockEngine engine) {
		this.engine = engine;
	}

	/**
	 * Return the instance.
	 * @return the readable owner, with which the token of every lock that it holds begins
	 */
	public String instanceId() {
		return this.engine.settings().instanceId();
	}

	/**
	 * Return what this instance holds.
	 * @return the locks, those held longest first
	 */
	public List<LockHold> held() {
		return this.engine.leases()
			.stream()
			.filter(HeldLease::isHeld)
			.flatMap((lease) -> lease.holders().stream().map((holder) -> LockHold.of(lease, holder)))
			.sorted(Comparator.comparing(LockHold::heldFor).reversed())
			.toList();
	}

	/**
	 * Return a page of what this instance holds. It takes a walk over all locks, on the
	 * calling thread and without a lock of the engine.
	 * @param request which page
	 * @return the locks, those held longest first
	 */
	public LockPage<LockHold> held(LockPageRequest request) {
		PageSelection<LockHold> selection = new PageSelection<>(request, now());
		for (HeldLease lease : this.engine.leases()) {
			if (lease.isHeld()) {
				for (Holder holder : lease.holders()) {
					if (selection.matches(holder.request().baseName(), lease.names())) {
						selection.add(holder.sinceNanos(), () -> LockHold.of(lease, holder));
					}
				}
			}
		}
		return selection.page();
	}

	/**
	 * Return a page of the leases that this instance keeps although they are unused.
	 * @param request which page
	 * @return the leases, those that were taken first before the others
	 */
	public LockPage<RetainedLease> retained(LockPageRequest request) {
		PageSelection<RetainedLease> selection = new PageSelection<>(request, now());
		for (HeldLease lease : this.engine.leases()) {
			Holder last = lease.turn().first();
			if (lease.isRetained() && selection.matches(last.request().baseName(), lease.names())) {
				selection.add(last.sinceNanos(), () -> RetainedLease.of(lease));
			}
		}
		return selection.page();
	}

	/**
	 * Return a page of what this instance waits for.
	 * @param request which page
	 * @return the requests, those that wait longest first
	 */
	public LockPage<LockWait> waiting(LockPageRequest request) {
		PageSelection<LockWait> selection = new PageSelection<>(request, now());
		for (Acquisition acquisition : this.engine.acquisitions()) {
			PendingRequest wait = acquisition.request();
			if (selection.matches(wait.caller().request().baseName(), wait.claim().names())) {
				selection.add(wait.claim().queuedAtNanos(), wait::describe);
			}
		}
		return selection.page();
	}

	private long now() {
		return this.engine.clock().nanoTime();
	}

	/**
	 * Return the leases that this instance keeps although they are unused.
	 * @return the leases, sorted by name
	 */
	public List<RetainedLease> retained() {
		return this.engine.leases()
			.stream()
			.filter(HeldLease::isRetained)
			.map(RetainedLease::of)
			.sorted(Comparator.comparing(RetainedLease::name))
			.toList();
	}

	/**
	 * Return what this instance waits for.
	 * @return the requests, those that wait longest first
	 */
	public List<LockWait> waiting() {
		return this.engine.acquisitions()
			.stream()
			.map((acquisition) -> acquisition.request().describe())
			.sorted(Comparator.comparing(LockWait::waitedFor).reversed())
			.toList();
	}

	/**
	 * How many locks this instance holds.
	 * @return the number for each base name that it holds a lock of
	 */
	public Map<String, Integer> heldByBaseName() {
		Map<String, Integer> counts = new HashMap<>();
		this.engine.leases()
			.forEach((lease) -> lease.holders()
				.forEach((holder) -> counts.merge(holder.request().baseName(), 1, Integer::sum)));
		return counts;
	}

	/**
	 * How many permits this instance holds.
	 * @return the number for each base name that it holds a permit of
	 */
	public Map<String, Integer> permitsByBaseName() {
		Map<String, Integer> counts = new HashMap<>();
		this.engine.leases()
			.stream()
			.flatMap((lease) -> lease.holders().stream())
			.filter((holder) -> holder.request().permits() > 0)
			.forEach((holder) -> counts.merge(holder.request().baseName(), 1, Integer::sum));
		return counts;
	}

	/**
	 * How many requests of this instance are on their way to a lock.
	 * @return the number for each base name that one waits for
	 */
	public Map<String, Integer> waitingByBaseName() {
		Map<String, Integer> counts = new HashMap<>();
		this.engine.acquisitions()
			.forEach((wait) -> counts.merge(wait.request().caller().request().baseName(), 1, Integer::sum));
		return counts;
	}

	/**
	 * Return what is known of the store and its nodes.
	 * @return the status
	 */
	public StoreStatus status() {
		return this.engine.store().status();
	}

	/**
	 * Return what is known of the nodes that a lock is kept on.
	 * @param name the lock
	 * @return the status
	 */
	public StoreStatus status(String name) {
		return this.engine.store().status(List.of(check(name)));
	}

	@Override
	public CompletableFuture<List<NodeReport>> inspect(String name) {
		return this.engine.callbacks().completeOnThread(this.engine.store().inspect(check(name)));
	}

	@Override
	public CompletableFuture<List<NodeReport>> forceRelease(String name) {
		return forceRelease(name, 0);
	}

	@Override
	public CompletableFuture<List<NodeReport>> forceRelease(String name, int permit) {
		return this.engine.callbacks().completeOnThread(this.engine.store().forceRelease(check(name), permit));
	}

	@Override
	public CompletableFuture<Boolean> requestRelease(String name, Duration deadline) {
		return this.engine.callbacks().completeOnThread(this.engine.store().requestRelease(check(name), deadline));
	}

	private static String check(String name) {
		return LockRequest.of(name).names().get(0);
	}

}
