package io.quorlock.aop.declaration;

import java.lang.reflect.Method;

import org.jspecify.annotations.Nullable;

import io.quorlock.LockRequest;
import io.quorlock.annotation.DistributedLock.OnContention;
import io.quorlock.annotation.DistributedLock.OnLost;
import io.quorlock.annotation.LockFailureHandler;

/**
 * What the annotation of one method of one class says: merged, resolved and checked.
 *
 * @param method the method as the bean's class has it
 * @param userClass the class of the bean, not of its proxy
 * @param request name and durations; the key is added per call
 * @param key computes the key, {@code null} for none
 * @param onContention the reaction when another holds the lock
 * @param fallback the method called instead, or {@code null}
 * @param failureHandler the application's reaction where the annotation has none, or
 * {@code null}
 * @param onLost the reaction when the lock is lost
 * @since 0.1.0
 */
public record LockSpecification(Method method, Class<?> userClass, LockRequest request, @Nullable LockKey key,
		OnContention onContention, @Nullable FallbackMethod fallback, @Nullable LockFailureHandler failureHandler,
		OnLost onLost) {

	/**
	 * Describe the method in messages.
	 * @return the class, the method and its parameter types
	 */
	public String location() {
		return LockDeclarations.describe(this.method, this.userClass);
	}

	/**
	 * Return whether the method is skipped when another holds the lock.
	 * @return whether to skip it
	 */
	public boolean isSkippedOnContention() {
		return this.onContention == OnContention.SKIP;
	}

}
