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

import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;
import org.springframework.transaction.annotation.EnableTransactionManagement;

import io.quorlock.aop.DistributedLockAdvisor;
import io.quorlock.aop.FakeLockTemplate;
import io.quorlock.aop.declaration.LeaseBounds;
import io.quorlock.autoconfigure.LockTransactionConfiguration.OrderValidator;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the order of locks and transactions in {@link LockTransactionConfiguration}.
 */
class LockOrderValidatorTests {

	@Test
	void orderInsideTheTransactionStopsTheStart() {
		assertThatOrderIsRefused(Ordered.LOWEST_PRECEDENCE, Ordered.LOWEST_PRECEDENCE);
		assertThatOrderIsRefused(100, 50);
		assertThatOrderIsRefused(50, 50);
	}

	@Test
	void orderInsideTheTransactionOfAParentContextStopsTheStart() {
		new ApplicationContextRunner().withUserConfiguration(TransactionsOfOrder50.class)
			.run((parent) -> new ApplicationContextRunner().withParent(parent)
				.withBean(DistributedLockAdvisor.class, () -> advisor(100))
				.withBean(OrderValidator.class)
				.run((context) -> assertThat(context).getFailure()
					.isInstanceOf(InvalidLockConfigurationException.class)));
	}

	@Test
	void orderOutsideTheTransactionIsAccepted() {
		withOrder(49, 50).run((context) -> assertThat(context).hasNotFailed());
		withOrder(Ordered.LOWEST_PRECEDENCE - 1, Ordered.LOWEST_PRECEDENCE)
			.run((context) -> assertThat(context).hasNotFailed());
	}

	private void assertThatOrderIsRefused(int order, int transactionOrder) {
		withOrder(order, transactionOrder).run((context) -> assertThat(context).getFailure()
			.isInstanceOf(InvalidLockConfigurationException.class)
			.hasMessageContaining(
					"'distributed-lock.order' with value '%d': it must be lower than %d, the order of transactions",
					order, transactionOrder));
	}

	private static ApplicationContextRunner withOrder(int order, int transactionOrder) {
		Class<?> transactions = (transactionOrder == 50) ? TransactionsOfOrder50.class : DefaultTransactions.class;
		return new ApplicationContextRunner().withUserConfiguration(transactions)
			.withBean(DistributedLockAdvisor.class, () -> advisor(order))
			.withBean(OrderValidator.class);
	}

	private static DistributedLockAdvisor advisor(int order) {
		return new DistributedLockAdvisor(new DefaultListableBeanFactory(), LeaseBounds.NONE, FakeLockTemplate::new,
				order);
	}

	@Configuration(proxyBeanMethods = false)
	@EnableTransactionManagement(order = 50)
	static class TransactionsOfOrder50 {

	}

	@Configuration(proxyBeanMethods = false)
	@EnableTransactionManagement
	static class DefaultTransactions {

	}

}
