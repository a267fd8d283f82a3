/**
 * Support for {@link io.quorlock.annotation.DistributedLock @DistributedLock} on the
 * methods of beans: the advisor, the interceptor, and the validators that run at start.
 */
@NullMarked
package io.quorlock.aop;

import org.jspecify.annotations.NullMarked;
