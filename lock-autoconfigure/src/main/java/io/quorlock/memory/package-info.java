/**
 * The in-memory backend: one node inside the process, for tests and local development. It
 * does not exclude other processes.
 */
@NullMarked
package io.quorlock.memory;

import org.jspecify.annotations.NullMarked;
