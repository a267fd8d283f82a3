/**
 * Auto-configuration of health of locks.
 */
@NullMarked
package io.quorlock.autoconfigure.health;

import org.jspecify.annotations.NullMarked;
