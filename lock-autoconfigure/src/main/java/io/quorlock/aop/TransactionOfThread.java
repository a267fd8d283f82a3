package io.quorlock.aop;

import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.util.ClassUtils;

/**
 * Whether the calling thread is inside a transaction, also where Spring's transaction
 * support is absent.
 */
final class TransactionOfThread {

	private static final boolean PRESENT = ClassUtils.isPresent(
			"org.springframework.transaction.support.TransactionSynchronizationManager",
			TransactionOfThread.class.getClassLoader());

	private TransactionOfThread() {
	}

	static boolean isActive() {
		return PRESENT && TransactionSynchronizationManager.isActualTransactionActive();
	}

}
