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

package io.quorlock.autoconfigure.aop;

import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.transaction.interceptor.BeanFactoryTransactionAttributeSourceAdvisor;

import io.quorlock.aop.DistributedLockAdvisor;
import io.quorlock.autoconfigure.InvalidLockConfigurationException;

/**
 * Refuses an order that would acquire the lock inside the transaction, which would begin,
 * and perhaps read, before the lock is held.
 */
record LockOrderValidator(DistributedLockAdvisor lockAdvisor,
		ListableBeanFactory beanFactory) implements SmartInitializingSingleton {

	@Override
	public void afterSingletonsInstantiated() {
		BeanFactoryUtils
			.beansOfTypeIncludingAncestors(this.beanFactory, BeanFactoryTransactionAttributeSourceAdvisor.class)
			.forEach((name, transactionAdvisor) -> {
				if (this.lockAdvisor.getOrder() >= transactionAdvisor.getOrder()) {
					throw new InvalidLockConfigurationException("distributed-lock.order",
							String.valueOf(this.lockAdvisor.getOrder()),
							("it must be lower than %d, the order of transactions: a transaction would begin, and perhaps read, "
									+ "before its method holds the lock")
								.formatted(transactionAdvisor.getOrder()),
							"Remove the property, or set it to a number below the order of transactions.");
				}
			});
	}

}
