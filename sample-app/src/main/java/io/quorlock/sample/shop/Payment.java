package io.quorlock.sample.shop;

import java.time.Duration;

import org.springframework.stereotype.Component;

/**
 * Takes the money, which takes a moment. Between the check of the stock and the write,
 * that is all a race needs.
 */
@Component
public class Payment {

	private volatile Duration duration = Duration.ofMillis(2);

	/**
	 * How long a payment takes from now on.
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
