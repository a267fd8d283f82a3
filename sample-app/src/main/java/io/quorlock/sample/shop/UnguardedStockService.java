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

/**
 * Sells without a lock: with the transaction alone, two buyers can read the same number.
 */
@Service
public class UnguardedStockService implements Seller {

	private final Warehouse warehouse;

	private final Payment payment;

	UnguardedStockService(Warehouse warehouse, Payment payment) {
		this.warehouse = warehouse;
		this.payment = payment;
	}

	@Override
	@Transactional
	public Order sell(String sku, String buyer) {
		int pieces = this.warehouse.pieces(sku);
		if (pieces == 0) {
			throw new SoldOutException(sku);
		}
		this.payment.take();
		this.warehouse.writeUnfenced(sku, pieces - 1);
		return this.warehouse.addOrder(sku, buyer, 0);
	}

}
