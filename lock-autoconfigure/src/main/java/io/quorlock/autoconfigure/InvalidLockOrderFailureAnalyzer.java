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

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

import io.quorlock.aop.InvalidLockOrderException;

/**
 * Describes how locks and transactions have to be ordered.
 */
class InvalidLockOrderFailureAnalyzer extends AbstractFailureAnalyzer<InvalidLockOrderException> {

	@Override
	protected FailureAnalysis analyze(Throwable rootFailure, InvalidLockOrderException cause) {
		return new FailureAnalysis(
				("Configuration property 'distributed-lock.order' has the value '%d', but transactions have the order %d:"
						+ "%n%n    a transaction would begin, and perhaps read, before its method holds the lock")
					.formatted(cause.getOrder(), cause.getTransactionOrder()),
				"Remove the property, or set it to a number below the order of transactions.", cause);
	}

}
