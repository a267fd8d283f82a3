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
