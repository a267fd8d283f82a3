package io.quorlock.quorum;

import org.jspecify.annotations.Nullable;

import io.quorlock.engine.EngineClock;
import io.quorlock.engine.EngineTimer;
import io.quorlock.quorum.node.Attempt;
import io.quorlock.quorum.node.LockTarget;

/**
 * What the rounds of one store share.
 *
 * @param releases what their releases need
 * @param pending which nodes owe a reply
 * @param proposals proposes fencing tokens
 * @param cooldowns the cool-downs that are known
 * @param fencing whether grants carry fencing tokens
 * @param attempts makes attempts with tokens of their own
 */
record Rounds(Releases releases, PendingReplies pending, FenceProposals proposals, Cooldowns cooldowns, boolean fencing,
		Attempts attempts) {

	/** Makes attempts with tokens of their own. */
	interface Attempts {

		/**
		 * Create an attempt.
		 * @param retainable whether whoever is refused because of it asks for its lease
		 */
		Attempt next(boolean retainable);

	}

	/**
	 * Return the least token of a grant, or null without fencing. What a reader finds may
	 * be older than a token of another store, where the names were before (R19).
	 */
	@Nullable Long leastToken(LockTarget target) {
		if (!this.fencing) {
			return null;
		}
		return (target.kind() == LockTarget.Kind.SHARED) ? this.proposals.leastOfReaders() : 0;
	}

	Voters voters() {
		return this.releases.voters();
	}

	Messenger messenger() {
		return this.releases.messenger();
	}

	EngineClock clock() {
		return this.releases.clock();
	}

	EngineTimer timer() {
		return this.releases.timer();
	}

	Timing timing() {
		return this.releases.timing();
	}

	Activity activity() {
		return this.releases.activity();
	}

	Attempt newAttempt(boolean retainable) {
		return this.attempts.next(retainable);
	}

}
