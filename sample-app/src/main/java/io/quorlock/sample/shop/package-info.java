/**
 * The flash sale: the code that an application with locks would have.
 */
@NullMarked
package io.quorlock.sample.shop;

import org.jspecify.annotations.NullMarked;
