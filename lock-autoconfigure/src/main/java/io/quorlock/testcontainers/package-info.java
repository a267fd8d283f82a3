/**
 * Support for {@code @ServiceConnection}: containers of a test become lock nodes.
 */
@NullMarked
package io.quorlock.testcontainers;

import org.jspecify.annotations.NullMarked;
