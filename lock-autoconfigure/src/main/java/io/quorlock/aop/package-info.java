/**
 * The annotation at work: the advisor that finds
 * {@link io.quorlock.annotation.DistributedLock @DistributedLock}, the interceptor that
 * runs annotated methods under their lock, and the seams to transactions and to results
 * that complete later.
 */
@NullMarked
package io.quorlock.aop;

import org.jspecify.annotations.NullMarked;
