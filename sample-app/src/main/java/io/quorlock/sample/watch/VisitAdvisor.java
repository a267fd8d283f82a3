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

package io.quorlock.sample.watch;

import java.io.Serial;
import java.lang.reflect.Method;

import org.aopalliance.intercept.MethodInterceptor;
import org.jspecify.annotations.Nullable;

import org.springframework.aop.support.StaticMethodMatcherPointcutAdvisor;

import io.quorlock.sample.shop.Seller;

/**
 * Puts an interceptor around {@link Seller#sell}, at a chosen place among the others.
 */
final class VisitAdvisor extends StaticMethodMatcherPointcutAdvisor {

	@Serial
	private static final long serialVersionUID = 1L;

	VisitAdvisor(int order, MethodInterceptor interceptor) {
		super(interceptor);
		setOrder(order);
		setClassFilter(Seller.class::isAssignableFrom);
	}

	@Override
	public boolean matches(Method method, @Nullable Class<?> targetClass) {
		return method.getName().equals("sell");
	}

}
