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

package io.quorlock.sample.shop;

import java.time.Duration;

import org.springframework.stereotype.Service;

import io.quorlock.LockContext;
import io.quorlock.annotation.DistributedLock;

/**
 * Sells like {@link StockService}, but does not check its token before it reads, and
 * stalls then for longer than its lease, without renewing it, like a process that is
 * paused. When it resumes, it writes what it computed from stale data.
 */
@Service
public class StallingStockService implements Seller {

	/** The lease, which is not renewed. */
	public static final Duration LEASE = Duration.ofSeconds(1);

	/** How long it stalls. */
	public static final Duration STALL = Duration.ofMillis(2500);

	private final Warehouse warehouse;

	StallingStockService(Warehouse warehouse) {
		this.warehouse = warehouse;
	}

	@Override
	@DistributedLock(name = "stock", key = "#sku", leaseTime = "1s")
	public Order sell(String sku, String buyer) {
		int pieces = this.warehouse.pieces(sku);
		if (pieces == 0) {
			throw new SoldOutException(sku);
		}
		long token = LockContext.fencingToken();
		Payment.pause(STALL);
		return this.warehouse.order(sku, pieces - 1, buyer, token);
	}

}
