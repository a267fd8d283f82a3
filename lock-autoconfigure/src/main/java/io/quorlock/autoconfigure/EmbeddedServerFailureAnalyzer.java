package io.quorlock.autoconfigure;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

import io.quorlock.embedded.EmbeddedServerException;

/**
 * Describes the alternatives if no embedded server can run.
 */
class EmbeddedServerFailureAnalyzer extends AbstractFailureAnalyzer<EmbeddedServerException> {

	@Override
	protected FailureAnalysis analyze(Throwable rootFailure, EmbeddedServerException cause) {
		return new FailureAnalysis("The embedded servers for locks cannot be used: " + cause.getMessage(),
				"List Redis servers that run elsewhere in distributed-lock.nodes, or correct what the message names.",
				cause);
	}

}
