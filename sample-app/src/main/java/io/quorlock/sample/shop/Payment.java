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
