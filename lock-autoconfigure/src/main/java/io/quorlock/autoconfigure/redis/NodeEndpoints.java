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

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.ssl.SslBundle;

import io.quorlock.autoconfigure.InvalidLockConfigurationException;
import io.quorlock.autoconfigure.LockConnectionDetails;
import io.quorlock.autoconfigure.embedded.EmbeddedServersConfiguration.EmbeddedLockConnectionDetails;
import io.quorlock.redis.InvalidNodeUriException;
import io.quorlock.redis.NodeAddress;

import static io.quorlock.autoconfigure.InvalidLockConfigurationException.require;

/**
 * The nodes of all {@link LockConnectionDetails} beans, which form the quorum.
 */
final class NodeEndpoints {

	private static final Log logger = LogFactory.getLog(NodeEndpoints.class);

	private final List<LockConnectionDetails> details;

	private final List<NodeAddress> addresses = new ArrayList<>();

	/** Where each node is listed. */
	private final Map<String, String> places = new HashMap<>();

	private NodeEndpoints(List<LockConnectionDetails> details) {
		this.details = details;
	}

	/**
	 * Read and validate the nodes.
	 * @param details where the nodes are described
	 * @return at least one node
	 * @throws InvalidLockConfigurationException if there is no node, a URI is malformed,
	 * or a node is listed twice
	 */
	static NodeEndpoints of(List<LockConnectionDetails> details) {
		NodeEndpoints endpoints = new NodeEndpoints(details);
		String property = "distributed-lock.nodes";
		for (LockConnectionDetails each : details) {
			each.getNodes().forEach((uri) -> endpoints.add(uri, property, each, List.of()));
		}
		return endpoints.checkSize(property);
	}

	/**
	 * Read and validate the nodes of a group.
	 * @param id the id of the group
	 * @param nodes their URIs
	 * @param details how to connect to them
	 * @param others the nodes of other groups
	 * @return at least one node
	 */
	static NodeEndpoints ofGroup(String id, List<String> nodes, LockConnectionDetails details,
			Collection<NodeEndpoints> others) {
		NodeEndpoints endpoints = new NodeEndpoints(List.of(details));
		String property = "distributed-lock.groups." + id + ".nodes";
		nodes.forEach((uri) -> endpoints.add(uri, property, details, others));
		return endpoints.checkSize(property);
	}

	private void add(String uri, String list, LockConnectionDetails details, Collection<NodeEndpoints> others) {
		String property = list + "[" + this.addresses.size() + "]";
		NodeAddress address = parse(uri, property);
		String name = address.name().toLowerCase(Locale.ROOT);
		String earlier = Stream.concat(others.stream(), Stream.of(this))
			.map((endpoints) -> endpoints.places.get(name))
			.filter(Objects::nonNull)
			.findFirst()
			.orElse(null);
		require(earlier == null, property, NodeAddress.withoutSecrets(uri),
				"it is the same node as " + earlier + ": one server has one vote",
				"List every independent Redis master once. Databases of one server are one node.");
		require(address.password() != null || details.getUsername() == null || details.getPassword() != null,
				"distributed-lock.connection.username", details.getUsername(),
				"there is no password for it: the server would treat the connection as one of its default user",
				"Set distributed-lock.connection.password as well, or put both into the URI of the node.");
		this.places.put(name, property);
		this.addresses.add(address.withDefaultLogin(details.getUsername(), details.getPassword()));
	}

	private static NodeAddress parse(String uri, String property) {
		try {
			return NodeAddress.parse(uri);
		}
		catch (InvalidNodeUriException ex) {
			throw new InvalidLockConfigurationException(property, ex.getUri(), ex.getReason(),
					"Correct the URI. Percent-encode special characters in user and password.");
		}
	}

	private NodeEndpoints checkSize(String property) {
		int size = this.addresses.size();
		require(size > 0, property, null, "there is no node to keep locks on", "List your independent Redis masters in "
				+ property + ", for example redis://redis-1:6379. "
				+ "For development, add the dependency io.quorlock:quorlock-embedded. A packaged application uses"
				+ " embedded servers only with distributed-lock.backend=embedded, since other instances do not"
				+ " see their locks.");
		if (size % 2 == 0) {
			logger.warn(
					("%d lock nodes tolerate the loss of %d, no more than %d would: an even number of nodes adds load "
							+ "and another server that can fail, and no safety. Use %d or %d")
						.formatted(size, (size - 1) / 2, size - 1, size - 1, size + 1));
		}
		return this;
	}

	/**
	 * Return the addresses of the nodes, each with its credentials.
	 * @return the addresses
	 */
	List<NodeAddress> addresses() {
		return this.addresses;
	}

	/**
	 * Return the current SSL bundle of all nodes.
	 * @return the first bundle that one of the details has, or {@code null}
	 */
	@Nullable SslBundle sslBundle() {
		return this.details.stream()
			.map(LockConnectionDetails::getSslBundle)
			.filter(Objects::nonNull)
			.findFirst()
			.orElse(null);
	}

	/**
	 * Return whether all servers run inside this application.
	 * @return whether no other instance can see their locks
	 */
	boolean isEmbedded() {
		return this.details.stream().allMatch(EmbeddedLockConnectionDetails.class::isInstance);
	}

	/**
	 * Return whether all servers were started for this application.
	 * @return whether none of them can have lost a lock
	 */
	boolean isNewlyStarted() {
		return this.details.stream().allMatch(LockConnectionDetails::isNewlyStarted);
	}

	@Override
	public String toString() {
		return this.addresses.stream().map(NodeAddress::name).collect(Collectors.joining(", "));
	}

}
