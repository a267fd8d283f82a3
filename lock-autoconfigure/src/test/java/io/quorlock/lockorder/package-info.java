/**
 * Runs the engine with locks that record which thread holds them.
 */
@NullMarked
package io.quorlock.lockorder;

import org.jspecify.annotations.NullMarked;
