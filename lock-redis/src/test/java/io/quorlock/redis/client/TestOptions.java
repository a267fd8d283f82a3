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

import java.time.Duration;

import javax.net.ssl.SSLParameters;

import io.quorlock.Settings;
import io.quorlock.redis.client.EvictionPolicy.NodeEviction;
import io.quorlock.time.LockClock;

/**
 * Makes the options of nodes.
 */
public final class TestOptions {

	private TestOptions() {
	}

	/** With the defaults of the properties, except that other lists do not count. */
	public static Settings<RedisNodeOptions> with(LockClock clock) {
		return Settings.of(new RedisNodeOptions(clock, "lock:", Duration.ofMillis(100), Duration.ofSeconds(1),
				"quorlock", null, SSLParameters::new, null, Duration.ofSeconds(60), Duration.ofSeconds(60), 0.01, false,
				false, false, NodeEviction.EXCLUDE_ALLKEYS, "quorlock"));
	}

}
