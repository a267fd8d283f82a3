package io.quorlock.aop.invocation;

import io.quorlock.LockException;
import io.quorlock.LockNotAcquiredException;
import io.quorlock.LockRequest;
import io.quorlock.LockTemplate;
import io.quorlock.annotation.LockFailureHandler;
import io.quorlock.aop.declaration.FallbackMethod;
import io.quorlock.aop.declaration.LockSpecification;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

import org.springframework.aop.ProxyMethodInvocation;

/**
 * One call of a locked method. Its key is computed already, so that arguments which the
 * method changes do not matter.
 *
 * @param specification what the annotation says
 * @param request the lock to take
 * @param template takes it
 * @param invocation the rest of the call
 * @since 0.1.0
 */
public record LockedCall(LockSpecification specification, LockRequest request, LockTemplate template,
		MethodInvocation invocation) {

	/**
	 * The rest of the call for one subscription of several.
	 * @return an invocation that can proceed once
	 */
	MethodInvocation invocationOfItsOwn() {
		return (this.invocation instanceof ProxyMethodInvocation proxied) ? proxied.invocableClone() : this.invocation;
	}

	/**
	 * Reacts to a lock that was not got.
	 * @param failure why
	 * @param skipped the result of a method that is skipped
	 * @return the result of the fallback, or what stands for a skipped method
	 * @throws Throwable the failure, if the annotation says neither, or what the fallback
	 * throws
	 */
	@Nullable Object refused(LockException failure, @Nullable Object skipped) throws Throwable {
		FallbackMethod fallback = this.specification.fallback();
		if (fallback != null && fallback.handles(failure)) {
			return fallback.invoke(this.invocation, failure);
		}
		if (this.specification.isSkippedOnContention() && isHeldElsewhere(failure)) {
			return skipped;
		}
		LockFailureHandler handler = this.specification.failureHandler();
		Object target = this.invocation.getThis();
		if (handler == null || target == null) {
			throw failure;
		}
		return handler.handle(failure, target, this.specification.method(), this.invocation.getArguments());
	}

	/** An interrupted wait says nothing about whether another does the work. */
	private static boolean isHeldElsewhere(LockException failure) {
		return failure instanceof LockNotAcquiredException && failure.getCause() == null;
	}

}
