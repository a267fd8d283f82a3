/**
 * Listeners that observe what happens to locks.
 */
@NullMarked
package io.quorlock.engine.event;

import org.jspecify.annotations.NullMarked;
