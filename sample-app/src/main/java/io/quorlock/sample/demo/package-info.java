/**
 * Shows on the terminal what happens with and without the lock.
 */
@NullMarked
package io.quorlock.sample.demo;

import org.jspecify.annotations.NullMarked;
