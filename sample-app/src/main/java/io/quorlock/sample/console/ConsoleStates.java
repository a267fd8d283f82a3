package io.quorlock.sample.console;

import java.util.List;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.stereotype.Component;

import io.quorlock.engine.LockInspector;
import io.quorlock.leader.LeaderElection;
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

	private final boolean sellable;

	private final VisitLog visits;

	private final Warehouse warehouse;

	private final Buyers buyers;

	private final Scenes scenes;

	private final @Nullable LeaderElection election;

	ConsoleStates(LockInspector inspector, NodeViews nodes, FleetLocks locks, ObjectProvider<Controls> controls,
			VisitLog visits, Warehouse warehouse, Buyers buyers, Scenes scenes,
			ObjectProvider<LeaderElection> election) {
		this.inspector = inspector;
		this.nodes = nodes;
		this.locks = locks;
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
				this.nodes.nodes(status), NodeViews.groups(status, locks), locks, this.scenes.running(), recent,
				this.warehouse.stocks(), this.visits.overlaps(), this.visits.unguardedOverlaps(), this.buyers.kind(),
				leaders());
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
