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

import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

import io.quorlock.LockContext;
import io.quorlock.annotation.DistributedLock;

/**
 * Sells under a lock: one instance at a time reads, checks and writes the stock of an
 * article. In addition, the row refuses a former holder.
 */
@Service
public class StockService implements Seller {

	private final Warehouse warehouse;

	private final Payment payment;

	StockService(Warehouse warehouse, Payment payment) {
		this.warehouse = warehouse;
		this.payment = payment;
	}

	@Override
	@DistributedLock(name = "stock", key = "#sku")
	public Order sell(String sku, String buyer) {
		long token = LockContext.fencingToken();
		// Before the read: from then on, a former holder's write is refused.
		this.warehouse.check(sku, token);
		int pieces = this.warehouse.pieces(sku);
		if (pieces == 0) {
			throw new SoldOutException(sku);
		}
		// No transaction is open here: it would keep the row locked during the payment. A
		// payment is to be given back if the order is refused.
		this.payment.take();
		return this.warehouse.order(sku, pieces - 1, buyer, token);
	}

	/**
	 * Set the stock of an article, and delete its orders.
	 * @param sku the article, new or known
	 * @param pieces how many there are now
	 */
	@DistributedLock(name = "stock", key = "#sku")
	@Transactional
	public void restock(String sku, int pieces) {
		this.warehouse.replace(sku, pieces, LockContext.fencingToken());
	}

}
