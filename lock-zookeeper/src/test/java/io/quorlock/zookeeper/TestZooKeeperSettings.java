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

package io.quorlock.zookeeper;

import java.time.Duration;
import java.util.List;
import java.util.Map;

import org.apache.zookeeper.ZooDefs;

import io.quorlock.Settings;

/**
 * Makes the settings of a ZooKeeper store.
 */
public final class TestZooKeeperSettings {

	private TestZooKeeperSettings() {
	}

	/** With the defaults of the properties. */
	public static Settings<ZooKeeperSettings> with(String connectString, String instanceId) {
		return Settings.of(new ZooKeeperSettings(connectString, instanceId, Duration.ofSeconds(15),
				Duration.ofSeconds(15), Duration.ofSeconds(1), "/quorlock", 0.01, true, 0, ZooDefs.Ids.OPEN_ACL_UNSAFE,
				List.of(), Map.of(), Map::of));
	}

}
