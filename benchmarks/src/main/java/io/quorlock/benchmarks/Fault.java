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

package io.quorlock.benchmarks;

import java.util.Locale;

/**
 * Faults of some of the five nodes. The first nodes are affected, since they are the
 * first to be asked.
 */
enum Fault {

	NONE(0, 0, 0), ONE_DEAD(1, 0, 0), ONE_BLACK_HOLED(0, 1, 0), ONE_SLOW(0, 0, 1), TWO_DEAD(2, 0, 0),
	TWO_BLACK_HOLED(0, 2, 0), TWO_SLOW(0, 0, 2), BLACK_HOLED_AND_SLOW(0, 1, 1);

	private static final int SLOWER_MILLIS = 25;

	private final int dead;

	private final int blackHoled;

	private final int slow;

	Fault(int dead, int blackHoled, int slow) {
		this.dead = dead;
		this.blackHoled = blackHoled;
		this.slow = slow;
	}

	String label() {
		return name().toLowerCase(Locale.ROOT).replace('_', '-');
	}

	void strike(Proxies proxies) {
		int node = 0;
		for (int i = 0; i < this.dead; i++) {
			proxies.kill(node++);
		}
		for (int i = 0; i < this.blackHoled; i++) {
			proxies.blackHole(node++);
		}
		for (int i = 0; i < this.slow; i++) {
			proxies.slowDown(node++, SLOWER_MILLIS);
		}
	}

}
