package io.quorlock.aop;

import java.io.Serial;

/**
 * Thrown at startup when {@code distributed-lock.order} puts the lock inside the
 * transaction.
 *
 * @since 0.1.0
 */
public class InvalidLockOrderException extends IllegalStateException {

	@Serial
	private static final long serialVersionUID = 1L;

	/** The order of the lock. */
	private final int order;

	/** The order of transactions. */
	private final int transactionOrder;

	/**
	 * Create the exception.
	 * @param order {@code distributed-lock.order}
	 * @param transactionOrder the order of the transaction advisor
	 */
	public InvalidLockOrderException(int order, int transactionOrder) {
		super("Invalid lock order %d: it must be lower than %d, the order of transactions, so that the lock is taken before a transaction begins"
			.formatted(order, transactionOrder));
		this.order = order;
		this.transactionOrder = transactionOrder;
	}

	/**
	 * Return the order that was configured.
	 * @return {@code distributed-lock.order}
	 */
	public int getOrder() {
		return this.order;
	}

	/**
	 * Return the order that it must be lower than.
	 * @return the order of the transaction advisor
	 */
	public int getTransactionOrder() {
		return this.transactionOrder;
	}

}
