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
