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

package io.quorlock.sample.nodes;

import java.util.List;

import io.quorlock.embedded.EmbeddedRedis;

/**
 * Real Redis servers on loopback, each behind a proxy that can delay it. All instances in
 * this process use them.
 */
public class DemoNodes implements AutoCloseable {

	private final EmbeddedRedis servers;

	private final List<DemoNode> nodes;

	/**
	 * Start the servers.
	 * @param count how many
	 */
	public DemoNodes(int count) {
		this.servers = EmbeddedRedis.start(count);
		this.nodes = this.servers.nodes().stream().map(DemoNode::new).toList();
	}

	/**
	 * Return the nodes.
	 * @return all of them
	 */
	public List<DemoNode> nodes() {
		return this.nodes;
	}

	/**
	 * Return one node.
	 * @param index from 0
	 * @return the node
	 */
	public DemoNode node(int index) {
		return this.nodes.get(index);
	}

	/**
	 * Return the addresses of the proxies.
	 * @return the URIs, in the order of the nodes
	 */
	public List<String> uris() {
		return this.nodes.stream().map(DemoNode::uri).toList();
	}

	@Override
	public void close() {
		this.nodes.forEach(DemoNode::close);
		this.servers.close();
	}

}
