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

package io.quorlock.aop.declaration;

import java.lang.reflect.Method;

import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

import org.springframework.aop.framework.AopProxyUtils;

import io.quorlock.LockRequest;
import io.quorlock.annotation.DistributedLock;
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
 * @param scheduledHold how long the lock is held at least by a method with
 * {@code @ScheduledLock}, otherwise {@code null}
 * @since 0.1.0
 */
public record LockSpecification(Method method, Class<?> userClass, LockRequest request, @Nullable LockKey key,
		OnContention onContention, @Nullable FallbackMethod fallback, @Nullable LockFailureHandler failureHandler,
		OnLost onLost, @Nullable ScheduledHold scheduledHold) {

	/**
	 * Return what messages refer to.
	 * @return the annotation and its method
	 */
	public LockDeclaration declaration() {
		return new LockDeclaration(DistributedLock.class, this.method, this.userClass);
	}

	/**
	 * Return the bean that a call is for, behind all of its proxies, of which another
	 * creator of proxies may have made one more.
	 * @param invocation the call
	 * @return the bean
	 */
	public @Nullable Object target(MethodInvocation invocation) {
		Object target = invocation.getThis();
		Object bean = target;
		for (Object next = target; next != null; next = AopProxyUtils.getSingletonTarget(next)) {
			bean = next;
		}
		// The target of a Spring Data repository does not implement its interface.
		return this.userClass.isInstance(bean) ? bean : target;
	}

	/**
	 * Let a request of a method with {@code @ScheduledLock} hold the lock until the next
	 * trigger, counted from now.
	 * @param request the request
	 * @return the changed request, or the same for other methods
	 */
	public LockRequest held(LockRequest request) {
		ScheduledHold hold = this.scheduledHold;
		return (hold != null) ? request.holdAtLeast(hold.fromNow()) : request;
	}

	/**
	 * Return whether a tick of a scheduled method may run on several instances, one after
	 * another: each skips it only while another runs it.
	 * @return whether the lock is free as soon as the method is done
	 */
	public boolean isScheduledWithoutHold() {
		return isSkippedOnContention() && this.scheduledHold == null && this.request.holdAtLeast().isZero()
				&& ScheduledHold.isScheduled(this.method);
	}

	/**
	 * Return whether the method is skipped when another holds the lock.
	 * @return whether to skip it
	 */
	public boolean isSkippedOnContention() {
		return this.onContention == OnContention.SKIP;
	}

}
