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
