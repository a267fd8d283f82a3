/**
 * The resource's side of fencing: what refuses the write of a holder whose lock was lost
 * without its knowledge.
 */
@NullMarked
package io.quorlock.fencing;

import org.jspecify.annotations.NullMarked;
