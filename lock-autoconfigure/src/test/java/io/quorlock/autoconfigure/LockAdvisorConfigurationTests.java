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

import java.util.List;

import org.junit.jupiter.api.Test;

import org.springframework.aop.framework.ProxyFactory;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;
import org.springframework.mock.env.MockEnvironment;
import org.springframework.transaction.annotation.EnableTransactionManagement;

import io.quorlock.LockTemplate;
import io.quorlock.annotation.DistributedLock;
import io.quorlock.aop.DistributedLockAdvisor;
import io.quorlock.aop.FakeLockTemplate;
import io.quorlock.aop.declaration.InvalidLockDeclarationException;
import io.quorlock.aop.declaration.LeaseBounds;
import io.quorlock.autoconfigure.LockTransactionConfiguration.OrderValidator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link LockAdvisorConfiguration} and {@link LockOrderValidator}.
 */
class LockAdvisorConfigurationTests {

	private final DefaultListableBeanFactory beans = new DefaultListableBeanFactory();

	private final MockEnvironment environment = new MockEnvironment();

	private final FakeLockTemplate locks = new FakeLockTemplate();

	LockAdvisorConfigurationTests() {
		this.beans.registerSingleton("locks", this.locks);
	}

	private DistributedLockAdvisor advisor(String... properties) {
		for (int i = 0; i < properties.length; i += 2) {
			this.environment.setProperty("distributed-lock." + properties[i], properties[i + 1]);
		}
		return LockAdvisorConfiguration.distributedLockAdvisor(this.beans, this.environment,
				this.beans.getBeanProvider(LockTemplate.class));
	}

	private Report report(String... properties) {
		ProxyFactory factory = new ProxyFactory(new Report());
		factory.setProxyTargetClass(true);
		factory.addAdvisor(advisor(properties));
		return (Report) factory.getProxy();
	}

	@Test
	void leaseOfAMethodIsNoLongerThanTheLongest() {
		assertThatExceptionOfType(InvalidLockDeclarationException.class).isThrownBy(report()::late)
			.withMessageContaining("distributed-lock.max-lease-time");
		report("max-lease-time", "70s").late();
		assertThat(this.locks.requests()).hasSize(1);
	}

	@Test
	void leaseOfAMethodIsLongerThanARequestToTheNodesAndTheirReplicas() {
		report().soon();
		assertThat(this.locks.requests()).hasSize(1);
		assertThatExceptionOfType(InvalidLockDeclarationException.class)
			.isThrownBy(report("redis.wait-replicas", "1")::soon)
			.withMessageContaining("PT1.1S (distributed-lock.connection.operation-timeout)");
	}

	@Test
	void adviceIsInTheOrderThatIsConfigured() {
		assertThat(advisor("order", "7").getOrder()).isEqualTo(7);
	}

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

	static class Report {

		@DistributedLock(name = "report", leaseTime = "70s")
		List<String> late() {
			return List.of();
		}

		@DistributedLock(name = "report", leaseTime = "1s")
		List<String> soon() {
			return List.of();
		}

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
