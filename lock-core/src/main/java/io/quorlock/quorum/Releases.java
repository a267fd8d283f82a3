/*
 * Copyright 2026-present the Quorlock authors.
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *      https://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */

package io.quorlock.quorum;

import io.quorlock.time.LockClock;
import io.quorlock.time.LockTimer;

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
 * @param renewals when the leases are renewed
 */
record Releases(Voters voters, Messenger messenger, LockClock clock, LockTimer timer, Timing timing,
		UnconfirmedReleases unconfirmed, Activity activity, RenewalSchedule renewals) {
}
