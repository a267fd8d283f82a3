package io.quorlock.sample.shop;

import java.time.Duration;

import org.springframework.stereotype.Service;

import io.quorlock.annotation.DistributedLock;

/**
 * A counter that serves one customer at a time, in the order of asking.
 */
@Service
public class PickupCounter {

	/** The name of the lock. */
	public static final String LOCK = "pickup-counter";

	/**
	 * Serve a customer.
	 * @param duration how long it takes
	 */
	@DistributedLock(name = LOCK, fair = true, waitTime = "30s")
	public void serve(Duration duration) {
		Payment.pause(duration);
	}

}
