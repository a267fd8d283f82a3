package io.quorlock.quorum;

import io.quorlock.engine.EngineClock;
import io.quorlock.engine.EngineTimer;
import io.quorlock.quorum.node.Attempt;

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
		 * @param retainable whether claims that are refused because of it ask for its
		 * lease
		 */
		Attempt next(boolean retainable);

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
