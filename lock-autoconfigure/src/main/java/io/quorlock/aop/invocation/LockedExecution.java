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

import java.lang.reflect.Method;
import java.util.concurrent.CompletionException;

import org.jspecify.annotations.Nullable;

import io.quorlock.LockContext;
import io.quorlock.LockHandle;
import io.quorlock.LockLostException;
import io.quorlock.annotation.DistributedLock.OnLost;
import io.quorlock.transaction.TransactionalLockHandle;

/**
 * Runs code under a lock that was acquired, then releases it.
 * <p>
 * If the code fails and the lock was lost, the caller gets the failure of the code with
 * the loss suppressed. If the code fails after it was interrupted because of the loss,
 * the caller gets a {@link LockLostException} with the failure as its cause.
 *
 * @since 0.1.0
 */
public final class LockedExecution {

	private LockedExecution() {
	}

	/**
	 * Run code under a lock, then release it.
	 * @param handle the lock
	 * @param method the method that the code belongs to
	 * @param onLost what to do if the lock is lost meanwhile
	 * @param body the code
	 * @return the body's result
	 * @throws Throwable what the body throws; {@link LockLostException} if the lock was
	 * lost and that is not to be ignored
	 */
	public static @Nullable Object run(LockHandle handle, Method method, OnLost onLost, Body body) throws Throwable {
		try {
			Object result;
			try {
				result = within(handle, method, onLost, body);
			}
			catch (Throwable ex) {
				throw withLoss(ex, handle, onLost);
			}
			throwLoss(handle, onLost);
			return result;
		}
		finally {
			handle.close();
		}
	}

	/**
	 * Run code that sees a lock as the innermost of its call.
	 * @param handle the lock
	 * @param method the method that the code belongs to
	 * @param onLost whether to interrupt the code if the lock is lost meanwhile
	 * @param body the code
	 * @return the body's result
	 * @throws Throwable what the body throws
	 */
	static @Nullable Object within(LockHandle handle, Method method, OnLost onLost, Body body) throws Throwable {
		LossInterrupt interrupt = LossInterrupt.arm(handle, onLost == OnLost.INTERRUPT);
		LockContext.enter(handle, method);
		try {
			return body.run();
		}
		catch (Throwable ex) {
			throw interrupt.disarm() ? interrupt.exception(ex) : ex;
		}
		finally {
			interrupt.disarm();
			LockContext.leave(handle);
		}
	}

	static void throwLoss(LockHandle handle, OnLost onLost) {
		LockLostException loss = lossOf(handle, onLost);
		if (loss != null) {
			throw loss;
		}
	}

	static <T extends Throwable> T withLoss(T failure, LockHandle handle, OnLost onLost) {
		LockLostException loss = (failure instanceof LockLostException) ? null : lossOf(handle, onLost);
		if (loss != null) {
			failure.addSuppressed(loss);
		}
		return failure;
	}

	/**
	 * Return the loss that the caller is to learn of.
	 * @param handle the lock
	 * @param onLost the reaction
	 * @return the exception, or {@code null} if the lock was not lost or its loss is
	 * ignored
	 */
	static @Nullable LockLostException lossOf(LockHandle handle, OnLost onLost) {
		return (onLost != OnLost.IGNORE) ? handle.loss().orElse(null) : null;
	}

	/**
	 * Return the failure itself.
	 * @param failure the failure of a stage
	 * @return its cause, if it only says that the stage failed
	 */
	public static Throwable cause(Throwable failure) {
		Throwable cause = failure.getCause();
		return (failure instanceof CompletionException && cause != null) ? cause : failure;
	}

	/**
	 * Return the lock as the method and its transaction see it.
	 * @param handle the lock
	 * @param onLost the reaction
	 * @return the lock
	 */
	static LockHandle handleFor(LockHandle handle, OnLost onLost) {
		return (onLost == OnLost.IGNORE) ? TransactionalLockHandle.tolerant(handle) : handle;
	}

	/**
	 * Code that runs under a lock.
	 */
	@FunctionalInterface
	public interface Body {

		/**
		 * Run it.
		 * @return what it returns
		 * @throws Throwable what it throws
		 */
		@Nullable Object run() throws Throwable;

	}

}
