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

import java.time.Duration;
import java.util.function.LongSupplier;

import static io.quorlock.SettingCheck.check;

/**
 * The settings of a {@link QuorumStore}.
 *
 * @param instanceId the readable part of every owner
 * @param operationTimeout how long a node may take to reply; positive
 * @param retryMinDelay the shortest random pause between two attempts (R4)
 * @param retryMaxDelay the longest one, not shorter than that
 * @param maxLeaseTime the longest lease that any client of the nodes asks for; positive
 * @param clockDriftFactor by how much the rates of two clocks may differ, relatively
 * (R1); 0 to 0.1
 * @param fencing whether grants carry fencing tokens (R9)
 * @param fencingRetention how long a fence key outlives its last grant, and half of it
 * the last renewal (R9)
 * @param fencingFloor the least token that is ever proposed, for locks whose tokens were
 * issued by another store before (R22): microseconds since 1970-01-01T00:00Z, as tokens
 * are; 0 for none
 * @param maxAloneDuration for how long a process may ask right behind its own releases,
 * before others that may wait unheard are let in front (R17)
 * @param random the source of random numbers, uniformly distributed over all longs, so
 * that a simulation can be repeated (R16)
 * @param identity the source of what distinguishes this owner from every other one. A
 * checkpoint of a process may be restored several times, with the state of its random
 * numbers, and each copy is an owner of its own: by default this asks the system anew.
 * @since 0.1.0
 */
public record QuorumSettings(String instanceId, Duration operationTimeout, Duration retryMinDelay,
		Duration retryMaxDelay, Duration maxLeaseTime, double clockDriftFactor, boolean fencing,
		Duration fencingRetention, long fencingFloor, Duration maxAloneDuration, LongSupplier random,
		LongSupplier identity) {

	/**
	 * Create new settings.
	 * @param instanceId the readable part of every owner
	 * @param operationTimeout how long a node may take to reply; positive
	 * @param retryMinDelay the shortest random pause between two attempts (R4)
	 * @param retryMaxDelay the longest one, not shorter than that
	 * @param maxLeaseTime the longest lease that any client of the nodes asks for;
	 * positive
	 * @param clockDriftFactor by how much the rates of two clocks may differ, relatively
	 * (R1); 0 to 0.1
	 * @param fencing whether grants carry fencing tokens (R9)
	 * @param fencingRetention how long a fence key outlives its last grant, and half of
	 * it the last renewal (R9)
	 * @param fencingFloor the least token that is ever proposed, for locks whose tokens
	 * were issued by another store before (R22): microseconds since 1970-01-01T00:00Z, as
	 * tokens are; 0 for none
	 * @param maxAloneDuration for how long a process may ask right behind its own
	 * releases, before others that may wait unheard are let in front (R17)
	 * @param random the source of random numbers, uniformly distributed over all longs,
	 * so that a simulation can be repeated (R16)
	 * @param identity the source of what distinguishes this owner from every other one. A
	 * checkpoint of a process may be restored several times, with the state of its random
	 * numbers, and each copy is an owner of its own: by default this asks the system
	 * anew.
	 * @throws IllegalArgumentException if a value is out of range
	 */
	public QuorumSettings {
		check(operationTimeout.compareTo(Duration.ZERO) > 0, "operation timeout", operationTimeout);
		check(retryMinDelay.compareTo(retryMaxDelay) <= 0 && !retryMinDelay.isNegative(), "shortest retry delay",
				retryMinDelay);
		check(maxLeaseTime.compareTo(Duration.ZERO) > 0, "longest lease", maxLeaseTime);
		check(clockDriftFactor >= 0 && clockDriftFactor <= 0.1, "clock drift factor", clockDriftFactor);
		check(!fencingRetention.isNegative(), "fencing retention", fencingRetention);
		check(fencingFloor >= 0, "fencing floor", fencingFloor);
	}

}
