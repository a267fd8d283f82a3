package io.quorlock.quorum.node;

import org.jspecify.annotations.Nullable;

/**
 * What all commands have: their target, their attempt, and their number among the
 * commands of the attempt.
 *
 * @since 0.1.0
 */
public final class CommandHeader {

	private final LockTarget target;

	private final Attempt attempt;

	private final int number;

	/** What a driver made of the command, to encode it once for all of its nodes. */
	private volatile @Nullable Object encodedForm;

	/**
	 * Create the header of the next command of an attempt.
	 * @param target what the command is about
	 * @param attempt the attempt
	 */
	public CommandHeader(LockTarget target, Attempt attempt) {
		this.target = target;
		this.attempt = attempt;
		this.number = attempt.nextNumber();
	}

	LockTarget target() {
		return this.target;
	}

	Attempt attempt() {
		return this.attempt;
	}

	@Override
	public String toString() {
		return this.target + " by " + this.attempt;
	}

	boolean isNewest() {
		return this.attempt.isNewest(this.number);
	}

	@Nullable Object encodedForm() {
		return this.encodedForm;
	}

	void encodedForm(Object encodedForm) {
		this.encodedForm = encodedForm;
	}

}
