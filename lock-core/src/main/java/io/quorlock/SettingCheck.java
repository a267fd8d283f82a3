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

package io.quorlock;

/**
 * Checks the values of settings when they are built.
 *
 * @since 0.1.0
 */
@Api(Api.Status.INTERNAL)
public final class SettingCheck {

	private SettingCheck() {
	}

	/**
	 * Check a value.
	 * @param valid whether it is in range
	 * @param component what it is, for the message
	 * @param value the value
	 * @throws IllegalArgumentException if it is not valid
	 */
	public static void check(boolean valid, String component, Object value) {
		if (!valid) {
			throw new IllegalArgumentException("Invalid %s: %s".formatted(component, value));
		}
	}

}
