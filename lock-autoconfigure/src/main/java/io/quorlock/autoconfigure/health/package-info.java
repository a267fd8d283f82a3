/**
 * Auto-configuration for the health of locks.
 */
@NullMarked
package io.quorlock.autoconfigure.health;

import org.jspecify.annotations.NullMarked;
