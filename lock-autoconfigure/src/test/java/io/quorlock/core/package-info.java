/**
 * Tests of the engine.
 */
@NullMarked
package io.quorlock.core;

import org.jspecify.annotations.NullMarked;
