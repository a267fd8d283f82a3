package io.quorlock.quorum;

import io.quorlock.engine.EngineClock;
import io.quorlock.engine.EngineTimer;

/**
 * What a release needs to be sent, timed and repeated.
 *
 * @param voters the nodes
 * @param messenger brings commands to them
 * @param clock the clock
 * @param timer the timer
 * @param timing the intervals
 * @param unconfirmed repeats what is not confirmed
 * @param activity counts what is under way
 */
record Releases(Voters voters, Messenger messenger, EngineClock clock, EngineTimer timer, Timing timing,
		UnconfirmedReleases unconfirmed, Activity activity) {
}
