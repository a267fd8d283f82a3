package io.quorlock.transaction;

import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.util.ClassUtils;

/**
 * The transaction of the calling thread. Works also where Spring's transaction support is
 * absent.
 *
 * @since 0.1.0
 */
public final class ThreadBoundTransaction {

	private static final boolean PRESENT = ClassUtils.isPresent(
			"org.springframework.transaction.support.TransactionSynchronizationManager",
			ThreadBoundTransaction.class.getClassLoader());

	private ThreadBoundTransaction() {
	}

	/**
	 * Return whether the calling thread is inside a transaction.
	 * @return {@code false} also where Spring's transaction support is absent
	 */
	public static boolean isActive() {
		return PRESENT && TransactionSynchronizationManager.isActualTransactionActive();
	}

}
