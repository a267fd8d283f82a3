/**
 * What a {@link io.quorlock.annotation.DistributedLock @DistributedLock} says: found,
 * resolved and checked at start.
 */
@NullMarked
package io.quorlock.aop.declaration;

import org.jspecify.annotations.NullMarked;
