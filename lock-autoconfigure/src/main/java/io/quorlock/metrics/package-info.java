/**
 * Micrometer meters and observations of locks. They are listeners of the engine, which
 * does not depend on them.
 */
@NullMarked
package io.quorlock.metrics;

import org.jspecify.annotations.NullMarked;
