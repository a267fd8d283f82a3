/**
 * The instances of the shop in this process: each an application context with a lock
 * engine of its own, all with one database.
 */
@NullMarked
package io.quorlock.sample.fleet;

import org.jspecify.annotations.NullMarked;
