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

package io.quorlock.sample.console;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import org.springframework.stereotype.Component;

import io.quorlock.engine.LockInspector;
import io.quorlock.sample.console.LockReports.Reports;
import io.quorlock.sample.console.LockViews.Place;
import io.quorlock.sample.console.LockViews.Snapshot;
import io.quorlock.sample.fleet.Fleet;
import io.quorlock.sample.shop.PackingTables;
import io.quorlock.sample.shop.PickupCounter;
import io.quorlock.sample.shop.PriceList;
import io.quorlock.sample.shop.Warehouse;
import io.quorlock.store.NodeState;
import io.quorlock.store.StoreStatus;

/**
 * The locks that the instances hold and wait for, and those they had before.
 */
@Component
class FleetLocks {

	private static final int MAX_KNOWN = 50;

	private static final String LEADERS = "leader:";

	/** In the order of their first use, so that nothing jumps on the page. */
	private final Set<String> known = new LinkedHashSet<>();

	private final Fleet fleet;

	private final LockInspector inspector;

	private final LockReports reports;

	FleetLocks(Fleet fleet, Warehouse warehouse, LockInspector inspector, LockReports reports) {
		this.fleet = fleet;
		this.inspector = inspector;
		this.reports = reports;
		warehouse.stocks().forEach((stock) -> this.known.add("stock:" + stock.sku()));
		this.known.addAll(List.of(PriceList.LOCK, PackingTables.LOCK, PickupCounter.LOCK));
	}

	/**
	 * Return the present state of all known names.
	 * @param status of the nodes
	 */
	List<LockView> views(StoreStatus status) {
		List<Snapshot> snapshots = this.fleet.running()
			.stream()
			.map((instance) -> new Snapshot(instance.name(), instance.inspector().held(),
					instance.inspector().waiting()))
			.toList();
		List<String> waitedFor = snapshots.stream()
			.flatMap((instance) -> instance.waiting().stream().flatMap((wait) -> wait.names().stream()))
			.distinct()
			.toList();
		this.reports.retain(waitedFor);
		return names(snapshots, waitedFor).stream()
			.map((name) -> LockViews.of(name, place(name, status), snapshots,
					waitedFor.contains(name) ? this.reports.of(name) : Reports.NONE))
			.toList();
	}

	/** All names in use, and some that were; those of leaders at the end. */
	private synchronized List<String> names(List<Snapshot> snapshots, List<String> waitedFor) {
		List<String> used = Stream
			.concat(snapshots.stream()
				.flatMap((instance) -> instance.held().stream())
				.flatMap((hold) -> hold.names().stream()), waitedFor.stream())
			.distinct()
			.sorted(Comparator.naturalOrder())
			.toList();
		this.known.addAll(used);
		List<String> idle = new ArrayList<>(this.known);
		idle.removeAll(used);
		idle.stream().limit(Math.max(0, this.known.size() - MAX_KNOWN)).forEach(this.known::remove);
		return this.known.stream().sorted(Comparator.comparing((name) -> name.startsWith(LEADERS))).toList();
	}

	private Place place(String name, StoreStatus status) {
		StoreStatus here = this.inspector.status(name);
		return new Place(groupOf(here, status), here.available(), here.required());
	}

	/** The group whose nodes the name has. */
	private static @Nullable String groupOf(StoreStatus here, StoreStatus all) {
		List<String> nodes = names(here);
		return all.groups()
			.entrySet()
			.stream()
			.filter((group) -> Objects.equals(names(group.getValue()), nodes))
			.map(Map.Entry::getKey)
			.findFirst()
			.orElse(null);
	}

	private static List<String> names(StoreStatus status) {
		return status.nodes().stream().map(NodeState::name).toList();
	}

}
