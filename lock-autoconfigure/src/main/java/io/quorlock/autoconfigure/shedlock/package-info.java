/**
 * Auto-configuration for ShedLock.
 */
@NullMarked
package io.quorlock.autoconfigure.shedlock;

import org.jspecify.annotations.NullMarked;
