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

package io.quorlock.embedded;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Several independent Redis masters, as Redlock requires them.
 *
 * @since 0.1.0
 */
public final class EmbeddedRedis implements AutoCloseable {

	private final List<EmbeddedRedisNode> nodes;

	private EmbeddedRedis(List<EmbeddedRedisNode> nodes) {
		this.nodes = List.copyOf(nodes);
	}

	/**
	 * Start masters on free ports.
	 * @param count how many
	 * @return the masters, ready for connections
	 * @throws EmbeddedServerException if one of them does not start; then none is left
	 */
	public static EmbeddedRedis start(int count) {
		return start(count, EmbeddedRedisNode.builder());
	}

	/**
	 * Start masters with the same options.
	 * @param count how many
	 * @param options of each of them
	 * @return the masters, ready for connections
	 * @throws EmbeddedServerException if one of them does not start; then none is left
	 */
	public static EmbeddedRedis start(int count, EmbeddedRedisNodeBuilder options) {
		List<EmbeddedRedisNode> nodes = new ArrayList<>();
		try {
			IntStream.range(0, count).forEach((i) -> nodes.add(options.start()));
			return new EmbeddedRedis(nodes);
		}
		catch (RuntimeException ex) {
			nodes.forEach(EmbeddedRedisNode::close);
			throw ex;
		}
	}

	/**
	 * Return the nodes' addresses, {@code redis://127.0.0.1:12345}.
	 * @return the addresses, in the order of the nodes
	 */
	public List<String> uris() {
		return this.nodes.stream().map(EmbeddedRedisNode::uri).toList();
	}

	/**
	 * Return the nodes' addresses with the password of the default user.
	 * @return {@code redis://:secret@127.0.0.1:12345} for each of the nodes, in their
	 * order
	 */
	public List<String> urisWithPassword() {
		return this.nodes.stream().map(EmbeddedRedisNode::uriWithPassword).toList();
	}

	/**
	 * Return the nodes.
	 * @return all of them
	 */
	public List<EmbeddedRedisNode> nodes() {
		return this.nodes;
	}

	/**
	 * Return one node.
	 * @param index from 0
	 * @return the node
	 */
	public EmbeddedRedisNode node(int index) {
		return this.nodes.get(index);
	}

	/** Kill all nodes and delete their files. */
	@Override
	public void close() {
		this.nodes.forEach(EmbeddedRedisNode::close);
	}

}
