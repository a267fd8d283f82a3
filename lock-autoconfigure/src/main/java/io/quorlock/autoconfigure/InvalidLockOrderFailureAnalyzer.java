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
