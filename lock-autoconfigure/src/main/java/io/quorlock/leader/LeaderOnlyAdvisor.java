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

package io.quorlock.leader;

import java.io.Serial;
import java.lang.reflect.Method;
import java.util.Optional;
import java.util.function.Supplier;

import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.util.function.SingletonSupplier;

import io.quorlock.Api;
import io.quorlock.LockHandle;
import io.quorlock.annotation.DistributedLock.OnLost;
import io.quorlock.aop.GuardAdvisor;
import io.quorlock.aop.invocation.LockedExecution;

/**
 * Applies the {@link LeaderOnlyInterceptor} to methods that are annotated with
 * {@link LeaderOnly @LeaderOnly}.
 *
 * @since 0.1.0
 */
@Api(Api.Status.INTERNAL)
public class LeaderOnlyAdvisor extends GuardAdvisor {

	@Serial
	private static final long serialVersionUID = 1L;

	/**
	 * Create a new advisor.
	 * @param beanFactory resolves placeholders in roles
	 * @param election knows the leaders; resolved when the roles of annotated methods are
	 * checked
	 * @param order the order among other advisors
	 */
	public LeaderOnlyAdvisor(ConfigurableBeanFactory beanFactory, Supplier<LeaderElection> election, int order) {
		this(new LeaderOnlyMethods(beanFactory, SingletonSupplier.of(election)), SingletonSupplier.of(election), order);
	}

	private LeaderOnlyAdvisor(LeaderOnlyMethods methods, Supplier<LeaderElection> election, int order) {
		super(methods, new Interceptor(methods, election), order);
	}

	/**
	 * Runs a method under the lock of a role that this instance leads, or skips it.
	 */
	record Interceptor(LeaderOnlyMethods methods, Supplier<LeaderElection> election) implements MethodInterceptor {

		@Override
		public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
			Method method = invocation.getMethod();
			Object target = invocation.getThis();
			Class<?> targetClass = (target != null) ? AopUtils.getTargetClass(target) : method.getDeclaringClass();
			String role = this.methods.role(method, targetClass);
			if (role == null) {
				return invocation.proceed();
			}
			Optional<LockHandle> leadership = this.election.get().enter(role);
			if (leadership.isEmpty()) {
				// A generic interface does not say what the method of the bean returns.
				Class<?> type = LeaderOnlyMethods.resultType(AopUtils.getMostSpecificMethod(method, targetClass),
						targetClass);
				return (type == Optional.class) ? Optional.empty() : null;
			}
			return LockedExecution.run(leadership.get(), method, OnLost.THROW, () -> {
				Object result = invocation.proceed();
				LeaderOnlyMethods.checkResult(method, result);
				return result;
			});
		}

	}

}
