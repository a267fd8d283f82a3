/**
 * Tests of meters and observations.
 */
@NullMarked
package io.quorlock.metrics;

import org.jspecify.annotations.NullMarked;
