/*
 * Copyright 2026-present the Quorlock authors.
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *      https://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */

package io.quorlock.aop.invocation;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;

import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

import org.springframework.aop.ProxyMethodInvocation;

import io.quorlock.LockCancelledException;
import io.quorlock.LockException;
import io.quorlock.LockHandle;
import io.quorlock.LockInterruptedException;
import io.quorlock.LockNotAcquiredException;
import io.quorlock.LockRequest;
import io.quorlock.LockTemplate;
import io.quorlock.LockUnavailableException;
import io.quorlock.annotation.LockFailureHandler;
import io.quorlock.aop.declaration.FallbackMethod;
import io.quorlock.aop.declaration.LockSpecification;

/**
 * One call of a locked method. Its key is computed already, so that arguments may change
 * while the method runs.
 *
 * @param specification what the annotation says
 * @param request the lock to take
 * @param template takes it
 * @param invocation the rest of the call
 * @since 0.1.0
 */
public record LockedCall(LockSpecification specification, LockRequest request, LockTemplate template,
		MethodInvocation invocation) {

	private static final long MAX_RETRY_NANOS = Duration.ofSeconds(5).toNanos();

	private static final long MAX_PAUSE_NANOS = Duration.ofMillis(200).toNanos();

	/**
	 * Acquire the lock.
	 * @return the lock
	 * @throws LockException if it was not acquired
	 */
	LockHandle acquire() {
		long start = System.nanoTime();
		while (true) {
			try {
				return this.template.acquire(this.specification.held(this.request));
			}
			catch (LockUnavailableException ex) {
				if (!isAskedAgain(ex, start)) {
					throw ex;
				}
				LockSupport.parkNanos(pause().toNanos());
				if (Thread.currentThread().isInterrupted()) {
					throw ex;
				}
			}
		}
	}

	/**
	 * Return whether to ask again for a lock. A tick of a schedule comes once, so one
	 * that is unavailable is asked for again, for some seconds and at most half of the
	 * hold, within which no other instance runs the tick twice.
	 * @param failure why it was not acquired
	 * @param startNanos when it was asked for first
	 * @return whether to, after a {@link #pause()}
	 */
	boolean isAskedAgain(Throwable failure, long startNanos) {
		return this.specification.scheduledHold() != null && failure instanceof LockUnavailableException
				&& System.nanoTime() - startNanos <= Math.min(this.request.holdAtLeast().dividedBy(2).toNanos(),
						MAX_RETRY_NANOS);
	}

	/**
	 * Return how long to wait before a lock is asked for again.
	 * @return a random time, so that instances do not ask together
	 */
	static Duration pause() {
		return Duration.ofNanos(ThreadLocalRandom.current().nextLong(MAX_PAUSE_NANOS / 2, MAX_PAUSE_NANOS));
	}

	/**
	 * Run the rest of the call. Its caller may have left the proxy, and another thread
	 * may run it, so the invocation is exposed again for advice of AspectJ.
	 * @return the result of the method
	 * @throws Throwable what the method throws
	 */
	@Nullable Object proceed() throws Throwable {
		return ProxyLayers.proceed(this.invocation, this.specification);
	}

	/**
	 * Run the rest of the call for one of several subscriptions.
	 * @return the result of the method
	 * @throws Throwable what the method throws
	 */
	@Nullable Object proceedAgain() throws Throwable {
		return ProxyLayers.proceed(
				(this.invocation instanceof ProxyMethodInvocation proxied) ? proxied.invocableClone() : this.invocation,
				this.specification);
	}

	/**
	 * React to a lock that was not acquired. A failure which says that the call itself is
	 * wrong goes to its caller.
	 * @param cause why
	 * @param skipped the result of a method that is skipped
	 * @return the result of the fallback or of the application's handler, or the result
	 * of a skipped method
	 * @throws Throwable the failure, or what the fallback or the handler throws
	 */
	@Nullable Object refused(Throwable cause, @Nullable Object skipped) throws Throwable {
		if (!(cause instanceof LockException failure) || !isRefusal(failure)) {
			throw cause;
		}
		FallbackMethod fallback = this.specification.fallback();
		if (fallback != null && fallback.handles(failure)) {
			return fallback.invoke(this.specification.target(this.invocation), this.invocation.getArguments(), failure);
		}
		// After an interrupted wait it is unknown whether another instance does the work.
		if (this.specification.isSkippedOnContention() && failure instanceof LockNotAcquiredException) {
			return skipped;
		}
		LockFailureHandler handler = this.specification.failureHandler();
		Object target = this.specification.target(this.invocation);
		if (handler == null || target == null) {
			throw failure;
		}
		return handler.handle(failure, target, this.specification.method(), this.invocation.getArguments());
	}

	/** Return whether a failure says why a lock was not acquired. */
	static boolean isRefusal(@Nullable Throwable failure) {
		return failure instanceof LockNotAcquiredException || failure instanceof LockUnavailableException
				|| failure instanceof LockInterruptedException || failure instanceof LockCancelledException;
	}

}
