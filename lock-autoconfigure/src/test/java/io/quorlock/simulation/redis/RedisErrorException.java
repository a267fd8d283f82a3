package io.quorlock.simulation.redis;

/**
 * An error that the server replies with.
 */
public final class RedisErrorException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	RedisErrorException(String message) {
		super(message, null, false, false);
	}

	/**
	 * Return the kind of error, its first word.
	 * @return such as {@code OOM}
	 */
	public String code() {
		String message = String.valueOf(getMessage());
		int end = message.indexOf(' ');
		return (end < 0) ? message : message.substring(0, end);
	}

}
