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

/**
 * Applies the {@link DistributedLockInterceptor} to annotated methods.
 * <p>
 * As with every proxy, a call through {@code this} is not intercepted: a bean that calls
 * its own annotated method runs it without the lock. Put the method in another bean, or
 * use {@link io.quorlock.LockTemplate}.
 *
 * @since 0.1.0
 */
public class DistributedLockAdvisor extends GuardAdvisor {

	@Serial
	private static final long serialVersionUID = 1L;

	/**
	 * Create the advisor.
	 * @param source finds the annotation
	 * @param interceptor acquires the lock
	 * @param order {@code distributed-lock.order}
	 */
	public DistributedLockAdvisor(LockedMethodSource source, DistributedLockInterceptor interceptor, int order) {
		super(source, interceptor, order);
	}

}
