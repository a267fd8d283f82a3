/**
 * The real engine, unchanged, under one thread with simulated clocks, network and nodes,
 * driven by a seed; and defects that this must find.
 */
@NullMarked
package io.quorlock.simulation;

import org.jspecify.annotations.NullMarked;
