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
