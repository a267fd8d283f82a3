package io.quorlock.store;

import org.jspecify.annotations.Nullable;

/**
 * Why a claim was not granted.
 *
 * @since 0.1.0
 */
public sealed interface ClaimFailure {

	/**
	 * Return the reason, as a text.
	 * @return a clause without a full stop
	 */
	String description();

	/**
	 * Another owner held the lock, or has an older ticket than the claim. Nothing else is
	 * reported as "not acquired" (R4).
	 *
	 * @param owner the instance that held it, or {@code null} if it is unknown
	 * @param description the owner that held it, and for how long
	 */
	record Held(@Nullable String owner, String description) implements ClaimFailure {
	}

	/**
	 * The store could not decide: too few nodes replied, or their votes were divided.
	 *
	 * @param description what each node replied
	 */
	record Unavailable(String description) implements ClaimFailure {
	}

	/**
	 * The contender was cancelled.
	 */
	record Cancelled() implements ClaimFailure {

		@Override
		public String description() {
			return "the claim was cancelled";
		}

	}

	/**
	 * The outcome of the first attempt is not known yet.
	 */
	record Pending() implements ClaimFailure {

		@Override
		public String description() {
			return "the nodes have not been asked yet";
		}

	}

}
