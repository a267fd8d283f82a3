/**
 * A flash sale over two instances of one service, and what it takes to watch it.
 */
@NullMarked
package io.quorlock.sample;

import org.jspecify.annotations.NullMarked;
