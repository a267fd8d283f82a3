package io.quorlock.aop;

import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.transaction.interceptor.BeanFactoryTransactionAttributeSourceAdvisor;

/**
 * Refuses an order that would acquire the lock inside the transaction, which would begin,
 * and perhaps read, before the lock is held.
 *
 * @since 0.1.0
 */
public class LockOrderValidator implements SmartInitializingSingleton {

	private final DistributedLockAdvisor lockAdvisor;

	private final ListableBeanFactory beanFactory;

	/**
	 * Create the validator.
	 * @param lockAdvisor has the order to check
	 * @param beanFactory knows the transaction advisors
	 */
	public LockOrderValidator(DistributedLockAdvisor lockAdvisor, ListableBeanFactory beanFactory) {
		this.lockAdvisor = lockAdvisor;
		this.beanFactory = beanFactory;
	}

	@Override
	public void afterSingletonsInstantiated() {
		this.beanFactory.getBeansOfType(BeanFactoryTransactionAttributeSourceAdvisor.class)
			.forEach((name, transactionAdvisor) -> {
				if (this.lockAdvisor.getOrder() >= transactionAdvisor.getOrder()) {
					throw new InvalidLockOrderException(this.lockAdvisor.getOrder(), transactionAdvisor.getOrder());
				}
			});
	}

}
