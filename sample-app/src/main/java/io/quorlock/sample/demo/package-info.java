/**
 * What happens with and without the lock, told on the terminal.
 */
@NullMarked
package io.quorlock.sample.demo;

import org.jspecify.annotations.NullMarked;
