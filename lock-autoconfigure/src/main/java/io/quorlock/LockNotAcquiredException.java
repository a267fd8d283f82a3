package io.quorlock;

import java.io.Serial;
import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * Thrown if another owner held the lock for the whole wait, or if the wait was
 * interrupted (the cause is an {@link InterruptedException} then, and the thread's
 * interrupt flag is set). A quorum of nodes has replied; otherwise a
 * {@link LockUnavailableException} is thrown.
 *
 * @since 0.1.0
 */
public class LockNotAcquiredException extends LockException {

	@Serial
	private static final long serialVersionUID = 1L;

	/** The name of the lock. */
	private final String name;

	/** The owner that held the lock, if known. */
	private final @Nullable String owner;

	/** How long the caller waited. */
	private final Duration waited;

	/** How often the nodes were asked. */
	private final int attempts;

	/**
	 * Create the exception.
	 * @param message what happened, with the values below
	 * @param name the lock
	 * @param owner the owner that held it when last seen, or {@code null} if none was
	 * seen
	 * @param waited how long the caller waited
	 * @param attempts how often the nodes were asked
	 * @param cause the interrupt that ended the wait, or {@code null}
	 */
	public LockNotAcquiredException(String message, String name, @Nullable String owner, Duration waited, int attempts,
			@Nullable Throwable cause) {
		super(message, cause);
		this.name = name;
		this.owner = owner;
		this.waited = waited;
		this.attempts = attempts;
	}

	/**
	 * Return the name of the lock, or several names joined by commas.
	 * @return the name
	 */
	public String getName() {
		return this.name;
	}

	/**
	 * Return the instance that held the lock when the nodes were last asked.
	 * @return its instance id, or {@code null} if no owner was seen
	 */
	public @Nullable String getOwner() {
		return this.owner;
	}

	/**
	 * Return how long the caller waited.
	 * @return the time from the call to this exception
	 */
	public Duration getWaited() {
		return this.waited;
	}

	/**
	 * Return how often the nodes were asked. The number is 0 if a thread of this instance
	 * held the lock for the whole wait.
	 * @return the number of attempts
	 */
	public int getAttempts() {
		return this.attempts;
	}

}
