/**
 * The engine and the Jedis nodes together, against real Redis servers and from several
 * processes: what the README promises.
 */
package io.quorlock.system;
