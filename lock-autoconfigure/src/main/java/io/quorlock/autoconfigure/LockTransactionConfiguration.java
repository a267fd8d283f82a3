package io.quorlock.autoconfigure;

import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.transaction.TransactionExecutionListener;

import io.quorlock.aop.DistributedLockAdvisor;
import io.quorlock.aop.LockOrderValidator;
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
		boolean releaseAfterCompletion = properties.getTransaction().isReleaseAfterCompletion();
		return (template) -> new TransactionAwareLockTemplate(template, releaseAfterCompletion);
	}

	@Bean
	TransactionLockVerifier distributedLockTransactionVerifier() {
		return new TransactionLockVerifier();
	}

	@Bean
	static LockOrderValidator distributedLockOrderValidator(DistributedLockAdvisor advisor,
			ListableBeanFactory beanFactory) {
		return new LockOrderValidator(advisor, beanFactory);
	}

}
