package io.quorlock.sample.shop;

import java.time.Duration;

import org.springframework.stereotype.Service;

import io.quorlock.LockMode;
import io.quorlock.annotation.DistributedLock;

/**
 * Prices that many read at the same time, and that one rewrites alone.
 */
@Service
public class PriceList {

	/** The name of the lock. */
	public static final String LOCK = "price-list";

	/**
	 * Read the prices, beside other readers.
	 * @param duration how long it takes
	 */
	@DistributedLock(name = LOCK, mode = LockMode.SHARED, waitTime = "30s")
	public void read(Duration duration) {
		Payment.pause(duration);
	}

	/**
	 * Rewrite the prices, alone.
	 * @param duration how long it takes
	 */
	@DistributedLock(name = LOCK, waitTime = "30s")
	public void rewrite(Duration duration) {
		Payment.pause(duration);
	}

}
