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

package io.quorlock.autoconfigure.redis;

import java.util.List;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.util.StringUtils;

import io.quorlock.autoconfigure.LockConnectionDetails;
import io.quorlock.autoconfigure.LockProperties;
import io.quorlock.autoconfigure.LockSettingsFactory;

/**
 * Adapts {@link LockProperties} to {@link LockConnectionDetails}.
 */
record PropertiesLockConnectionDetails(LockProperties properties,
		@Nullable SslBundles sslBundles) implements LockConnectionDetails {

	@Override
	public List<String> getNodes() {
		return this.properties.nodes();
	}

	@Override
	public @Nullable String getUsername() {
		return textOrNull(this.properties.connection().username());
	}

	@Override
	public @Nullable String getPassword() {
		return textOrNull(this.properties.connection().password());
	}

	/** A placeholder may be replaced by nothing. */
	private static @Nullable String textOrNull(@Nullable String text) {
		return StringUtils.hasLength(text) ? text : null;
	}

	@Override
	public @Nullable SslBundle getSslBundle() {
		return LockSettingsFactory.sslBundle("distributed-lock.connection.ssl.bundle",
				this.properties.connection().ssl().bundle(), this.sslBundles);
	}

}
