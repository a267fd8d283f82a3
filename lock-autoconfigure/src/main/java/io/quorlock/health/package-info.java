/**
 * Health of the lock nodes.
 */
@NullMarked
package io.quorlock.health;

import org.jspecify.annotations.NullMarked;
