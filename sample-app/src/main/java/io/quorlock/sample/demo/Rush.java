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
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

import io.quorlock.LockException;
import io.quorlock.sample.fleet.Instance;
import io.quorlock.sample.shop.Seller;
import io.quorlock.sample.shop.SoldOutException;

/**
 * Many buyers at all instances at once. Each of them buys one piece after another.
 */
final class Rush {

	private final List<Thread> buyers = new ArrayList<>();

	private final AtomicBoolean over = new AtomicBoolean();

	private final AtomicInteger sold = new AtomicInteger();

	private final AtomicInteger failed = new AtomicInteger();

	private final CountDownLatch start = new CountDownLatch(1);

	private final AtomicLong startedNanos = new AtomicLong();

	private final Duration pause;

	/**
	 * Create the buyers.
	 * @param instances where they buy
	 * @param type the type of the service that sells
	 * @param sku what they buy
	 * @param buyersEach how many there are at each instance
	 * @param pause of a buyer between two purchases
	 */
	Rush(List<Instance> instances, Class<? extends Seller> type, String sku, int buyersEach, Duration pause) {
		this.pause = pause;
		for (Instance instance : instances) {
			Seller seller = instance.seller(type);
			for (int i = 1; i <= buyersEach; i++) {
				String buyer = instance.name() + "-buyer-" + i;
				Thread thread = new Thread(() -> buy(seller, sku, buyer), buyer);
				thread.setDaemon(true);
				this.buyers.add(thread);
			}
		}
	}

	Rush start() {
		this.buyers.forEach(Thread::start);
		this.startedNanos.set(System.nanoTime());
		this.start.countDown();
		return this;
	}

	/** Wait until everything is sold. */
	Duration await() throws InterruptedException {
		for (Thread buyer : this.buyers) {
			buyer.join();
		}
		return Duration.ofNanos(System.nanoTime() - this.startedNanos.get());
	}

	/** Stop the buyers. */
	void stop() throws InterruptedException {
		this.over.set(true);
		await();
	}

	int sold() {
		return this.sold.get();
	}

	/** How often a purchase failed although pieces were left. */
	int failed() {
		return this.failed.get();
	}

	private void buy(Seller seller, String sku, String buyer) {
		try {
			this.start.await();
			while (!this.over.get()) {
				buyOne(seller, sku, buyer);
				Thread.sleep(this.pause.toMillis());
			}
		}
		catch (SoldOutException ex) {
			// The end of this buyer.
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	private void buyOne(Seller seller, String sku, String buyer) {
		try {
			seller.sell(sku, buyer);
			this.sold.incrementAndGet();
		}
		catch (LockException ex) {
			this.failed.incrementAndGet();
		}
	}

}
