package io.quorlock.autoconfigure;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * One node, and where the rest of what it takes to connect comes from.
 *
 * @param address the node's address
 * @param details what is common to all nodes of these details
 */
record NodeEndpoint(NodeAddress address, LockConnectionDetails details) {

	private static final Log logger = LogFactory.getLog(NodeEndpoint.class);

	private static final String PROPERTY = "distributed-lock.nodes";

	@Nullable String username() {
		return hasOwnCredentials() ? this.address.username() : this.details.getUsername();
	}

	@Nullable String password() {
		return hasOwnCredentials() ? this.address.password() : this.details.getPassword();
	}

	private boolean hasOwnCredentials() {
		return this.address.username() != null || this.address.password() != null;
	}

	@Override
	public String toString() {
		return this.address.toString();
	}

	/**
	 * All nodes of all details, which together are the quorum.
	 * @param allDetails the details
	 * @return at least one node
	 * @throws InvalidLockConfigurationException if there is no node, one is malformed or
	 * one is there twice
	 */
	static List<NodeEndpoint> of(Collection<LockConnectionDetails> allDetails) {
		List<NodeEndpoint> endpoints = new ArrayList<>();
		Map<String, String> seen = new HashMap<>();
		for (LockConnectionDetails details : allDetails) {
			for (String uri : details.getNodes()) {
				String property = PROPERTY + "[" + endpoints.size() + "]";
				NodeEndpoint endpoint = new NodeEndpoint(parse(uri, property), details);
				String earlier = seen.putIfAbsent(endpoint.address().hostAndPort(), property);
				if (earlier != null) {
					throw new InvalidLockConfigurationException(property, NodeAddress.withoutSecrets(uri),
							"it is the same node as " + earlier + ": one server has one vote",
							"List every independent Redis master once. Databases of one server are one node.");
				}
				endpoints.add(endpoint);
			}
		}
		checkSize(endpoints);
		return endpoints;
	}

	private static NodeAddress parse(String uri, String property) {
		NodeAddress address = NodeAddress.parse(uri);
		if (address == null) {
			throw new InvalidLockConfigurationException(property, NodeAddress.withoutSecrets(uri),
					"it is no URI of the form redis://[[user]:password@]host[:port][/database], or rediss:// for TLS",
					"Correct the URI. Percent-encode special characters in user and password.");
		}
		return address;
	}

	private static void checkSize(List<NodeEndpoint> endpoints) {
		int size = endpoints.size();
		if (size == 0) {
			throw new InvalidLockConfigurationException(PROPERTY, null, "there is no node to keep locks on",
					"List your independent Redis masters in distributed-lock.nodes, for example redis://redis-1:6379. "
							+ "For development, add the dependency io.quorlock:lock-embedded, or set distributed-lock.backend.");
		}
		if (size % 2 == 0) {
			logger.warn(("%d lock nodes tolerate the loss of %d, as %d nodes do: "
					+ "an even number adds load and one more thing to fail, and no safety. Use %d or %d.")
				.formatted(size, (size - 1) / 2, size - 1, size - 1, size + 1));
		}
	}

}
