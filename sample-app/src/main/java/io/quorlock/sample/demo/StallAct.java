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
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

import org.springframework.stereotype.Component;

import io.quorlock.fencing.StaleFencingTokenException;
import io.quorlock.sample.fleet.Fleet;
import io.quorlock.sample.fleet.Instance;
import io.quorlock.sample.shop.Order;
import io.quorlock.sample.shop.StallingStockService;
import io.quorlock.sample.shop.Stock;
import io.quorlock.sample.shop.StockService;
import io.quorlock.sample.shop.Warehouse;
import io.quorlock.sample.watch.VisitLog;

/**
 * A holder stalls for longer than its lease; another one sells meanwhile. Then the first
 * resumes and writes stale data.
 */
@Component
@org.springframework.core.annotation.Order(3)
class StallAct implements Act {

	private static final String SKU = "watch";

	private static final int PIECES = 10;

	private final Fleet fleet;

	private final Warehouse warehouse;

	private final StockService stock;

	private final VisitLog visits;

	StallAct(Fleet fleet, Warehouse warehouse, StockService stock, VisitLog visits) {
		this.fleet = fleet;
		this.warehouse = warehouse;
		this.stock = stock;
		this.visits = visits;
	}

	@Override
	public void play(Report report) throws InterruptedException {
		report.title("A holder stalls for %s, its lease is %s".formatted(Report.seconds(StallingStockService.STALL),
				Report.seconds(StallingStockService.LEASE)));
		List<Instance> instances = this.fleet.instances();
		Instance first = instances.get(0);
		Instance second = instances.get(1);
		this.stock.restock(SKU, PIECES);
		long started = System.nanoTime();
		CompletableFuture<Order> stalled = CompletableFuture
			.supplyAsync(() -> first.seller(StallingStockService.class).sell(SKU, "Ada"));
		awaitHolder();
		say(report, started, "%s sells to Ada: it has read %d pieces, and stalls".formatted(first.name(), PIECES));
		Order order = second.seller(StockService.class).sell(SKU, "Bob");
		say(report, started, "%s sells to Bob with token %d: the lease of %s had run out".formatted(second.name(),
				order.fencingToken(), first.name()));
		try {
			stalled.join();
			say(report, started, first.name() + " sold to Ada, too");
		}
		catch (CompletionException ex) {
			boolean refused = ex.getCause() instanceof StaleFencingTokenException;
			say(report, started, "%s resumes and writes %d pieces: %s. %s".formatted(first.name(), PIECES - 1,
					refused ? "refused" : "it fails", ex.getCause()));
		}
		Stock left = this.warehouse.stock(SKU);
		say(report, started, "pieces left: %d, orders: %d".formatted(left.pieces(), left.sold()));
	}

	/** Wait until the stalling holder is inside. */
	private void awaitHolder() throws InterruptedException {
		while (this.visits.open().stream().noneMatch((visit) -> visit.sku().equals(SKU) && visit.isLocked())) {
			Thread.sleep(10);
		}
	}

	private static void say(Report report, long startedNanos, String text) {
		Duration since = Duration.ofNanos(System.nanoTime() - startedNanos);
		report.line("%6s  %s", Report.seconds(since), text);
	}

}
