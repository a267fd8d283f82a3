/**
 * Auto-configuration for meters and observations of locks.
 */
@NullMarked
package io.quorlock.autoconfigure.metrics;

import org.jspecify.annotations.NullMarked;
