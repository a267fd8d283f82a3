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

import java.util.LinkedHashMap;
import java.util.Map;

import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Properties as an application sets them, and how bad ones are refused.
 */
public final class TestProperties {

	private TestProperties() {
	}

	/** Names without the prefix, each followed by its value. */
	public static LockProperties bind(String... properties) {
		Map<String, String> map = new LinkedHashMap<>();
		for (int i = 0; i < properties.length; i += 2) {
			map.put("distributed-lock." + properties[i], properties[i + 1]);
		}
		return new Binder(new MapConfigurationPropertySource(map)).bindOrCreate("distributed-lock",
				LockProperties.class);
	}

	/** Each failure says which property is wrong, why, and what to do. */
	public static void assertRefused(ThrowingCallable call, String property, String value, String reason,
			String action) {
		assertThatExceptionOfType(InvalidLockConfigurationException.class).isThrownBy(call)
			.withMessage("Invalid configuration property '%s' with value '%s': %s".formatted(property, value, reason))
			.satisfies((failure) -> assertThat(failure.getAction()).isEqualTo(action));
	}

}
