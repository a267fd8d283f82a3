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

package io.quorlock.redis.client;

import io.quorlock.redis.ServerInfo;

/**
 * What happens to a node that may evict locks when its memory is full. A node without a
 * memory limit evicts nothing.
 *
 * @since 0.1.0
 */
public enum NodeEviction {

	/**
	 * It is reported.
	 */
	WARN,

	/**
	 * It does not vote if it evicts keys of any kind ({@code allkeys-*}); one that evicts
	 * only keys with an expiry, which locks are too, is reported.
	 */
	EXCLUDE_ALLKEYS,

	/**
	 * It does not vote.
	 */
	EXCLUDE;

	/**
	 * Return whether a node does not vote.
	 * @param info what the node reports
	 * @return whether it may evict keys that it must not
	 */
	public boolean excludes(ServerInfo info) {
		String policy = info.evictionPolicy();
		return info.maxMemory() > 0 && switch (this) {
			case WARN -> false;
			case EXCLUDE_ALLKEYS -> policy.startsWith("allkeys-");
			case EXCLUDE -> !policy.isEmpty() && !policy.equals("noeviction");
		};
	}

}
