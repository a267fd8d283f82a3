/**
 * Locks for Spring Integration: a {@code LockRegistry} over a quorum.
 */
@NullMarked
package io.quorlock.integration;

import org.jspecify.annotations.NullMarked;
