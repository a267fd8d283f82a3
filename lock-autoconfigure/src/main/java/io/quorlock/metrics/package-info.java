/**
 * Micrometer meters and observations of locks. They only listen: the engine knows nothing
 * of them.
 */
@NullMarked
package io.quorlock.metrics;

import org.jspecify.annotations.NullMarked;
