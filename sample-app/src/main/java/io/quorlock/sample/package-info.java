/**
 * A flash sale with two instances of one service, and a console to watch it.
 */
@NullMarked
package io.quorlock.sample;

import org.jspecify.annotations.NullMarked;
