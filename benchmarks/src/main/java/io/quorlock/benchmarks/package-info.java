/**
 * The benchmark harness: studies, forks, measurements and the report.
 */
@NullMarked
package io.quorlock.benchmarks;

import org.jspecify.annotations.NullMarked;
