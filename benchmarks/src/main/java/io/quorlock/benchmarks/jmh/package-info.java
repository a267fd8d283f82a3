/**
 * Micro-benchmarks for the Java Microbenchmark Harness.
 */
@NullMarked
package io.quorlock.benchmarks.jmh;

import org.jspecify.annotations.NullMarked;
