/**
 * Tests of the auto-configuration of observability.
 */
@NullMarked
package io.quorlock.autoconfigure.metrics;

import org.jspecify.annotations.NullMarked;
