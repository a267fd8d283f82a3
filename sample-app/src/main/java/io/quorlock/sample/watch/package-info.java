/**
 * Records who requested a lock, who held it and when, from inside the locked code.
 */
@NullMarked
package io.quorlock.sample.watch;

import org.jspecify.annotations.NullMarked;
