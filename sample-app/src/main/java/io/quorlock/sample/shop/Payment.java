package io.quorlock.sample.shop;

import java.time.Duration;

import org.springframework.stereotype.Component;

/**
 * Takes some time for the payment, between the check of the stock and the write. This
 * opens the window for the race.
 */
@Component
public class Payment {

	private volatile Duration duration = Duration.ofMillis(2);

	/**
	 * Set how long a payment takes.
	 * @param duration the time
	 */
	public void setDuration(Duration duration) {
		this.duration = duration;
	}

	void take() {
		pause(this.duration);
	}

	static void pause(Duration duration) {
		try {
			Thread.sleep(duration.toMillis());
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IllegalStateException("Interrupted while a sale was under way", ex);
		}
	}

}
