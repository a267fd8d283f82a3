/**
 * Tests of the auto-configuration of observability.
 */
@NullMarked
package io.quorlock.autoconfigure.actuate;

import org.jspecify.annotations.NullMarked;
