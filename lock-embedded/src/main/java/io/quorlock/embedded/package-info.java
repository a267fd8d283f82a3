/**
 * Real Redis servers on loopback inside a JVM, for development, tests, demonstrations and
 * benchmarks. Not for production: nothing is persisted, and the servers end with the JVM.
 */
@NullMarked
package io.quorlock.embedded;

import org.jspecify.annotations.NullMarked;
