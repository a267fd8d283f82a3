package io.quorlock.autoconfigure;

import java.io.Serial;

/**
 * Thrown at startup on a version of Spring Boot that is not supported.
 */
class UnsupportedSpringBootVersionException extends RuntimeException {

	@Serial
	private static final long serialVersionUID = 1L;

	UnsupportedSpringBootVersionException(String version) {
		super("Quorlock needs Spring Boot 4.1 or later, but the application runs on Spring Boot " + version);
	}

}
