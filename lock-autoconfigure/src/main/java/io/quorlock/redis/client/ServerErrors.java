package io.quorlock.redis.client;

import redis.clients.jedis.exceptions.JedisDataException;

/**
 * What a server's error means, without secrets: an answer to an unknown command repeats
 * its arguments, a password among them.
 */
final class ServerErrors {

	private ServerErrors() {
	}

	static String describe(JedisDataException error) {
		String message = String.valueOf(error.getMessage());
		return switch (code(message)) {
			case "NOAUTH" -> "requires a password";
			case "WRONGPASS" -> "refused the user name or password";
			case "LOADING" -> "is loading its data";
			case "READONLY" -> "is a read-only replica";
			case "MASTERDOWN" -> "is a replica that lost its master";
			case "NOSCRIPT" -> "forgot its scripts";
			case "NOPERM" -> "denies a permission: " + message;
			default -> message.contains("with args beginning with")
					? message.substring(0, message.indexOf("with args beginning with")).replaceFirst(",? $", "")
					: message;
		};
	}

	/**
	 * Whether it is not worth asking this server anything before a new hand-shake.
	 */
	static boolean isUnusable(JedisDataException error) {
		return switch (code(String.valueOf(error.getMessage()))) {
			case "NOAUTH", "LOADING", "READONLY", "MASTERDOWN", "NOPERM" -> true;
			default -> false;
		};
	}

	private static String code(String message) {
		int space = message.indexOf(' ');
		return (space < 0) ? message : message.substring(0, space);
	}

}
