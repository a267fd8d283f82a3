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
