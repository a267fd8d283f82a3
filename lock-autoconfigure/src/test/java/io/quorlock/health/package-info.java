/**
 * Tests of health and info.
 */
@NullMarked
package io.quorlock.health;

import org.jspecify.annotations.NullMarked;
