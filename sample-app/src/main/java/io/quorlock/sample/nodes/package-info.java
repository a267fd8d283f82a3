/**
 * The Redis servers that the sample starts itself, and their failures.
 */
@NullMarked
package io.quorlock.sample.nodes;

import org.jspecify.annotations.NullMarked;
