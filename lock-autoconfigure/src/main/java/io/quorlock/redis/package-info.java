/**
 * What every Redis driver of the engine shares: the scripts, how commands become calls of
 * them and how their replies are read, the addresses of nodes, and what a server reports
 * about itself.
 */
@NullMarked
package io.quorlock.redis;

import org.jspecify.annotations.NullMarked;
