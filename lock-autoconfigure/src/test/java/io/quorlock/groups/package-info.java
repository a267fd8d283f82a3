/**
 * Tests for groups.
 */
@NullMarked
package io.quorlock.groups;

import org.jspecify.annotations.NullMarked;
