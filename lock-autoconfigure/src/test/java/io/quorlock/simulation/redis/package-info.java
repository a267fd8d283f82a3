/**
 * A Redis server in memory, with a clock from outside, that runs the lock scripts in a
 * Lua interpreter.
 */
@NullMarked
package io.quorlock.simulation.redis;

import org.jspecify.annotations.NullMarked;
