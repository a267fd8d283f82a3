/**
 * Runs the engine with locks that record who holds them.
 */
@NullMarked
package io.quorlock.lockorder;

import org.jspecify.annotations.NullMarked;
