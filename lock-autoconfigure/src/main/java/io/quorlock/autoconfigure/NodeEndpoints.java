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
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.ssl.SslBundle;

import io.quorlock.redis.InvalidNodeUriException;
import io.quorlock.redis.NodeAddress;

/**
 * The nodes of all {@link LockConnectionDetails} beans, which form the quorum.
 */
final class NodeEndpoints {

	private static final Log logger = LogFactory.getLog(NodeEndpoints.class);

	private static final String PROPERTY = "distributed-lock.nodes";

	private final String property;

	private final List<LockConnectionDetails> details;

	private final List<NodeAddress> addresses = new ArrayList<>();

	/** Where each node was listed first. */
	private final Map<String, String> properties;

	private NodeEndpoints(String property, List<LockConnectionDetails> details, Map<String, String> properties) {
		this.property = property;
		this.details = details;
		this.properties = properties;
	}

	/**
	 * Read and validate the nodes.
	 * @param details where the nodes are described
	 * @return at least one node
	 * @throws InvalidLockConfigurationException if there is no node, a URI is malformed,
	 * or a node is listed twice
	 */
	static NodeEndpoints of(List<LockConnectionDetails> details) {
		return of(PROPERTY, details, new HashMap<>());
	}

	/**
	 * Read and validate the nodes of a group.
	 * @param property the property that lists them
	 * @param details where the nodes are described
	 * @param known the nodes of other groups; those of this group are added
	 * @return at least one node
	 */
	static NodeEndpoints of(String property, List<LockConnectionDetails> details, Map<String, String> known) {
		NodeEndpoints endpoints = new NodeEndpoints(property, details, known);
		for (LockConnectionDetails each : details) {
			each.getNodes().forEach((uri) -> endpoints.add(uri, each));
		}
		endpoints.checkSize();
		return endpoints;
	}

	private void add(String uri, LockConnectionDetails details) {
		String property = this.property + "[" + this.addresses.size() + "]";
		NodeAddress address = parse(uri, property);
		String earlier = this.properties.putIfAbsent(address.name().toLowerCase(Locale.ROOT), property);
		if (earlier != null) {
			throw new InvalidLockConfigurationException(property, NodeAddress.withoutSecrets(uri),
					"it is the same node as " + earlier + ": one server has one vote",
					"List every independent Redis master once. Databases of one server are one node.");
		}
		if (address.password() == null && details.getUsername() != null && details.getPassword() == null) {
			throw new InvalidLockConfigurationException("distributed-lock.connection.username", details.getUsername(),
					"there is no password for it: the server would treat the connection as one of its default user",
					"Set distributed-lock.connection.password as well, or put both into the URI of the node.");
		}
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

	private void checkSize() {
		int size = this.addresses.size();
		if (size == 0) {
			throw new InvalidLockConfigurationException(this.property, null, "there is no node to keep locks on",
					"List your independent Redis masters in " + this.property + ", for example redis://redis-1:6379. "
							+ "For development, add the dependency io.quorlock:quorlock-embedded. A packaged application uses"
							+ " embedded servers only with distributed-lock.backend=embedded, since other instances do not"
							+ " see their locks.");
		}
		if (size % 2 == 0) {
			logger.warn(
					("%d lock nodes tolerate the loss of %d, no more than %d would: an even number of nodes adds load "
							+ "and another server that can fail, and no safety. Use %d or %d")
						.formatted(size, (size - 1) / 2, size - 1, size - 1, size + 1));
		}
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
