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

import org.jspecify.annotations.Nullable;

/**
 * Properties of the embedded backend.
 *
 * @since 0.1.0
 */
public class LockEmbeddedProperties {

	/**
	 * Number of Redis servers to start.
	 */
	private int nodes = 5;

	/**
	 * Number of ZooKeeper servers to start instead of Redis servers.
	 */
	private @Nullable Integer zookeeper;

	public int getNodes() {
		return this.nodes;
	}

	public void setNodes(int nodes) {
		this.nodes = nodes;
	}

	public @Nullable Integer getZookeeper() {
		return this.zookeeper;
	}

	public void setZookeeper(@Nullable Integer zookeeper) {
		this.zookeeper = zookeeper;
	}

}
