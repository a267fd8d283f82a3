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

import org.springframework.core.annotation.Order;
import org.springframework.stereotype.Component;

import io.quorlock.sample.fleet.Fleet;
import io.quorlock.sample.fleet.Instance;
import io.quorlock.sample.shop.Seller;
import io.quorlock.sample.shop.Stock;
import io.quorlock.sample.shop.StockService;
import io.quorlock.sample.shop.UnguardedStockService;
import io.quorlock.sample.shop.Warehouse;
import io.quorlock.sample.watch.VisitLog;

/**
 * The same rush twice: without the lock, and with it.
 */
@Component
@Order(1)
class RushAct implements Act {

	private static final String SKU = "sneaker";

	private static final int PIECES = 100;

	private static final int BUYERS_EACH = 12;

	private final Fleet fleet;

	private final Warehouse warehouse;

	private final StockService stock;

	private final VisitLog visits;

	RushAct(Fleet fleet, Warehouse warehouse, StockService stock, VisitLog visits) {
		this.fleet = fleet;
		this.warehouse = warehouse;
		this.stock = stock;
		this.visits = visits;
	}

	@Override
	public void play(Report report) throws InterruptedException {
		List<Instance> instances = this.fleet.instances();
		report.title(
				"%d buyers at %d instances (%s, %s), %d pieces of one article".formatted(BUYERS_EACH * instances.size(),
						instances.size(), instances.get(0).name(), instances.get(1).name(), PIECES));
		List<List<String>> rows = new ArrayList<>();
		rows.add(List.of("", "sold", "oversold", "two at once", "wait p50", "p99", "longest", "time", "nodes used"));
		rows.add(row("without a lock", UnguardedStockService.class, instances, "none"));
		rows.add(
				row("with @DistributedLock", StockService.class, instances, Nodes.of(instances.get(0)).countedOfAll()));
		report.table(rows);
	}

	private List<String> row(String name, Class<? extends Seller> type, List<Instance> instances, String nodes)
			throws InterruptedException {
		this.stock.restock(SKU, PIECES);
		long started = System.nanoTime();
		long overlapsBefore = overlaps();
		Duration time = new Rush(instances, type, SKU, BUYERS_EACH, Duration.ZERO).start().await();
		Stock left = this.warehouse.stock(SKU);
		Waits waits = Waits.since(this.visits, started);
		return List.of(name, String.valueOf(left.sold()), String.valueOf(left.oversold()),
				String.valueOf(overlaps() - overlapsBefore), waits.percentile(50), waits.percentile(99),
				waits.longest(), Report.seconds(time), nodes);
	}

	private long overlaps() {
		return this.visits.overlaps() + this.visits.unguardedOverlaps();
	}

}
