/**
 * Records who wanted a lock, who held it and when, from inside the locked code itself.
 */
@NullMarked
package io.quorlock.sample.watch;

import org.jspecify.annotations.NullMarked;
