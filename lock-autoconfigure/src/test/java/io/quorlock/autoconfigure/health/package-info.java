/**
 * Tests of the auto-configuration of observability.
 */
@NullMarked
package io.quorlock.autoconfigure.health;

import org.jspecify.annotations.NullMarked;
