package io.quorlock.redis.spring;

import java.time.Duration;

import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import org.jspecify.annotations.Nullable;

import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/**
 * A link to a single server, or to the master that Sentinel names.
 */
final class LettuceServerLink extends LettuceLink {

	private final LettuceConnectionFactory factory;

	private volatile @Nullable StatefulRedisConnection<byte[], byte[]> connection;

	LettuceServerLink(LettuceConnectionFactory factory) {
		this.factory = factory;
	}

	@Override
	public void open() {
		this.connection = client().connect(ByteArrayCodec.INSTANCE);
	}

	private RedisClient client() {
		return (RedisClient) this.factory.getRequiredNativeClient();
	}

	@Override
	public void ping(Duration timeout) throws Exception {
		ping(connectionFor(new byte[0]), timeout);
	}

	@Override
	StatefulRedisConnection<byte[], byte[]> connectionFor(byte[] key) {
		StatefulRedisConnection<byte[], byte[]> connection = this.connection;
		if (connection == null) {
			throw new IllegalStateException("not connected");
		}
		return connection;
	}

	@Override
	StatefulRedisPubSubConnection<String, String> openSubscriptions() {
		return client().connectPubSub(StringCodec.UTF8);
	}

	@Override
	public void close() {
		closeSubscriptions();
		StatefulRedisConnection<byte[], byte[]> connection = this.connection;
		if (connection != null) {
			this.connection = null;
			connection.close();
		}
	}

}
