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

package io.quorlock.autoconfigure;

import org.springframework.aop.scope.ScopedObject;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.transaction.ConfigurableTransactionManager;
import org.springframework.transaction.TransactionExecutionListener;
import org.springframework.transaction.interceptor.BeanFactoryTransactionAttributeSourceAdvisor;

import io.quorlock.aop.DistributedLockAdvisor;
import io.quorlock.transaction.TransactionAwareLockTemplate;
import io.quorlock.transaction.TransactionLockVerifier;

/**
 * Configuration of locks in transactions.
 */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass(TransactionExecutionListener.class)
class LockTransactionConfiguration {

	/** Outermost: the advisor looks for this template. */
	@Bean
	@Order(Ordered.LOWEST_PRECEDENCE)
	LockTemplateDecorator distributedLockTransactionDecorator(LockProperties properties) {
		boolean releaseAfterCompletion = properties.transaction().releaseAfterCompletion();
		return (template) -> new TransactionAwareLockTemplate(template, releaseAfterCompletion);
	}

	@Bean
	TransactionLockVerifier distributedLockTransactionVerifier() {
		return new TransactionLockVerifier();
	}

	/**
	 * Spring Boot's customizer reaches only the transaction managers that Boot defines.
	 */
	@Bean
	static BeanPostProcessor distributedLockTransactionManagerPostProcessor(
			ObjectProvider<TransactionLockVerifier> verifier) {
		return new BeanPostProcessor() {

			@Override
			public Object postProcessAfterInitialization(Object bean, String beanName) {
				// The target of a scoped proxy is processed itself, in its scope.
				if (bean instanceof ConfigurableTransactionManager manager && !(bean instanceof ScopedObject)) {
					verifier.ifAvailable((listener) -> {
						if (!manager.getTransactionExecutionListeners().contains(listener)) {
							manager.addListener(listener);
						}
					});
				}
				return bean;
			}

		};
	}

	@Bean
	static OrderValidator distributedLockOrderValidator(DistributedLockAdvisor advisor,
			ListableBeanFactory beanFactory) {
		return new OrderValidator(advisor, beanFactory);
	}

	/**
	 * Refuses an order that would acquire the lock inside the transaction, which would
	 * begin, and perhaps read, before the lock is held.
	 */
	record OrderValidator(DistributedLockAdvisor lockAdvisor,
			ListableBeanFactory beanFactory) implements SmartInitializingSingleton {

		@Override
		public void afterSingletonsInstantiated() {
			BeanFactoryUtils
				.beansOfTypeIncludingAncestors(this.beanFactory, BeanFactoryTransactionAttributeSourceAdvisor.class)
				.forEach((name, advisor) -> InvalidLockConfigurationException.require(
						this.lockAdvisor.getOrder() < advisor.getOrder(), "distributed-lock.order",
						String.valueOf(this.lockAdvisor.getOrder()),
						("it must be lower than %d, the order of transactions: a transaction would begin, and perhaps read, "
								+ "before its method holds the lock")
							.formatted(advisor.getOrder()),
						"Remove the property, or set it to a number below the order of transactions."));
		}

	}

}
