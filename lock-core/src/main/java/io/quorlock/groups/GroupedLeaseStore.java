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

package io.quorlock.groups;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BiPredicate;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import io.quorlock.groups.GroupedContender.Part;
import io.quorlock.store.Claim;
import io.quorlock.store.Contender;
import io.quorlock.store.Grant;
import io.quorlock.store.LeaseStore;
import io.quorlock.store.NodeReport;
import io.quorlock.store.NodeState;
import io.quorlock.store.ReleaseResult;
import io.quorlock.store.StoreStatus;

/**
 * Several groups of nodes that share the names. A name is a matter of its group alone
 * (R23). Names of several groups are taken in the order of the ids of the groups, so that
 * no two claims wait for each other, and all of them or none.
 *
 * @since 0.1.0
 */
public final class GroupedLeaseStore implements LeaseStore {

	private final Sharding sharding;

	private final SortedMap<String, LeaseStore> groups;

	private final LongSupplier nanoTime;

	/**
	 * Create a store.
	 * @param sharding says which group a name belongs to
	 * @param groups the stores of all of its groups, by id
	 * @param nanoTime the clock of the engine, in nanoseconds
	 */
	public GroupedLeaseStore(Sharding sharding, Map<String, ? extends LeaseStore> groups, LongSupplier nanoTime) {
		this.sharding = sharding;
		this.groups = new TreeMap<>(groups);
		this.nanoTime = nanoTime;
	}

	@Override
	public void start() {
		this.groups.values().forEach(LeaseStore::start);
	}

	@Override
	public CompletionStage<@Nullable Void> stop() {
		return CompletableFuture.allOf(this.groups.values()
			.stream()
			.map((store) -> store.stop().toCompletableFuture())
			.toArray(CompletableFuture[]::new));
	}

	@Override
	public void close() {
		this.groups.values().forEach(LeaseStore::close);
	}

	@Override
	public void check(Claim claim) {
		partsOf(claim).forEach((part) -> part.store().check(part.claim()));
	}

	@Override
	public Contender contend(Claim claim, Contender.Listener listener) {
		List<Part> parts = partsOf(claim);
		return (parts.size() == 1) ? parts.get(0).store().contend(claim, listener)
				: new GroupedContender(claim, parts, this.nanoTime, listener);
	}

	/** Return what is claimed of each group, in the order of their ids. */
	private List<Part> partsOf(Claim claim) {
		if (claim.names().size() == 1) {
			return List.of(new Part(storeOf(claim.names().get(0)), claim));
		}
		SortedMap<String, List<String>> names = claim.names()
			.stream()
			.collect(Collectors.groupingBy(this.sharding::groupOf, TreeMap::new, Collectors.toUnmodifiableList()));
		return names.entrySet()
			.stream()
			.map((each) -> new Part(store(each.getKey()), claim.only(each.getValue())))
			.toList();
	}

	private LeaseStore storeOf(String name) {
		return store(this.sharding.groupOf(name));
	}

	private LeaseStore store(String id) {
		LeaseStore store = this.groups.get(id);
		if (store == null) {
			throw new IllegalStateException("There is no group " + id);
		}
		return store;
	}

	@Override
	public CompletionStage<ReleaseResult> release(Grant grant, Duration cooldown, @Nullable Contender next) {
		if (grant instanceof GroupedGrant || next instanceof GroupedContender) {
			CompletionStage<ReleaseResult> released = (grant instanceof GroupedGrant several)
					? several.release(cooldown) : storeOf(grant.names().get(0)).release(grant, cooldown, null);
			if (next != null) {
				next.start();
			}
			return released;
		}
		return storeOf(grant.names().get(0)).release(grant, cooldown, next);
	}

	/** Available if any name can be locked: those of other groups may not. */
	@Override
	public StoreStatus status() {
		return status(this.groups, Stream::anyMatch);
	}

	/** Available if all groups of the names are. */
	@Override
	public StoreStatus status(List<String> names) {
		SortedMap<String, LeaseStore> stores = new TreeMap<>();
		names.forEach((name) -> stores.put(this.sharding.groupOf(name), storeOf(name)));
		return (stores.size() == 1) ? stores.values().iterator().next().status() : status(stores, Stream::allMatch);
	}

	private static StoreStatus status(Map<String, LeaseStore> stores,
			BiPredicate<Stream<StoreStatus>, Predicate<StoreStatus>> available) {
		Map<String, StoreStatus> status = new LinkedHashMap<>();
		stores.forEach((id, store) -> status.put(id, store.status()));
		List<NodeState> nodes = status.values().stream().flatMap((group) -> group.nodes().stream()).toList();
		return new StoreStatus(available.test(status.values().stream(), StoreStatus::available),
				status.values().stream().mapToInt(StoreStatus::required).sum(), nodes, status);
	}

	@Override
	public CompletionStage<List<NodeReport>> inspect(String name) {
		return storeOf(name).inspect(name);
	}

	@Override
	public CompletionStage<List<NodeReport>> forceRelease(String name, int permit) {
		return storeOf(name).forceRelease(name, permit);
	}

	@Override
	public CompletionStage<Boolean> requestRelease(String name, Duration deadline) {
		return storeOf(name).requestRelease(name, deadline);
	}

}
