/**
 * Records when a lock was requested, held and released, from inside the locked code.
 */
@NullMarked
package io.quorlock.sample.watch;

import org.jspecify.annotations.NullMarked;
