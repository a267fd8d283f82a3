/**
 * Fencing on the side of the resource, which refuses the write of a holder that has lost
 * its lock without noticing it.
 */
@NullMarked
package io.quorlock.fencing;

import org.jspecify.annotations.NullMarked;
