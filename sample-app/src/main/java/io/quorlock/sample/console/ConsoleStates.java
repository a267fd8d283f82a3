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

import java.util.List;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.stereotype.Component;

import io.quorlock.engine.LockInspector;
import io.quorlock.leader.LeaderElection;
import io.quorlock.sample.fleet.Fleet;
import io.quorlock.sample.fleet.Instance;
import io.quorlock.sample.shop.Warehouse;
import io.quorlock.sample.watch.VisitLog;
import io.quorlock.store.StoreStatus;

/**
 * Creates the states that the page shows.
 */
@Component
class ConsoleStates {

	private final LockInspector inspector;

	private final NodeViews nodes;

	private final FleetLocks locks;

	private final Fleet fleet;

	private final boolean sellable;

	private final VisitLog visits;

	private final Warehouse warehouse;

	private final Buyers buyers;

	private final Scenes scenes;

	private final @Nullable LeaderElection election;

	ConsoleStates(LockInspector inspector, NodeViews nodes, FleetLocks locks, Fleet fleet,
			ObjectProvider<Controls> controls, VisitLog visits, Warehouse warehouse, Buyers buyers, Scenes scenes,
			ObjectProvider<LeaderElection> election) {
		this.inspector = inspector;
		this.nodes = nodes;
		this.locks = locks;
		this.fleet = fleet;
		this.sellable = controls.getIfAvailable() != null;
		this.visits = visits;
		this.warehouse = warehouse;
		this.buyers = buyers;
		this.scenes = scenes;
		this.election = election.getIfAvailable();
	}

	/**
	 * Return the present state.
	 * @param endedBefore how many ended visits the page has received
	 */
	ConsoleState since(long endedBefore) {
		List<VisitView> recent = Stream
			.concat(this.visits.endedSince(endedBefore).stream(), this.visits.open().stream())
			.map(VisitView::of)
			.toList();
		StoreStatus status = this.inspector.status();
		List<LockView> locks = this.locks.views(status);
		return new ConsoleState(Ticks.now(), this.nodes.areControllable(), this.sellable, status.required(),
				instances(), this.nodes.nodes(status), NodeViews.groups(status, locks), locks, this.scenes.running(),
				recent, this.warehouse.stocks(), this.visits.overlaps(), this.visits.unguardedOverlaps(),
				this.buyers.kind(), leaders());
	}

	private List<String> instances() {
		return this.fleet.running().stream().map(Instance::name).toList();
	}

	private List<LeaderView> leaders() {
		if (this.election == null) {
			return List.of();
		}
		LeaderElection election = this.election;
		return election.roles()
			.stream()
			.sorted()
			.map((role) -> new LeaderView(role, election.currentLeader(role).orElse(null)))
			.toList();
	}

	long endedCount() {
		return this.visits.endedCount();
	}

}
