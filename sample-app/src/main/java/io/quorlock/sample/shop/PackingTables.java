package io.quorlock.sample.shop;

import java.time.Duration;

import org.springframework.stereotype.Service;

import io.quorlock.annotation.DistributedLock;

/**
 * Three tables at which orders are packed: a permit for each.
 */
@Service
public class PackingTables {

	/** The name of the lock. */
	public static final String LOCK = "packing-table";

	/** How many tables there are. */
	public static final int TABLES = 3;

	/**
	 * Pack an order at a free table.
	 * @param duration how long it takes
	 */
	@DistributedLock(name = LOCK, permits = TABLES, waitTime = "30s")
	public void pack(Duration duration) {
		Payment.pause(duration);
	}

}
