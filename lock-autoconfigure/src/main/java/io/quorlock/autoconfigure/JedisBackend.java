package io.quorlock.autoconfigure;

import java.util.Objects;
import java.util.function.Supplier;

import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.SslOptions;

import io.quorlock.autoconfigure.LockProperties.NodeMismatch;
import io.quorlock.engine.EngineClock;
import io.quorlock.quorum.membership.Layout;
import io.quorlock.redis.client.JedisNodeOptions;
import io.quorlock.redis.client.JedisNodes;

/**
 * Creates nodes from endpoints. A separate class, since Jedis may be absent.
 */
final class JedisBackend {

	private JedisBackend() {
	}

	static LockBackend create(LockProperties properties, NodeEndpoints endpoints, EngineClock clock) {
		JedisNodes nodes = nodes(properties, endpoints, clock, Layout.NONE);
		boolean local = endpoints.isEmbedded();
		return new LockBackend(local ? "embedded" : "redlock", nodes.nodes(), nodes::notes, local);
	}

	/** Create the nodes of a quorum; a layout if it shares the names with others. */
	static JedisNodes nodes(LockProperties properties, NodeEndpoints endpoints, EngineClock clock, Layout layout) {
		LockProperties.Connection connection = properties.getConnection();
		JedisNodeOptions options = JedisNodeOptions.builder(clock)
			.keyPrefix(properties.getKeyPrefix())
			.operationTimeout(connection.getOperationTimeout())
			.connectTimeout(connection.getConnectTimeout())
			.clientName(Objects.requireNonNullElse(connection.getClientName(), "quorlock"))
			.sslContext(sslContext(endpoints))
			.sslParameters(() -> sslParameters(endpoints.sslBundle()))
			.quarantine(properties.determineRestartQuarantine())
			.driftFactor(properties.getClockDriftFactor())
			.trustFirstSeen(endpoints.isNewlyStarted())
			.failOnMismatch(properties.getNodeMismatch() == NodeMismatch.FAIL)
			.build();
		return JedisNodes.create(endpoints.addresses(), options, layout);
	}

	/** The bundle is read for every connection, since it may be reloaded. */
	private static @Nullable Supplier<SSLContext> sslContext(NodeEndpoints endpoints) {
		if (endpoints.sslBundle() == null) {
			return null;
		}
		return () -> Objects.requireNonNull(endpoints.sslBundle()).createSslContext();
	}

	private static SSLParameters sslParameters(@Nullable SslBundle bundle) {
		SSLParameters parameters = new SSLParameters();
		if (bundle != null) {
			SslOptions options = bundle.getOptions();
			parameters.setCipherSuites(options.getCiphers());
			parameters.setProtocols(options.getEnabledProtocols());
		}
		return parameters;
	}

}
