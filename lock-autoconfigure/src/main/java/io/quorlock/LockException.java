package io.quorlock;

import java.io.Serial;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

/**
 * Base class of all exceptions of locks. Catch it to distinguish a failure of a lock from
 * a failure of the code that the lock protects.
 *
 * @since 0.1.0
 */
public abstract class LockException extends RuntimeException {

	@Serial
	private static final long serialVersionUID = 1L;

	/** What breaks lines, moves a cursor or changes the direction of text. */
	private static final Pattern UNPRINTABLE = Pattern.compile("[\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}]");

	/**
	 * Create the exception. Names of locks may come from outside and messages end in
	 * logs, so what could forge a line there is escaped.
	 * @param message what went wrong
	 * @param cause the cause, or {@code null}
	 */
	protected LockException(String message, @Nullable Throwable cause) {
		super(printable(message), cause);
	}

	private static String printable(String message) {
		return UNPRINTABLE.matcher(message).replaceAll((found) -> "\\\\u%04x".formatted((int) found.group().charAt(0)));
	}

}
