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

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import org.springframework.beans.factory.DisposableBean;
import org.springframework.stereotype.Component;

import io.quorlock.sample.fleet.Fleet;
import io.quorlock.sample.fleet.Instance;
import io.quorlock.sample.shop.Seller;
import io.quorlock.sample.shop.SoldOutException;
import io.quorlock.sample.shop.StockService;
import io.quorlock.sample.shop.UnguardedStockService;
import io.quorlock.sample.shop.Warehouse;

/**
 * A few buyers, slow enough to be watched. When everything is sold, they restock and
 * continue.
 */
@Component
class Buyers implements DisposableBean {

	static final String SKU = "sneaker";

	private static final int EACH = 3;

	private static final Duration PAYMENT = Duration.ofMillis(120);

	private static final int DELIVERY = 100;

	/** Until then, the page shows how much was sold. */
	private static final Duration RESTOCK_AFTER = Duration.ofSeconds(3);

	private static final Duration NORMAL_PAYMENT = Duration.ofMillis(2);

	private final List<Thread> threads = new ArrayList<>();

	private final Fleet fleet;

	private final StockService stock;

	private final Warehouse warehouse;

	private volatile String kind = "none";

	Buyers(Fleet fleet, StockService stock, Warehouse warehouse) {
		this.fleet = fleet;
		this.stock = stock;
		this.warehouse = warehouse;
	}

	/** The kind of buyers: {@code none}, {@code locked} or {@code unguarded}. */
	String kind() {
		return this.kind;
	}

	synchronized void start(boolean locked) {
		stop();
		Class<? extends Seller> type = locked ? StockService.class : UnguardedStockService.class;
		for (Instance instance : this.fleet.instances()) {
			instance.payment().setDuration(PAYMENT);
			for (int i = 1; i <= EACH; i++) {
				Seller seller = instance.seller(type);
				String name = instance.name() + "-buyer-" + i;
				this.threads.add(new Thread(() -> buy(seller, name), name));
			}
		}
		this.threads.forEach((thread) -> {
			thread.setDaemon(true);
			thread.start();
		});
		this.kind = locked ? "locked" : "unguarded";
	}

	synchronized void stop() {
		if (this.threads.isEmpty()) {
			return;
		}
		this.threads.forEach(Thread::interrupt);
		this.threads.clear();
		this.fleet.instances().forEach((instance) -> instance.payment().setDuration(NORMAL_PAYMENT));
		this.kind = "none";
	}

	@Override
	public void destroy() {
		stop();
	}

	private void buy(Seller seller, String buyer) {
		while (!Thread.currentThread().isInterrupted()) {
			try {
				buyOne(seller, buyer);
				Thread.sleep(150);
			}
			catch (RuntimeException ex) {
				// For example without a lock: the page shows it, and the buyer tries
				// again.
			}
			catch (InterruptedException ex) {
				return;
			}
		}
	}

	private void buyOne(Seller seller, String buyer) throws InterruptedException {
		try {
			seller.sell(SKU, buyer);
		}
		catch (SoldOutException ex) {
			Thread.sleep(RESTOCK_AFTER.toMillis());
			restock();
		}
	}

	private synchronized void restock() {
		if (this.warehouse.pieces(SKU) == 0) {
			this.stock.restock(SKU, DELIVERY);
		}
	}

}
