/**
 * The node behind the application's own
 * {@link org.springframework.data.redis.connection.RedisConnectionFactory}: a single
 * Redis, Sentinel or Cluster.
 */
@NullMarked
package io.quorlock.redis.spring;

import org.jspecify.annotations.NullMarked;
