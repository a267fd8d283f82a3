/**
 * What every store must do.
 */
@NullMarked
package io.quorlock.store;

import org.jspecify.annotations.NullMarked;
