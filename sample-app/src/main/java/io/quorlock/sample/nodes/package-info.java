/**
 * The Redis servers that the sample starts itself, and their faults.
 */
@NullMarked
package io.quorlock.sample.nodes;

import org.jspecify.annotations.NullMarked;
