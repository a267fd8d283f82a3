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
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;

import io.quorlock.LockContext;
import io.quorlock.LockHandle;
import io.quorlock.LockLostEvent;
import io.quorlock.LockLostException;
import io.quorlock.annotation.DistributedLock.OnLost;
import io.quorlock.aop.declaration.LockSpecification;
import io.quorlock.transaction.TransactionalLockHandle;

/**
 * Runs code under a lock that was acquired, then releases it.
 * <p>
 * If the code fails and the lock was lost, the caller gets the failure of the code with
 * the loss suppressed. If the code fails after it was interrupted because of the loss,
 * the caller gets a {@link LockLostException} with the failure as its cause.
 *
 * @param handle the lock
 * @param method the method that the code belongs to
 * @param onLost what to do if the lock is lost meanwhile
 * @since 0.1.0
 */
public record LockedExecution(LockHandle handle, Method method, OnLost onLost) {

	/**
	 * Prepare to run a method under a lock.
	 * @param handle the lock
	 * @param specification what the annotation of the method says
	 * @return the execution, with the lock as the method and its transaction see it
	 */
	static LockedExecution of(LockHandle handle, LockSpecification specification) {
		OnLost onLost = specification.onLost();
		return new LockedExecution((onLost == OnLost.IGNORE) ? TransactionalLockHandle.tolerant(handle) : handle,
				specification.method(), onLost);
	}

	/**
	 * Run code under the lock, then release it.
	 * @param body the code
	 * @return the body's result
	 * @throws Throwable what the body throws; {@link LockLostException} if the lock was
	 * lost and that is not to be ignored
	 */
	public @Nullable Object run(Body body) throws Throwable {
		try {
			Object result;
			try {
				result = within(body);
			}
			catch (Throwable ex) {
				throw withLoss(ex);
			}
			throwLoss();
			return result;
		}
		finally {
			this.handle.close();
		}
	}

	/**
	 * Run code that sees the lock as the innermost of its call, and is interrupted if the
	 * lock is lost and that is wanted.
	 * @param body the code
	 * @return the body's result
	 * @throws Throwable what the body throws
	 */
	@Nullable Object within(Body body) throws Throwable {
		LossInterrupt interrupt = LossInterrupt.arm(this.handle, this.onLost == OnLost.INTERRUPT);
		LockContext.enter(this.handle, this.method);
		try {
			return body.run();
		}
		catch (Throwable ex) {
			throw interrupt.disarm() ? interrupt.exception(ex) : ex;
		}
		finally {
			interrupt.disarm();
			LockContext.leave(this.handle);
		}
	}

	void throwLoss() {
		LockLostException loss = loss();
		if (loss != null) {
			throw loss;
		}
	}

	<T extends Throwable> T withLoss(T failure) {
		LockLostException loss = (failure instanceof LockLostException) ? null : loss();
		if (loss != null) {
			failure.addSuppressed(loss);
		}
		return failure;
	}

	/**
	 * Return the loss that the caller is to learn of.
	 * @return the exception, or {@code null} if the lock was not lost or its loss is
	 * ignored
	 */
	@Nullable LockLostException loss() {
		return (this.onLost != OnLost.IGNORE) ? this.handle.loss().orElse(null) : null;
	}

	/**
	 * Notify of a loss that the caller is to learn of.
	 * @param callback called when the lock is lost
	 */
	void onLoss(Consumer<LockLostEvent> callback) {
		if (this.onLost != OnLost.IGNORE) {
			this.handle.onLost(callback);
		}
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
