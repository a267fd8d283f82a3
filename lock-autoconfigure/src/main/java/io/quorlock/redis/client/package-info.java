/**
 * Independent Redis nodes, each asked through one pipelined connection of its own. Jedis
 * brings the sockets, TLS and the protocol.
 */
@NullMarked
package io.quorlock.redis.client;

import org.jspecify.annotations.NullMarked;
