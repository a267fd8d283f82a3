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

import java.util.ArrayList;
import java.util.List;

/**
 * How names are shared out among groups.
 *
 * @since 0.1.0
 */
public class LockShardingProperties {

	/**
	 * What decides to which group a name belongs: the whole name, or what stands before
	 * its first colon.
	 */
	private ShardBy by = ShardBy.NAME;

	public ShardBy getBy() {
		return this.by;
	}

	public void setBy(ShardBy by) {
		this.by = by;
	}

	/**
	 * A group of nodes.
	 */
	public static class Group {

		/**
		 * Independent Redis masters of the group as redis:// or rediss:// URIs.
		 */
		private List<String> nodes = new ArrayList<>();

		public List<String> getNodes() {
			return this.nodes;
		}

		public void setNodes(List<String> nodes) {
			this.nodes = nodes;
		}

	}

	/**
	 * What decides to which group a name belongs.
	 */
	public enum ShardBy {

		/**
		 * The whole name.
		 */
		NAME,

		/**
		 * What stands before the first colon.
		 */
		PREFIX

	}

}
