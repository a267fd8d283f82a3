/**
 * The in-memory backend: one node inside the process, for tests and local development. It
 * excludes nobody in another process.
 */
@NullMarked
package io.quorlock.memory;

import org.jspecify.annotations.NullMarked;
