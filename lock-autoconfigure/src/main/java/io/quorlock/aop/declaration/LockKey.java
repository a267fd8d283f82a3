package io.quorlock.aop.declaration;

import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

import io.quorlock.LockKeyException;

/**
 * Computes the key of a call.
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface LockKey {

	/**
	 * Compute the key.
	 * @param invocation the call
	 * @return the key, not yet checked
	 * @throws LockKeyException if it cannot be computed
	 */
	@Nullable Object of(MethodInvocation invocation);

}
