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

package io.quorlock.autoconfigure;

import java.time.Duration;

/**
 * Properties of the local hand-over.
 *
 * @since 0.1.0
 */
public class LockHandoverProperties {

	/**
	 * Maximum number of turns that one grant serves within one instance. Readers that
	 * share the lease take one turn together. 0 to switch it off.
	 */
	private int max = 16;

	/**
	 * Time for which one grant may be handed on.
	 */
	private Duration maxDuration = Duration.ofMillis(50);

	public int getMax() {
		return this.max;
	}

	public void setMax(int max) {
		this.max = max;
	}

	public Duration getMaxDuration() {
		return this.maxDuration;
	}

	public void setMaxDuration(Duration maxDuration) {
		this.maxDuration = maxDuration;
	}

}
