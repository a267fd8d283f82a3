/**
 * Locks for ShedLock: {@code @SchedulerLock} methods over a quorum.
 */
@NullMarked
package io.quorlock.shedlock;

import org.jspecify.annotations.NullMarked;
