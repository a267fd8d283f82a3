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

package io.quorlock.aop;

import java.io.Serial;

import org.aopalliance.aop.Advice;

import org.springframework.aop.SpringProxy;
import org.springframework.aop.framework.Advised;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.aop.support.AbstractPointcutAdvisor;

/**
 * Applies advice without which the annotated methods must not run. Its bean definition
 * has to have {@code ROLE_INFRASTRUCTURE}, since an application without AspectJ considers
 * no other advisors.
 *
 * @since 0.1.0
 */
public abstract class GuardAdvisor extends AbstractPointcutAdvisor {

	@Serial
	private static final long serialVersionUID = 1L;

	private final transient GuardedMethods methods;

	private final transient Advice advice;

	/**
	 * Create the advisor.
	 * @param methods the annotated methods
	 * @param advice runs around them
	 * @param order the order among other advisors
	 */
	protected GuardAdvisor(GuardedMethods methods, Advice advice, int order) {
		this.methods = methods;
		this.advice = advice;
		setOrder(order);
	}

	@Override
	public GuardedMethods getPointcut() {
		return this.methods;
	}

	@Override
	public Advice getAdvice() {
		return this.advice;
	}

	/**
	 * Return whether calls of a bean pass an advisor.
	 * @param bean the bean, as others get it
	 * @param type the type of the advisor
	 * @return {@code false} if its methods run without it
	 */
	static boolean isApplied(Object bean, Class<? extends GuardAdvisor> type) {
		Object layer = bean;
		while (layer instanceof Advised advised) {
			// What is behind a scoped proxy is another bean.
			if (!advised.getTargetSource().isStatic() || hasAdvisor(advised, type)) {
				return true;
			}
			layer = AopProxyUtils.getSingletonTarget(layer);
		}
		return layer instanceof SpringProxy; // opaque
	}

	private static boolean hasAdvisor(Advised advised, Class<? extends GuardAdvisor> type) {
		for (int i = 0; i < advised.getAdvisorCount(); i++) {
			if (type.isInstance(advised.getAdvisors()[i])) {
				return true;
			}
		}
		return false;
	}

}
