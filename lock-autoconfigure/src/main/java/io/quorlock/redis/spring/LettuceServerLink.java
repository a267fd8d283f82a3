package io.quorlock.redis.spring;

import java.time.Duration;
import java.util.OptionalLong;

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

	private final boolean waits;

	private volatile @Nullable StatefulRedisConnection<byte[], byte[]> waitConnection;

	LettuceServerLink(LettuceConnectionFactory factory, boolean waits) {
		this.factory = factory;
		this.waits = waits;
	}

	@Override
	public void open() {
		if (this.waits && this.waitConnection == null) {
			this.waitConnection = client().connect(ByteArrayCodec.INSTANCE);
		}
		this.connection = client().connect(ByteArrayCodec.INSTANCE);
	}

	private RedisClient client() {
		return (RedisClient) this.factory.getRequiredNativeClient();
	}

	@Override
	public OptionalLong ping(Duration timeout) throws Exception {
		return ping(connectionFor(new byte[0]), timeout);
	}

	@Override
	StatefulRedisConnection<byte[], byte[]> connectionFor(byte[] key) {
		return required(this.connection);
	}

	@Override
	StatefulRedisConnection<byte[], byte[]> waitConnectionFor(byte[] key) {
		return required(this.waitConnection);
	}

	private static StatefulRedisConnection<byte[], byte[]> required(
			@Nullable StatefulRedisConnection<byte[], byte[]> connection) {
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
		StatefulRedisConnection<byte[], byte[]> waitConnection = this.waitConnection;
		if (waitConnection != null) {
			this.waitConnection = null;
			waitConnection.close();
		}
	}

}
