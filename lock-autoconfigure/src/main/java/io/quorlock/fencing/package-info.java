/**
 * Fencing on the side of the resource, which refuses the write of a holder that has lost
 * its lock without noticing it. For exclusive locks, and for each permit: shared holders
 * can have different tokens at the same time, so that one would be taken for stale after
 * another has written.
 */
@NullMarked
package io.quorlock.fencing;

import org.jspecify.annotations.NullMarked;
