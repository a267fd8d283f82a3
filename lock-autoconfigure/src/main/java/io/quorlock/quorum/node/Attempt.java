package io.quorlock.quorum.node;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * One attempt to lock: the owner value that its commands write and compare. Fresh for
 * every attempt, so that a late release of one cannot delete the key of the next.
 * <p>
 * The commands of an attempt are numbered in the order of their creation, so that a
 * driver can tell which of them is the newest (R3).
 *
 * @since 0.1.0
 */
public final class Attempt {

	private final String token;

	private final AtomicInteger commands = new AtomicInteger();

	private volatile boolean releasing;

	/**
	 * Create a new attempt.
	 * @param token the owner value
	 */
	public Attempt(String token) {
		this.token = token;
	}

	/**
	 * Return the value of the lock key: {@code <instance-id>:<random>:<counter>}.
	 * @return the token
	 */
	public String token() {
		return this.token;
	}

	/**
	 * Return whether a release of this attempt has been queued, or is about to be. From
	 * then on a driver must not send any other command of the attempt again (R3).
	 * @return whether the attempt is over
	 */
	public boolean isReleasing() {
		return this.releasing;
	}

	/**
	 * Mark the attempt as over. To be called before the release is submitted.
	 */
	public void releasing() {
		this.releasing = true;
	}

	int nextNumber() {
		return this.commands.incrementAndGet();
	}

	boolean isNewest(int number) {
		return this.commands.get() == number;
	}

	@Override
	public String toString() {
		return this.token;
	}

}
