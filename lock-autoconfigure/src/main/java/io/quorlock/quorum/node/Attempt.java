package io.quorlock.quorum.node;

/**
 * One attempt to lock: the owner value that its commands write and compare. Fresh for
 * every attempt, so that a late release of one cannot delete the key of the next.
 *
 * @since 0.1.0
 */
public final class Attempt {

	private final String token;

	private volatile boolean releasing;

	public Attempt(String token) {
		this.token = token;
	}

	/**
	 * The value of the lock key: {@code <instance-id>:<random>:<counter>}.
	 * @return the token
	 */
	public String token() {
		return this.token;
	}

	/**
	 * Whether a release of this attempt has been queued, or is about to be. From then on
	 * a driver must not send any other command of the attempt again (R3).
	 * @return whether the attempt is over
	 */
	public boolean isReleasing() {
		return this.releasing;
	}

	/**
	 * Marks the attempt as over. The engine calls it before it submits the release.
	 */
	public void releasing() {
		this.releasing = true;
	}

	@Override
	public String toString() {
		return this.token;
	}

}
