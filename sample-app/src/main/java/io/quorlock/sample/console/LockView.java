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

package io.quorlock.sample.console;

import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * One name, with all its holders and waiters.
 *
 * @param name the name
 * @param kind {@code exclusive}, {@code shared} or {@code permits}
 * @param permits how many permits there are, 0 without permits
 * @param fair whether requests are served in the order of asking
 * @param group the group that the name lives in, {@code null} without groups
 * @param available whether a quorum votes there
 * @param holders its holders
 * @param waiters its waiters, next first where there is an order
 * @param elsewhere the owner that the nodes report and that is no instance of the fleet
 */
record LockView(String name, String kind, int permits, boolean fair, @Nullable String group, boolean available,
		List<Holder> holders, List<Waiter> waiters, @Nullable String elsewhere) {

	/**
	 * A holder of the name.
	 *
	 * @param instance the instance
	 * @param thread the thread that asked for it
	 * @param mode {@code exclusive} or {@code shared}
	 * @param permit the number of the permit, 0 without permits
	 * @param token the fencing token, as text, since it exceeds the precision of
	 * JavaScript numbers
	 * @param held since when, in milliseconds
	 * @param remaining for how long it is certainly held from now on, in milliseconds
	 * @param nodes how many nodes confirmed it
	 */
	record Holder(String instance, String thread, String mode, int permit, @Nullable String token, double held,
			double remaining, int nodes) {

	}

	/**
	 * A waiter for the name.
	 *
	 * @param position from 1; 0 if no order is promised
	 * @param instance the instance
	 * @param thread the thread that asks for it
	 * @param mode {@code exclusive} or {@code shared}
	 * @param waited since when, in milliseconds
	 * @param ticket whether the nodes keep a ticket of the request
	 * @param local whether another thread of its instance is before it, so that it does
	 * not ask the nodes yet
	 */
	record Waiter(int position, String instance, String thread, String mode, double waited, boolean ticket,
			boolean local) {

	}

}
