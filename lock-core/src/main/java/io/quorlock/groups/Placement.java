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

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

import org.jspecify.annotations.Nullable;

import io.quorlock.store.Claim;
import io.quorlock.store.LeaseStore;
import io.quorlock.store.StoreStatus;

/**
 * Where names are locked: in their group, and while they move in the group before as well
 * (R23).
 *
 * @param sharding which group a name belongs to
 * @param move the move to it, or {@code null}
 * @param groups the stores of all groups of both layouts
 */
record Placement(Sharding sharding, @Nullable Move move, SortedMap<String, LeaseStore> groups) {

	/** Return where names may have been locked, by the ids of the groups. */
	SortedMap<String, LeaseStore> storesOf(List<String> names) {
		SortedMap<String, LeaseStore> stores = new TreeMap<>();
		names.forEach((name) -> idsOf(name, true).forEach((id) -> stores.put(id, store(id))));
		return stores;
	}

	/** Return how a claim is made now: in the order of the ids of the groups. */
	Parts partsOf(Claim claim) {
		Move move = this.move;
		if (move == null) {
			return new Parts(parts(claim, false), false, null);
		}
		boolean moves = claim.names().stream().anyMatch((name) -> idsOf(name, true).size() > 1);
		boolean over = moves && move.isOver();
		return new Parts(parts(claim, moves && !over), moves && !over, over ? move : null);
	}

	private List<PartialClaim> parts(Claim claim, boolean joint) {
		if (claim.names().size() == 1 && !joint) {
			return List.of(new PartialClaim(store(this.sharding.groupOf(claim.names().get(0))), claim));
		}
		SortedMap<String, List<String>> names = new TreeMap<>();
		for (String name : claim.names()) {
			idsOf(name, joint).forEach((id) -> names.computeIfAbsent(id, (group) -> new ArrayList<>()).add(name));
		}
		List<PartialClaim> parts = new ArrayList<>(names.size());
		names.forEach((id, some) -> parts.add(new PartialClaim(store(id), claim.only(List.copyOf(some)))));
		return parts;
	}

	/** Return whether there may be names that can be locked now. */
	boolean isAnyAvailable(Map<String, StoreStatus> status) {
		Move move = this.move;
		return isAnyAvailable(this.sharding, status)
				&& (move == null || move.isOver() || isAnyAvailable(move.previous(), status));
	}

	private static boolean isAnyAvailable(Sharding sharding, Map<String, StoreStatus> status) {
		return sharding.ids().stream().anyMatch((id) -> {
			StoreStatus group = status.get(id);
			return group != null && group.available();
		});
	}

	private SortedSet<String> idsOf(String name, boolean joint) {
		SortedSet<String> ids = new TreeSet<>();
		ids.add(this.sharding.groupOf(name));
		if (this.move != null && joint) {
			ids.add(this.move.previous().groupOf(name));
		}
		return ids;
	}

	private LeaseStore store(String id) {
		LeaseStore store = this.groups.get(id);
		if (store == null) {
			throw new IllegalStateException("There is no group " + id);
		}
		return store;
	}

	/**
	 * What a claim asks for.
	 *
	 * @param list the parts, one for each group
	 * @param joint whether names are among them that are locked in two groups
	 * @param over the move that must be over when the lease is granted, since names that
	 * moved are locked in their new groups alone; {@code null} if there are none
	 */
	record Parts(List<PartialClaim> list, boolean joint, @Nullable Move over) {
	}

}
