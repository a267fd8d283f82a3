/**
 * The flash sale itself: the part that a user of the locks writes.
 */
@NullMarked
package io.quorlock.sample.shop;

import org.jspecify.annotations.NullMarked;
