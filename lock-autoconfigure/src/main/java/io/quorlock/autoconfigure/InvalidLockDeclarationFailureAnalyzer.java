package io.quorlock.autoconfigure;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

import io.quorlock.aop.declaration.InvalidLockDeclarationException;

/**
 * Describes which annotated method cannot be locked, and why.
 */
class InvalidLockDeclarationFailureAnalyzer extends AbstractFailureAnalyzer<InvalidLockDeclarationException> {

	@Override
	protected FailureAnalysis analyze(Throwable rootFailure, InvalidLockDeclarationException cause) {
		String what = (cause.getAttribute() != null)
				? "@DistributedLock has the attribute %s = \"%s\"".formatted(cause.getAttribute(), cause.getValue())
				: "@DistributedLock cannot work";
		String description = "%s on%n%n    %s%n%nsince %s".formatted(what, cause.getLocation(), cause.getReason());
		return new FailureAnalysis(description, "Correct the annotation or the method.", cause);
	}

}
