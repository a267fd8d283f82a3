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
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import io.quorlock.Api;
import io.quorlock.LockRequest;
import io.quorlock.engine.inspect.LockHold;
import io.quorlock.engine.inspect.LockListing;
import io.quorlock.engine.inspect.LockWait;
import io.quorlock.engine.inspect.RetainedLease;
import io.quorlock.store.Grant;
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

	private static final BiFunction<String, List<String>, @Nullable String> NAME = (baseName, names) -> names.get(0);

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
		return this.engine.settings.instanceId();
	}

	/**
	 * Return what this instance holds.
	 * @return the locks, sorted by name
	 */
	public List<LockHold> held() {
		return held(Integer.MAX_VALUE, NAME).entries();
	}

	/**
	 * Return the first locks that this instance holds. It takes a walk over all of them,
	 * on the calling thread and without a lock of the engine.
	 * @param limit how many at most
	 * @param label takes the name without the key, and the names with it, and returns
	 * what to sort by, or {@code null} to leave the lock out
	 * @return the locks
	 */
	public LockListing<LockHold> held(int limit, BiFunction<String, List<String>, @Nullable String> label) {
		return list(this.engine.leases()
			.stream()
			.filter(HeldLease::isHeld)
			.flatMap((lease) -> lease.holders()
				.stream()
				.map((holder) -> new Labelled<>(label.apply(holder.request.baseName(), lease.names()),
						() -> hold(lease, holder)))),
				limit);
	}

	/**
	 * Return the first leases that this instance keeps although they are unused.
	 * @param limit how many at most
	 * @param label as for {@link #held(int, BiFunction)}
	 * @return the leases
	 */
	public LockListing<RetainedLease> retained(int limit, BiFunction<String, List<String>, @Nullable String> label) {
		return list(this.engine.leases()
			.stream()
			.filter(HeldLease::isRetained)
			.map((lease) -> new Labelled<>(label.apply(lease.turn.first.request.baseName(), lease.names()),
					() -> retained(lease))),
				limit);
	}

	/**
	 * Return the first requests of this instance that wait.
	 * @param limit how many at most
	 * @param label as for {@link #held(int, BiFunction)}
	 * @return the requests
	 */
	public LockListing<LockWait> waiting(int limit, BiFunction<String, List<String>, @Nullable String> label) {
		return list(this.engine.acquisitions.stream()
			.map((wait) -> new Labelled<>(label.apply(wait.call.request.baseName(), wait.names()),
					() -> wait(wait.call))),
				limit);
	}

	private static LockHold hold(HeldLease lease, Holder holder) {
		Grant grant = lease.grant;
		long[] tokens = grant.tokens();
		Map<String, Long> byName = new TreeMap<>();
		for (int i = 0; tokens != null && i < lease.names().size(); i++) {
			byName.put(lease.names().get(i), tokens[i] + holder.turnNumber);
		}
		return new LockHold(lease.names(), holder.request.baseName(), grant.owner(), byName, lease.remaining(),
				grant.nodes(), holder.thread, holder.held(), holder.mode(), grant.permit(), holder.request.permits(),
				holder.request.isFair(), lease.isAtRisk());
	}

	private static LockWait wait(LockCall call) {
		return new LockWait(call.claim.names(), call.request.baseName(), call.thread, call.waited(), call.attempts(),
				call.request.mode(), call.request.permits(), call.request.isFair());
	}

	private static RetainedLease retained(HeldLease lease) {
		return new RetainedLease(lease.names().get(0), lease.turn.first.request.baseName(), lease.grant.owner(),
				lease.remaining(), lease.grant.nodes());
	}

	private static <T> LockListing<T> list(Stream<Labelled<T>> all, int limit) {
		return list(all.filter((each) -> each.label() != null), limit,
				Comparator.comparing((each) -> String.valueOf(each.label())), (each) -> each.description().get());
	}

	/**
	 * Describe the first alone: a hundred thousand locks cost a reader a walk, and no
	 * memory.
	 */
	static <S, T> LockListing<T> list(Stream<S> all, int limit, Comparator<S> order, Function<S, T> description) {
		PriorityQueue<S> first = new PriorityQueue<>(order.reversed());
		int total = 0;
		for (Iterator<S> each = all.iterator(); each.hasNext(); total++) {
			first.add(each.next());
			if (first.size() > limit) {
				first.remove();
			}
		}
		return new LockListing<>(first.stream().sorted(order).map(description).toList(), total);
	}

	/**
	 * What may be listed.
	 *
	 * @param label what it is sorted by, or {@code null} to leave it out
	 * @param description creates the entry
	 */
	private record Labelled<T>(@Nullable String label, Supplier<T> description) {
	}

	/**
	 * Return the leases that this instance keeps although they are unused.
	 * @return the leases, sorted by name
	 */
	public List<RetainedLease> retained() {
		return retained(Integer.MAX_VALUE, NAME).entries();
	}

	/**
	 * Return what this instance waits for.
	 * @return the requests, sorted by name
	 */
	public List<LockWait> waiting() {
		return waiting(Integer.MAX_VALUE, NAME).entries();
	}

	/**
	 * How many locks this instance holds.
	 * @return the number for each base name that it holds a lock of
	 */
	public Map<String, Integer> heldByBaseName() {
		return count(holders());
	}

	/**
	 * How many permits this instance holds.
	 * @return the number for each base name that it holds a permit of
	 */
	public Map<String, Integer> permitsByBaseName() {
		return count(holders().filter((request) -> request.permits() > 0));
	}

	/**
	 * How many requests of this instance are on their way to a lock.
	 * @return the number for each base name that one waits for
	 */
	public Map<String, Integer> waitingByBaseName() {
		return count(this.engine.acquisitions.stream().map((wait) -> wait.call.request));
	}

	private Stream<LockRequest> holders() {
		return this.engine.leases()
			.stream()
			.flatMap((lease) -> lease.holders().stream())
			.map((holder) -> holder.request);
	}

	private static Map<String, Integer> count(Stream<LockRequest> requests) {
		return requests.collect(Collectors.toMap(LockRequest::baseName, (request) -> 1, Integer::sum));
	}

	/**
	 * Return what is known of the store and its nodes.
	 * @return the status
	 */
	public StoreStatus status() {
		return this.engine.store.status();
	}

	/**
	 * Return what is known of the nodes that a lock is kept on.
	 * @param name the lock
	 * @return the status
	 */
	public StoreStatus status(String name) {
		return this.engine.store.status(List.of(check(name)));
	}

	@Override
	public CompletableFuture<List<NodeReport>> inspect(String name) {
		return this.engine.events.completeOnThread(this.engine.store.inspect(check(name)));
	}

	@Override
	public CompletableFuture<List<NodeReport>> forceRelease(String name) {
		return forceRelease(name, 0);
	}

	@Override
	public CompletableFuture<List<NodeReport>> forceRelease(String name, int permit) {
		return this.engine.events.completeOnThread(this.engine.store.forceRelease(check(name), permit));
	}

	@Override
	public CompletableFuture<Boolean> requestRelease(String name, Duration deadline) {
		Duration left = deadline.isNegative() ? Duration.ZERO : deadline;
		return this.engine.events.completeOnThread(this.engine.store.requestRelease(check(name), left));
	}

	private static String check(String name) {
		return LockRequest.of(name).names().get(0);
	}

}
