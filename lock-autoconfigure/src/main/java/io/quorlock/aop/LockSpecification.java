package io.quorlock.aop;

import java.lang.reflect.Method;

import io.quorlock.LockRequest;
import io.quorlock.annotation.DistributedLock.OnContention;
import io.quorlock.annotation.DistributedLock.OnLost;
import org.jspecify.annotations.Nullable;

/**
 * What the annotation of one method of one class says: merged, resolved and checked.
 *
 * @param method the method as the bean's class has it
 * @param request name and durations; the key is added per call
 * @param key computes the key, {@code null} for none
 * @param onContention the reaction when another holds the lock
 * @param fallback the method called instead, or {@code null}
 * @param onLost the reaction when the lock is lost
 * @param invoker runs the method as its result type demands
 */
record LockSpecification(Method method, LockRequest request, @Nullable LockKey key, OnContention onContention,
		@Nullable FallbackMethod fallback, OnLost onLost, LockedInvoker invoker) {

}
