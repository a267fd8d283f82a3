/**
 * Auto-configuration of meters and observations of locks.
 */
@NullMarked
package io.quorlock.autoconfigure.metrics;

import org.jspecify.annotations.NullMarked;
