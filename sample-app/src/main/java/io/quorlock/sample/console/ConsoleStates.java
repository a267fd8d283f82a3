package io.quorlock.sample.console;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.stereotype.Component;

import io.quorlock.autoconfigure.LockBackend;
import io.quorlock.engine.LockInspector;
import io.quorlock.leader.LeaderElection;
import io.quorlock.quorum.node.LockNode;
import io.quorlock.sample.nodes.DemoNodes;
import io.quorlock.sample.shop.Warehouse;
import io.quorlock.sample.watch.NodeLatencies;
import io.quorlock.sample.watch.VisitLog;

/**
 * Creates the states that the page shows.
 */
@Component
class ConsoleStates {

	private final List<LockNode> nodes;

	private final Supplier<Map<String, String>> notes;

	private final LockInspector inspector;

	private final boolean sellable;

	private final @Nullable DemoNodes servers;

	private final NodeLatencies latencies;

	private final VisitLog visits;

	private final Warehouse warehouse;

	private final Buyers buyers;

	private final @Nullable LeaderElection election;

	ConsoleStates(LockBackend backend, LockInspector inspector, ObjectProvider<Controls> controls,
			ObjectProvider<DemoNodes> servers, NodeLatencies latencies, VisitLog visits, Warehouse warehouse,
			Buyers buyers, ObjectProvider<LeaderElection> election) {
		this.nodes = backend.nodes();
		this.notes = backend.notes();
		this.inspector = inspector;
		this.sellable = controls.getIfAvailable() != null;
		this.servers = servers.getIfAvailable();
		this.latencies = latencies;
		this.visits = visits;
		this.warehouse = warehouse;
		this.buyers = buyers;
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
		return new ConsoleState(Ticks.now(), this.servers != null, this.sellable, this.inspector.status().required(),
				nodes(), recent, this.warehouse.stocks(), this.visits.overlaps(), this.visits.unguardedOverlaps(),
				this.buyers.kind(), leaders());
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

	private List<NodeView> nodes() {
		List<NodeView> views = new ArrayList<>();
		if (this.nodes.isEmpty()) {
			String detail = this.notes.get().values().stream().findFirst().orElse("");
			return this.inspector.status()
				.nodes()
				.stream()
				.map((node) -> NodeView.of(node, detail, this.latencies.medianMillis(node.name())))
				.toList();
		}
		for (LockNode node : this.nodes) {
			views.add(NodeView.of(node, this.latencies.medianMillis(node.name()),
					(this.servers != null) ? this.servers.node(views.size()) : null));
		}
		return views;
	}

	long endedCount() {
		return this.visits.endedCount();
	}

}
