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

import java.util.List;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.ssl.SslBundle;

/**
 * The nodes of one group, connected to as all others are.
 */
final class GroupConnectionDetails implements LockConnectionDetails {

	private final LockConnectionDetails all;

	private final List<String> nodes;

	GroupConnectionDetails(LockConnectionDetails all, List<String> nodes) {
		this.all = all;
		this.nodes = nodes;
	}

	@Override
	public List<String> getNodes() {
		return this.nodes;
	}

	@Override
	public @Nullable String getUsername() {
		return this.all.getUsername();
	}

	@Override
	public @Nullable String getPassword() {
		return this.all.getPassword();
	}

	@Override
	public @Nullable SslBundle getSslBundle() {
		return this.all.getSslBundle();
	}

}
