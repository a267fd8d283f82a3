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
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

import org.aopalliance.aop.Advice;

import org.springframework.aop.Pointcut;
import org.springframework.aop.support.AbstractPointcutAdvisor;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.util.function.SingletonSupplier;

import io.quorlock.Api;

/**
 * Applies the {@link LeaderOnlyInterceptor} to methods that are annotated with
 * {@link LeaderOnly @LeaderOnly}. Its bean definition has to have
 * {@code ROLE_INFRASTRUCTURE}.
 *
 * @since 0.1.0
 */
@Api(Api.Status.INTERNAL)
public class LeaderOnlyAdvisor extends AbstractPointcutAdvisor implements SmartInitializingSingleton {

	@Serial
	private static final long serialVersionUID = 1L;

	private final transient Pointcut pointcut;

	private final transient Advice advice;

	private final transient LeaderOnlyMethods methods;

	/**
	 * Create a new advisor.
	 * @param placeholders resolves placeholders in roles
	 * @param election knows the leaders; resolved when the roles of annotated methods are
	 * checked
	 * @param order the order among other advisors
	 */
	public LeaderOnlyAdvisor(UnaryOperator<String> placeholders, Supplier<LeaderElection> election, int order) {
		Supplier<LeaderElection> single = SingletonSupplier.of(election);
		this.methods = new LeaderOnlyMethods(placeholders, single);
		this.pointcut = this.methods;
		this.advice = new LeaderOnlyInterceptor(this.methods, single);
		setOrder(order);
	}

	@Override
	public void afterSingletonsInstantiated() {
		this.methods.start();
	}

	@Override
	public Pointcut getPointcut() {
		return this.pointcut;
	}

	@Override
	public Advice getAdvice() {
		return this.advice;
	}

}
