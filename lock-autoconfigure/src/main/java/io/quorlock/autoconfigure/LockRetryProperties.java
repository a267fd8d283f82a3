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

import org.jspecify.annotations.Nullable;

/**
 * Properties of retries.
 *
 * @since 0.1.0
 */
public class LockRetryProperties {

	/**
	 * Shortest pause between two attempts.
	 */
	private Duration minDelay = Duration.ofMillis(50);

	/**
	 * Longest pause between two attempts.
	 */
	private Duration maxDelay = Duration.ofMillis(500);

	/**
	 * Maximum number of attempts to get a lock. Unlimited by default.
	 */
	private @Nullable Integer maxAttempts;

	public Duration getMinDelay() {
		return this.minDelay;
	}

	public void setMinDelay(Duration minDelay) {
		this.minDelay = minDelay;
	}

	public Duration getMaxDelay() {
		return this.maxDelay;
	}

	public void setMaxDelay(Duration maxDelay) {
		this.maxDelay = maxDelay;
	}

	public @Nullable Integer getMaxAttempts() {
		return this.maxAttempts;
	}

	public void setMaxAttempts(@Nullable Integer maxAttempts) {
		this.maxAttempts = maxAttempts;
	}

}
