package io.quorlock.redis.client;

import java.util.List;
import java.util.OptionalLong;

import org.jspecify.annotations.Nullable;

import io.quorlock.redis.ServerInfo;

/**
 * A connection in use.
 *
 * @param pipeline carries the commands
 * @param info what the server reports of itself
 * @param clientId the number that the server gave the connection
 * @param clockOffsetMicros the server's wall clock less our monotonic clock
 * @param scratch tries the scripts again
 */
record Session(Pipeline pipeline, ServerInfo info, @Nullable Long clientId, OptionalLong clockOffsetMicros,
		List<byte[]> scratch) {

}
