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

package io.quorlock.sample.demo;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.annotation.Profile;
import org.springframework.core.annotation.Order;
import org.springframework.stereotype.Component;

import io.quorlock.sample.fleet.Fleet;
import io.quorlock.sample.fleet.Instance;
import io.quorlock.sample.nodes.DemoNodes;
import io.quorlock.sample.shop.Stock;
import io.quorlock.sample.shop.StockService;
import io.quorlock.sample.shop.Warehouse;
import io.quorlock.sample.watch.VisitLog;

/**
 * Nodes are killed, restarted empty, paused and delayed while the sale goes on.
 */
@Component
@Order(2)
@Profile("chaos")
class ChaosAct implements Act {

	private static final String SKU = "sneaker";

	private static final int PIECES = 1_000_000;

	private static final int BUYERS_EACH = 4;

	private static final long PHASE_MILLIS = 2_000;

	private final Fleet fleet;

	private final Warehouse warehouse;

	private final StockService stock;

	private final VisitLog visits;

	private final ObjectProvider<DemoNodes> nodes;

	ChaosAct(Fleet fleet, Warehouse warehouse, StockService stock, VisitLog visits, ObjectProvider<DemoNodes> nodes) {
		this.fleet = fleet;
		this.warehouse = warehouse;
		this.stock = stock;
		this.visits = visits;
		this.nodes = nodes;
	}

	@Override
	public void play(Report report) throws InterruptedException {
		DemoNodes nodes = this.nodes.getIfAvailable();
		List<Instance> instances = this.fleet.instances();
		Nodes seen = Nodes.of(instances.get(0));
		if (nodes == null || nodes.nodes().size() < 5 || seen.isGrouped()) {
			report.title("No nodes are killed: this needs five nodes in one quorum that the sample has started itself");
			return;
		}
		report.title("%d buyers continue to buy while nodes fail".formatted(BUYERS_EACH * instances.size()));
		this.stock.restock(SKU, PIECES);
		long overlapsBefore = this.visits.overlaps();
		Rush rush = new Rush(instances, StockService.class, SKU, BUYERS_EACH, Duration.ofMillis(10)).start();
		Phases phases = new Phases(this.visits, rush, seen);
		phases.play("all nodes up", () -> Thread.sleep(PHASE_MILLIS));
		phases.play("2 nodes killed", () -> {
			nodes.node(0).stop();
			nodes.node(1).stop();
			Thread.sleep(PHASE_MILLIS);
		});
		phases.play("both back, empty, in quarantine", () -> {
			nodes.node(0).restartEmpty();
			nodes.node(1).restartEmpty();
			Thread.sleep(PHASE_MILLIS);
		});
		phases.play("quarantine ends", () -> {
			seen.awaitCounted(5, 10_000);
			Thread.sleep(PHASE_MILLIS / 2);
		});
		phases.play("1 node frozen", () -> {
			nodes.node(2).pause();
			Thread.sleep(PHASE_MILLIS);
			nodes.node(2).resume();
		});
		phases.play("1 node 300 ms away", () -> {
			nodes.node(3).delay(Duration.ofMillis(300));
			Thread.sleep(PHASE_MILLIS);
			nodes.node(3).delay(Duration.ZERO);
		});
		rush.stop();
		report.table(phases.rows());
		report.line("");
		Stock left = this.warehouse.stock(SKU);
		report.line("pieces gone: %d, orders: %d, two at once: %d", PIECES - left.pieces(), left.sold(),
				this.visits.overlaps() - overlapsBefore);
		this.stock.restock(SKU, 100);
	}

	/** What happens in a phase. */
	private interface Step {

		void run() throws InterruptedException;

	}

	private static final class Phases {

		private final List<List<String>> rows = new ArrayList<>(
				List.of(List.of("", "voting nodes", "sold", "failed", "wait p50", "p99")));

		private final VisitLog visits;

		private final Rush rush;

		private final Nodes nodes;

		Phases(VisitLog visits, Rush rush, Nodes nodes) {
			this.visits = visits;
			this.rush = rush;
			this.nodes = nodes;
		}

		void play(String name, Step step) throws InterruptedException {
			int sold = this.rush.sold();
			int failed = this.rush.failed();
			long started = System.nanoTime();
			step.run();
			Waits waits = Waits.since(this.visits, started);
			this.rows.add(List.of(name, this.nodes.countedOfAll(), String.valueOf(this.rush.sold() - sold),
					String.valueOf(this.rush.failed() - failed), waits.percentile(50), waits.percentile(99)));
		}

		List<List<String>> rows() {
			return this.rows;
		}

	}

}
