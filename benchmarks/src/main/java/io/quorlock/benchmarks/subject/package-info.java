/**
 * The subjects: this library, its peers and the raw limits, each behind one interface.
 */
@NullMarked
package io.quorlock.benchmarks.subject;

import org.jspecify.annotations.NullMarked;
