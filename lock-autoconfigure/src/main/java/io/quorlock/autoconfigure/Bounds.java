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

import org.springframework.format.annotation.DurationFormat.Style;
import org.springframework.format.datetime.standard.DurationFormatterUtils;

import io.quorlock.LockRequest;

/**
 * Checks of {@link LockProperties}, named without their prefix.
 */
final class Bounds {

	/** A century: longer durations, added to a clock, would overflow. */
	private static final Duration MAX = LockRequest.UNLIMITED_WAIT;

	private Bounds() {
	}

	static void notNegative(String property, Duration value) {
		require(!value.isNegative(), property, text(value), "it must not be negative", "Use a duration of 0 or more.");
		notTooLong(property, value);
	}

	static void positive(String property, Duration value) {
		require(value.compareTo(Duration.ofMillis(1)) >= 0, property, text(value),
				"it must be at least one millisecond", "Use a longer duration.");
		notTooLong(property, value);
	}

	private static void notTooLong(String property, Duration value) {
		require(value.compareTo(MAX) <= 0, property, text(value), "it must not exceed %d days".formatted(MAX.toDays()),
				"Use a shorter duration.");
	}

	static void atLeast(int min, String property, int value) {
		require(value >= min, property, String.valueOf(value), "it must be at least " + min,
				"Use " + min + " or more.");
	}

	static void require(boolean condition, String property, @Nullable String value, String reason, String action) {
		InvalidLockConfigurationException.require(condition, LockProperties.PREFIX + property, value, reason, action);
	}

	static String text(Duration duration) {
		return DurationFormatterUtils.print(duration, Style.COMPOSITE);
	}

}
