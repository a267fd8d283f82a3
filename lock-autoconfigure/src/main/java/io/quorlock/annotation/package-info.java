/**
 * The {@code @DistributedLock} annotation.
 */
@NullMarked
package io.quorlock.annotation;

import org.jspecify.annotations.NullMarked;
