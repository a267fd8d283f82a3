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

package io.quorlock.simulation;

import java.util.List;

/**
 * The defects that the tests must find. Those in classes of this package are defects of
 * what a server or a driver does, which the engine relies on.
 */
final class Mutants {

	static final List<Mutant> ALL = List.of(
			new Mutant("validity without the drift margin", "R1", "AcquireRound#AcquireRound",
					"- timing.driftMarginNanos(this.leaseNanos)", ""),
			new Mutant("drift added instead of subtracted", "R1", "Timing#driftMarginNanos",
					"return (long) (leaseNanos * this.driftFactor)", "return -(long) (leaseNanos * this.driftFactor)"),
			new Mutant("elapsed measured from the last reply", "R1", "Watchdog#Watchdog",
					"round.sentNanos, round.validUntilNanos",
					"round.sentNanos, round.validUntilNanos + quorum.clock.nanoTime() - round.sentNanos"),
			new Mutant("validity not looked at again at hand-out", "R1", "Handle#handOut", "if (!isHeld()) {",
					"if (this.closed != 0) {"),
			new Mutant("half of the nodes are enough", "R1", "Voters#Voters", "this.nodes.size() / 2 + 1",
					"Math.max(1, this.nodes.size() / 2)"),
			new Mutant("quorum of the reachable nodes", "R1", "Voters#isMajority",
					"return Long.bitCount(slots) >= this.majority && (this.lists.isEmpty() "
							+ "|| this.lists.isMajorityOfEach(slots));",
					"return slots != 0 && Long.bitCount(slots) > "
							+ "this.nodes.stream().filter((node) -> node.status().state() "
							+ "!= io.quorlock.quorum.node.NodeStatus.State.DOWN).count() / 2;"),
			new Mutant("failed attempt releases only where it acquired", "R2", "AcquireRound#release",
					"slots = isAskedOnce() ? this.touched & ~this.refused : this.touched;",
					"slots = this.decision.ballot.holders();"),
			new Mutant("failed attempt releases nothing", "R2", "AcquireRound#release", "if (slots != 0) {",
					"if (this.sentNanos == 1) {"),
			new Mutant("late grant of a failed attempt is kept", "R2", "AcquireRound#received",
					"release(owed, this.owedTicket);", "")
				.caughtBy("engine.R02FailedAttemptTests#claimThatWaitsIsReleasedWhereItIsGrantedLateAndNowhereElse"),
			new Mutant("attempt overtakes the release of the one before", "R2, R3", "QuorumContender#attempt",
					"last.releaseOwed();", "")
				.caughtBy("engine.R02FailedAttemptTests#whatIsNotReleasedYetIsReleasedBeforeTheNextAttempt"),
			new Mutant("claim ends without the release of its last attempt", "R2", "QuorumContender#end",
					"last.releaseOwed();", "")
				.caughtBy("engine.R02FailedAttemptTests#whatIsNotReleasedYetIsReleasedWhenTheClaimEnds"),
			new Mutant("release goes ahead of what was sent before", "R3", "SimNode#send",
					"connection.lastArrival = Math.max(connection.lastArrival,",
					"connection.lastArrival = Math.max(call.command instanceof NodeCommand.Release ? 0 : "
							+ "connection.lastArrival,"),
			new Mutant("old connection not killed at reconnect", "R3", "SimNode#handShake",
					"this.previous.killed = true;", "this.previous.usable = false;"),
			new Mutant("owner reused across attempts", "R2", "Quorum#newAttempt", "this.counter.incrementAndGet()",
					"1"),
			new Mutant("release without a reply not repeated", "R8", "Messenger#add", "!ofNode.offer(release)",
					"ofNode.size() < 0"),
			new Mutant("release that failed counts as confirmed", "R8", "Release#received",
					"Release.this.quorum.unconfirmed.add(slot, Release.this); note(0, Voters.bit(slot), 0);",
					"note(Voters.bit(slot), 0, 0);"),
			new Mutant("release deletes whoever holds the key", "R8", "release-free.lua",
					"if n == 1 and owner == ARGV[1] and cooldown == '0' then",
					"if n == 1 and owner ~= '' and cooldown == '0' then"),
			new Mutant("release of several names deletes whoever holds them", "R8, R12", "release-free.lua",
					"if owners[i] == ARGV[1] then", "if owners[i] ~= '' then")
				.caughtBy("simulation.redis.SimulatedRedisTests#releaseOfSeveralNamesFreesOwnOnesOnly"),
			new Mutant("watchdog does not renew", "R6", "Watchdog#look", "? nodesToAsk(now) : 0", "? 0 : 0"),
			new Mutant("retries pile up behind renewals without a reply", "R6", "Watchdog#nodesToAsk",
					"return this.quorum.voters.isMajority(slots) ? slots : 0;", "return this.quorum.voters.all;")
				.caughtBy("engine.R06RenewalTests#retriesDoNotPileUpOnNodesThatOweAReply"),
			new Mutant("joint renewals take the replies to their neighbours", "R28", "ScriptReply#ofAll",
					"(each != null) ? each.get(i) : null",
					"(each != null) ? each.get((i + 1) % commands.size()) : null")
				.caughtBy("redis.client.JointMajorityTests#eachIsRenewedPutBackOrRefusedByItself"),
			new Mutant("one refusal loses all leases of a joint renewal", "R28", "renew-all.lua",
					"local key, reply = KEYS[i], 1", "local key, reply = KEYS[i], replies[i - 1] or 1")
				.caughtBy("redis.client.JointMajorityTests#eachIsRenewedPutBackOrRefusedByItself"),
			new Mutant("released lease is renewed by a joint command behind its release", "R3, R28",
					"RenewalSchedule#add", "joint.leases.add(lease);", "lease.endSubmissions();")
				.caughtBy("engine.R28JointRenewalTests#releaseThatIsDecidedBeforeTheJointCommandIsSentFollowsIt"),
			new Mutant("joint command is sent again with leases that are being released", "R3, R28",
					"JointCommand#sendAgain", "member.command().isResendable() ? left",
					"(member.handler() != null) ? left")
				.and("JointCommand#sendAgain", "allMatch(NodeCommand::isResendable)",
						"allMatch((each) -> each != null)")
				.caughtBy(
						"redis.client.JointMajorityTests#isSentAgainWithItsScriptButWithoutLeasesThatAreBeingReleased"),
			new Mutant("validity of a joint renewal counted from its reply", "R6, R28", "LeaseTerm#confirm",
					"renewal.sentNanos + renewal.leaseNanos", "now + renewal.leaseNanos")
				.caughtBy("engine.R28JointRenewalTests#validityCountsFromWhenTheJointCommandWasSent"),
			new Mutant("retry is sent before its pause has ended", "R6, R28", "LeaseTerm#takeRenewal",
					"this.asked ? 0 : jointNanos()", "jointNanos()")
				.caughtBy("quorum.LeaseTermTests#retryOfALongLeaseComesBehindTheTimeoutOfTheRenewal"),
			new Mutant("every renewal prolongs the fences", "R28", "LeaseTerm#isFenceDue",
					"this.timing.fenceMillis(this.leaseNanos) * 500_000", "0")
				.caughtBy("engine.R28JointRenewalTests#fencesAreProlongedWhenHalfOfTheirLifeIsOver"),
			new Mutant("fence that is lost alone is not put back", "R6, R28", "renew-all.lua",
					"call('EXISTS', unpack(KEYS, n + 1)) < n", "KEYS[1] == ''")
				.caughtBy("redis.client.JointMajorityTests#fenceThatIsLostAloneIsPutBack"),
			new Mutant("renewal without a quorum", "R6", "Renewal#note", "this.voters.isMajority(this.confirmed)",
					"this.confirmed != 0"),
			new Mutant("renewal counts nodes in quarantine", "R6, R10", "Renewal#note",
					"if (reply.voting() && reply instanceof NodeReply.Done) {",
					"if (reply instanceof NodeReply.Done) {"),
			new Mutant("renewal counted from its reply", "R6", "LeaseTerm#confirm",
					"renewal.sentNanos + renewal.leaseNanos", "now + renewal.leaseNanos"),
			new Mutant("renewal of an expired lock counts", "R6", "LeaseTerm#confirm", "|| isExpired(now) ||", "||"),
			new Mutant("lost lock revived by a late renewal", "R7", "LeaseTerm#confirm",
					"if (!isHeld() || isExpired(now) || renewal.epoch != this.epoch) {",
					"if (this.state == State.LOST) { this.state = State.HELD; } if (!isHeld()) {")
				.and("HeldLease#isHeld", "return this.state == State.HELD && isValid();", "return isValid();"),
			new Mutant("one refusal loses the lock", "R7", "Renewal#note", "this.voters.isMajority(this.refused)",
					"this.refused != 0"),
			new Mutant("loss noticed by the timer only", "R7", "Watchdog#loss",
					"!this.term.isExpired(this.quorum.clock.nanoTime()) ||", "this.term.isHeld() ||"),
			new Mutant("renewal takes the key from another", "R6", "renew.lua", "owners[i] = owner_of(KEYS[i])",
					"owners[i] = owner_of(KEYS[i]) and ARGV[1]"),
			new Mutant("keys shortened before the handle", "R6", "LeaseTerm#change", "if (shorter) {",
					"if (this.epoch < 0) {"),
			new Mutant("earlier renewal undoes a shorter extension", "R6", "LeaseTerm#confirm",
					"|| renewal.epoch != this.epoch", ""),
			new Mutant("reader becomes a writer by re-entry", "R11, R19", "DefaultLockTemplate#checkMode",
					"held.mode() == LockMode.EXCLUSIVE", "held.mode() != null")
				.caughtBy("engine.R11ReentryTests#readerDoesNotBecomeAWriter"),
			new Mutant("lock that is not re-entrant is re-entered", "R11", "DefaultLockTemplate#reenter",
					"!request.isReentrant()", "request.names().isEmpty()")
				.caughtBy("engine.R11ReentryTests#lockThatIsNotReentrantIsRefused"),
			new Mutant("lock is re-entered as one of several permits", "R11, R20", "DefaultLockTemplate#reenter",
					"(found.handle().permit() > 0) != (request.permits() > 0)", "found.handle().permit() < 0")
				.caughtBy("engine.R11ReentryTests#lockIsNoPermitOfItsName"),
			new Mutant("re-entry takes names for held that are not", "R11, R12", "DefaultLockTemplate#acquire",
					"if (!missing.isEmpty()) {", "if (missing.size() == request.names().size()) {")
				.caughtBy("engine.R11ReentryTests#namesThatTheCallDoesNotHoldAreAskedFor"),
			new Mutant("lost lock is re-entered", "R7, R11", "Handle#reenter", "ensureHeld();", "checkOpen();")
				.caughtBy("engine.R11ReentryTests#lostLockIsNotReentered"),
			new Mutant("first handle releases for all", "R11", "Holder#release", "HANDLES.decrementAndGet(this) == 0",
					"HANDLES.decrementAndGet(this) >= 0")
				.caughtBy("engine.R11ReentryTests#lastHandleReleases"),
			new Mutant("fence without the second round", "R9", "Ballot#isStored",
					"return Ballot.this.voters.isMajority(this.stored);", "return true;"),
			new Mutant("second round counts nodes where it holds nothing", "R9", "raise.lua",
					"if redis.call('GETRANGE', KEYS[i], 0, 1023) ~= ARGV[1] then", "if not KEYS[i] then")
				.caughtBy("simulation.redis.SimulatedRedisLockNodeTests#raiseLiftsTheFenceWhereTheAttemptHoldsTheLock"),
			new Mutant("token is the smallest vote", "R9", "Ballot#FenceTally", "fences[i] > this.greatest[i]",
					"this.greatest[i] == 0 || fences[i] < this.greatest[i]"),
			new Mutant("node that voted for less counts as one that stores the greatest", "R9", "Ballot#FenceTally",
					"this.stored = 0;", "")
				.caughtBy("quorum.FenceTallyTests#majorityThatVotedForTheGreatestFenceStoresIt"),
			new Mutant("tokens proposed without a clock", "R9", "FenceProposals#propose",
					"long clock = this.clocks.micros(nowNanos);", "long clock = 1;"),
			new Mutant("tokens of a wrong clock are stored before a node has told its time", "R9", "Session#refusal",
					"(Math.abs(aheadMicros) <= A_DAY)", "(aheadMicros != A_DAY)")
				.caughtBy("redis.client.EarlyCommandsTests#tokenOfAClockThatIsDaysAheadIsNotProposed"),
			new Mutant("token just before the connection is not checked", "R9", "RedisLockNode#send",
					"session.refusal(command, this.options.clock());", "null;")
				.caughtBy("redis.client.EarlyCommandsTests#tokenOfAClockThatIsDaysAheadIsNotProposed"),
			new Mutant("clock of this machine passes for that of the nodes", "R9", "Quorum#newAttempt",
					"this.clocks.unconfirmedMicros()", "0")
				.caughtBy("engine.R09FencingTests#attemptCarriesTheClockOfThisMachineUntilANodeHasToldItsTime"),
			new Mutant("fence does not outlive its lock", "R9", "Timing#fenceMillis",
					"return this.retentionMillis + leaseNanos / 1_000_000;", "return 1;"),
			new Mutant("range of the hand-over not stored", "R9, R17", "acquire-free.lua",
					"math.max(stored + (ARGV[5] or 16), proposed)", "math.max(stored + 1, proposed)"),
			new Mutant("hand-over without a token of its own", "R17", "Handle#fencingToken", "+ this.holder.turnNumber",
					""),
			new Mutant("renewal stores the given fence", "R6, R9", "fences.lua",
					"fence = math.max(stored, tonumber(granted))", "fence = tonumber(granted)")
				.caughtBy("simulation.redis.SimulatedRedisTests#renewalKeepsAFenceThatIsGreater"),
			new Mutant("raise stores the given fence", "R9", "fences.lua",
					"fence = math.max(stored, tonumber(granted))", "fence = tonumber(granted)")
				.caughtBy("simulation.redis.SimulatedRedisTests#raiseKeepsAFenceThatIsGreater"),
			new Mutant("raise leaves the fence its old time to live", "R9", "raise.lua",
					"redis.call('SET', KEYS[i] .. ':fence', fences[i], 'PX', ARGV[2])",
					"redis.call('SET', KEYS[i] .. ':fence', fences[i], 'PX', "
							+ "math.max(1, redis.call('PTTL', KEYS[i] .. ':fence')))")
				.caughtBy("simulation.redis.SimulatedRedisTests#raiseGivesTheFenceItsWholeLifeAgain"),
			new Mutant("fence expires with the lease", "R9", "acquire-free.lua",
					"fence == proposed and ARGV[4] or fence, 'PX', ARGV[3])",
					"fence == proposed and ARGV[4] or fence, 'PX', ARGV[2])")
				.caughtBy("simulation.redis.SimulatedRedisTests#fenceOutlivesTheLease"),
			new Mutant("fences of several names expire with the lease", "R9, R12", "acquire-all.lua",
					"redis.call('SET', KEYS[i] .. ':fence', fences[i], 'PX', ARGV[3])",
					"redis.call('SET', KEYS[i] .. ':fence', fences[i], 'PX', ARGV[2])")
				.caughtBy("simulation.redis.SimulatedRedisTests#fencesOfSeveralNamesOutliveTheLease"),
			new Mutant("vote that ignores the stored fence", "R9", "acquire-free.lua",
					"fence = math.max(stored + (ARGV[5] or 16), proposed)", "fence = proposed"),
			new Mutant("acquire overwrites the key of another", "R1", "acquire-free.lua",
					"call('SET', lock, ARGV[1], 'NX', 'PX', ARGV[2])", "call('SET', lock, ARGV[1], 'PX', ARGV[2])"),
			new Mutant("first in the queue overwrites the key of another", "R1, R21", "acquire.lua",
					"redis.call('SET', lock, ARGV[1], 'NX', 'PX', ARGV[2])",
					"redis.call('SET', lock, ARGV[1], 'PX', ARGV[2])"),
			new Mutant("fence of the first in the queue expires with the lease", "R9, R21", "acquire.lua",
					"redis.call('SET', fence_key, fence, 'PX', ARGV[3])",
					"redis.call('SET', fence_key, fence, 'PX', ARGV[2])")
				.caughtBy("simulation.redis.SimulatedRedisTests#fenceOfTheFirstInTheQueueOutlivesTheLease"),
			new Mutant("several names without looking at the last", "R12", "acquire-all.lua",
					"local other = holder(KEYS[i]) or first and '~ticket:' .. first",
					"local other = (i < n or n == 1) and (holder(KEYS[i]) or first and '~ticket:' .. first)"),
			new Mutant("renewal shortens what an extension lengthened", "R6", "prolong.lua",
					"math.max(lease, redis.call('PTTL', key))", "lease")
				.caughtBy("simulation.redis.SimulatedRedisTests#renewalNeverShortensWhatAnExtensionLengthened"),
			new Mutant("lost key not put back by the renewal", "R6", "renew.lua",
					"if not owners[i] then redis.call('SET', KEYS[i], ARGV[1], 'PX', ARGV[2])",
					"if not KEYS[i] then redis.call('SET', KEYS[i], ARGV[1], 'PX', ARGV[2])")
				.caughtBy("simulation.redis.SimulatedRedisTests#renewalPutsALostKeyBack"),
			new Mutant("release of a key that cools down frees it", "R18", "release-free.lua",
					"call('SET', KEYS[i], '~cooldown', 'PX', cooldown)",
					"call('SET', KEYS[i], ARGV[1], 'PX', cooldown)"),
			new Mutant("reader beside a writer", "R19", "acquire-shared.lua",
					"if not other or type(other) == 'table' then", "if KEYS[i] then"),
			new Mutant("writer of several names beside readers", "R19", "acquire-all.lua",
					"local other = holder(KEYS[i]) or",
					"local other = holder(KEYS[i]) if n > 1 and type(other) == 'table' then other = nil end other = other or"),
			new Mutant("lease of a later reader does not prolong the key", "R19", "acquire-shared.lua",
					"redis.call('SET', KEYS[i], '~shared', 'PXAT', last)",
					"if redis.call('EXISTS', KEYS[i]) == 0 then redis.call('SET', KEYS[i], '~shared', 'PXAT', last) end")
				.caughtBy("simulation.redis.SimulatedRedisTests#laterReaderProlongsTheKey"),
			new Mutant("first reader to leave frees the others", "R19", "release-shared.lua",
					"owners[i] == '~shared' and last", "owners[i] == '~never' and last"),
			new Mutant("renewal of a reader takes the key of a writer", "R19", "renew-shared.lua",
					"if owners[i] and owners[i] ~= '~shared' and owners[i] ~= ARGV[1] then", "if not KEYS[i] then"),
			new Mutant("reader's token is less than that of the writer before", "R19", "acquire-shared.lua",
					"math.max(stored[i], tonumber(ARGV[3 + i]))", "1"),
			new Mutant("reader keeps a fence however old it is", "R19", "acquire-shared.lua",
					"math.max(stored[i], tonumber(ARGV[3 + i]))",
					"stored[i] > 0 and stored[i] or tonumber(ARGV[3 + i])")
				.caughtBy("simulation.redis.SimulatedRedisTests#readerRaisesAFenceThatIsTooOld"),
			new Mutant("reader proposes nothing", "R19", "FenceProposals#minOfReaders",
					"(clock / this.stepMicros - 1) * this.stepMicros", "0")
				.caughtBy("quorum.FenceProposalsTests#tokenOfAReaderFollowsTheClockInSteps"),
			new Mutant("reader who joins gets the first token of the lease", "R19", "Succession#share",
					"readers.number()", "0"),
			new Mutant("readers of a writer's lease get its first token", "R17, R19", "Succession#pass",
					"readers.put(reader, new Holder(reader.call, turnNumber))",
					"readers.put(reader, new Holder(reader.call, 0))"),
			new Mutant("writer gets the lease beside readers that hold it", "R17, R19", "Turn#leave",
					"return COUNT.decrementAndGet(this) == 0;", "return COUNT.decrementAndGet(this) >= 0;"),
			new Mutant("writer takes over among readers", "R17, R19", "LocalQueue#takeNext",
					"(taken.isEmpty() || next.mode() == LockMode.SHARED)", "(taken.size() < 9)"),
			new Mutant("lease that was turned for readers passes to a writer", "R17, R19", "LeaseTerm#passOn",
					"|| this.downgraded ||", "||"),
			new Mutant("readers keep a writer's lease to themselves", "R19", "HeldLease#passTo",
					"tenure.whenOver(this::shareIfNotYoung);", "")
				.caughtBy(
						"engine.R19HandOverTests#readersThatStayShareTheLeaseWithOtherInstancesAfterTheMaximumDuration"),
			new Mutant("readers are let in before the handle is one", "R19", "HeldLease#downgrade",
					"writer.downgraded = true;", "")
				.and("HeldLease#downgrade", "writer.downgraded = this.mode == LockMode.SHARED;",
						"writer.downgraded = false;"),
			new Mutant("votes for several permits count together", "R20", "Ballot#votingFor",
					"&& granted.permit() == permit", ""),
			new Mutant("permit that is held is given away", "R20", "acquire-permit.lua",
					"if owners[i] then local left =", "if not key then local left ="),
			new Mutant("release of a permit frees those of others", "R20", "release-permit.lua",
					"redis.call('GETRANGE', key, 0, 1023) == ARGV[1]", "redis.call('EXISTS', key) == 1"),
			new Mutant("fence of a permit not raised", "R20", "acquire-permit.lua",
					"math.max(stored + ARGV[at], tonumber(ARGV[4]))", "math.max(stored, 1)"),
			new Mutant("ticket without an expiry", "R21", "line.lua", "ends <= LONGEST and ends or 0",
					"ends <= LONGEST and math.max(ends, 1) or 0")
				.caughtBy("simulation.redis.SimulatedRedisTests" + "#readerThatVanishedIsNotOfferedTheNameAmongOthers"),
			new Mutant("nodes do not look at tickets", "R21", "line.lua", "if not first or first == ticket then",
					"if not first or lock then"),
			new Mutant("each node has an order of its own", "R21", "line.lua",
					"redis.call('ZADD', line, 'NX', stamp, ticket)", "redis.call('ZADD', line, 'NX', waiting, ticket)"),
			new Mutant("ticket of a clock that is far ahead does not keep its place", "R19, R21", "line.lua",
					"if found[i] == own then", "if false then")
				.caughtBy(
						"simulation.redis.SimulatedRedisLockNodeTests#readerWhoseClockIsFarAheadKeepsItsPlaceInFrontOfAWriter"),
			new Mutant("readers pass the writer who waits for them", "R19, R21", "acquire-shared.lua",
					"other = first and '~ticket:' .. first", "other = nil"),
			new Mutant("permits are given to whoever comes", "R20, R21", "acquire-permit.lua",
					"if free > ahead then local key", "if free > 0 then local key")
				.caughtBy("simulation.redis.SimulatedRedisLockNodeTests#olderTicketsKeepAsManyPermitsFree"),
			new Mutant("waiter stands behind those who came later", "R21", "QuorumContender#ticket",
					"- (now() - this.claim.queuedAtNanos()) / 1_000", "+ (now() - this.claim.queuedAtNanos()) / 1_000"),
			new Mutant("ticket that is written down by a late refusal stays", "R21", "AcquireRound#tidy",
					"this.quorum.withdraw(this.target, ticket.text(), Voters.bit(slot));", "")
				.caughtBy("engine.R04WaitingTests#grantWithdrawsTheTicketWhereTheNodeRefusedAlsoIfThatComesLate"),
			new Mutant("ticket of a claim that ended stays", "R21", "QuorumContender#end",
					"this.quorum.withdraw(this.target, ticket, this.quorum.voters.all);", "")
				.caughtBy("engine.R04WaitingRaceTests#waiterThatGivesUpAsItBeginsToWaitWithdraws"),
			new Mutant("offer to a claim that ended is ignored", "R21", "InstanceChannel#received",
					"this.withdrawals.withdraw(slot, offer.ticket(), offer.name());", "")
				.caughtBy("engine.R04WaitingTests#offerForAClaimThatHasEndedIsAnsweredByAWithdrawal"),
			new Mutant("claim that waits leaves no ticket", "R21", "QuorumContender#onFailed",
					"round.release(queues ? queue() : null);", "round.release(null);")
				.caughtBy("engine.R04WaitingTests#refusedClaimBringsItsTicketWithTheReleaseOfTheRound"),
			new Mutant("claim whose votes were divided leaves no ticket", "R4, R21", "ContenderState#failed",
					"failure == null && result.voted() &&", "failure == null && result.isHeld() &&")
				.caughtBy("engine.R04WaitingTests#claimWhoseVotesWereDividedStandsInTheQueues"),
			new Mutant("every attempt has a ticket of its own", "R21", "QuorumContender#ticket",
					"if (ticket == null) {", "if (ticket == null || attempts() > 0) {")
				.caughtBy("engine.R04WaitingTests#claimHasOneTicketForAllOfItsAttempts"),
			new Mutant("release in front does not take the ticket along", "R21", "QuorumContender#queueBehindRelease",
					"locked(this.state::queue) ? queue() : null", "null")
				.caughtBy("engine.R04WaitingTests#releaseTakesTheTicketOfTheNextLocalClaimAlong"),
			new Mutant("offer during an attempt is dropped", "R4", "QuorumContender#onOffered",
					"this.state.offeredBy(slot);", "if (this.state.isWaiting()) { this.state.offeredBy(slot); }")
				.caughtBy("engine.R04WaitingTests#offerDuringTheAttemptCounts"),
			new Mutant("nodes that free the name last are asked too early", "R4", "ContenderState#offeredDelayNanos",
					"return byAll ? 0 : Math.min(MAX_GRACE_NANOS, questionNanos());", "return 0;")
				.caughtBy("engine.R04WaitingTests#offersOfTheLastNodesAreAwaitedForARoundTripAtMost"),
			new Mutant("offers of nodes that are dead are awaited", "R4", "ContenderState#offeredDelayNanos",
					"(queued & ~(this.offered | granted())) == 0", "(this.offered | granted()) == this.voters.all")
				.caughtBy("engine.R04WaitingTests#offerOfANodeThatDoesNotReplyIsNotAwaited"),
			new Mutant("refusal by all nodes is taken for a divided vote", "R4", "ContenderState#pauseNanos",
					"if (!result.isHeld() && !result.isRefused()) {", "if (!result.isHeld()) {")
				.caughtBy("engine.R04WaitingTests#claimThatAllNodesRefuseForDifferentReasonsWaitsInTheQueue"),
			new Mutant("offers of a majority wake nobody", "R4", "QuorumContender#onOffered",
					"return delay == 0 && this.state.isWaiting();", "return false;")
				.caughtBy("engine.R04WaitingTests#offerOfAMajorityWakesTheClaimAtOnce"),
			new Mutant("offer of one node is enough", "R4", "ContenderState#isOffered",
					"this.voters.isMajority(this.offered | granted())", "this.attempts > 0")
				.caughtBy("engine.R04WaitingTests#offerOfAMajorityWakesTheClaimAtOnce"),
			new Mutant("offer of a minority wakes nobody", "R4", "QuorumContender#onOffered", "askWithin(delay);", "")
				.caughtBy("engine.R04WaitingTests#offerOfOneNodeWakesTheClaimAfterTwoRoundTrips"),
			new Mutant("echo of the own round is an offer", "R4", "ContenderState#freshOffers",
					"return this.offered & ~((this.last != null) ? this.last.freed() : 0);", "return this.offered;")
				.caughtBy("engine.R04WaitingTests#echoOfTheOwnRoundIsNoOffer"),
			new Mutant("echo of a node that does not vote is an offer", "R4, R10", "ContenderState#freshOffers",
					"(this.last != null) ? this.last.freed() : 0", "granted()")
				.caughtBy("engine.R04WaitingTests#echoOfANodeThatDoesNotVoteIsNoOffer"),
			new Mutant("node that granted the last round does not count with the offers", "R4",
					"ContenderState#isOffered", "this.offered | granted()", "this.offered")
				.caughtBy("engine.R04WaitingTests#offerCountsTogetherWithTheNodesThatGrantedTheLastRound"),
			new Mutant("claims of an instance do not share what they may ask", "R4", "ContenderState#pauseNanos",
					"Math.max(Math.min(pause, lifeNanos / 2), share)", "Math.min(pause, lifeNanos / 2)")
				.caughtBy("quorum.ContenderPausesTests#manyClaimsAskFourHundredTimesASecondTogether"),
			new Mutant("claims do not ask in time to prolong their tickets", "R4", "ContenderState#pauseNanos",
					"lifeNanos / 4 * 3", "lifeNanos * 3")
				.caughtBy("quorum.ContenderPausesTests#claimsAskInTimeToProlongTheirTickets"),
			new Mutant("claim that is next does not ask", "R4", "InstanceChannel#received", "waiter.onNext();", "")
				.caughtBy("engine.R04WaitingTests#claimThatIsNextAsksAfterTwoOperationTimeouts"),
			new Mutant("claim that may have missed an offer does not ask", "R4", "QuorumContender#onListening",
					"if (this.state.listeningTo(slot)) {", "if (slot < 0) {")
				.caughtBy("engine.R04WaitingTests#claimThatListensAgainOnAMajorityAsksAtOnce"),
			new Mutant("claims far behind ask as often as the first", "R4", "ContenderState#pauseNanos",
					"(1 + result.rank())", "1")
				.caughtBy("engine.R04WaitingTests#pausesGrowWithTheRank"),
			new Mutant("wait that ends behind a known holder asks once more", "R4", "ContenderState#endUnasked",
					"last.isHeld() &&", "last.isDivided() &&")
				.caughtBy("engine.R04WaitingTests#waitThatEndsBehindAKnownHolderAsksNoMore"),
			new Mutant("offer never ends", "R21", "line.lua",
					"redis.call('ZADD', lock .. ':ends', 'XX', clock() + patience_of(ticket), ticket)", "")
				.caughtBy(
						"simulation.redis.SimulatedRedisLockNodeTests#ticketThatIsOfferedANameAndDoesNotComeIsDropped"),
			new Mutant("offer stands although the name was taken and freed since", "R21", "line.lua",
					"if not again and is_on_offer(lock, ticket) then", "if is_on_offer(lock, ticket) then")
				.caughtBy("simulation.redis.SimulatedRedisLockNodeTests#nameThatIsFreedOnceMoreIsOfferedOnceMore"),
			new Mutant("second in the queue is not told", "R21", "line.lua", "notify(lock, 'next', tickets[many + 1])",
					"")
				.caughtBy("simulation.redis.SimulatedRedisLockNodeTests#releaseOffersTheNameToTheFirstAndTellsTheNext"),
			new Mutant("release offers nothing", "R21", "release.lua",
					"pass_on(KEYS[i], state_of(owners[i]), not owners[-i], ARGV[5] and ARGV[3], not ARGV[3] and first[i])",
					"")
				.caughtBy("simulation.redis.SimulatedRedisLockNodeTests#releaseOffersTheNameToTheFirstAndTellsTheNext"),
			new Mutant("round that failed is offered what it freed itself", "R21", "release.lua", "ARGV[5] and ARGV[3]",
					"nil")
				.caughtBy("simulation.redis.SimulatedRedisLockNodeTests#roundThatFailedIsNotOfferedWhatItFreedItself"),
			new Mutant("release offers the name before it writes down the ticket that it brings", "R21", "release.lua",
					"stand(n, owners, first, ARGV[3], ARGV[4])", "")
				.and("release.lua", "return queued",
						"if ARGV[3] then stand(n, owners, first, ARGV[3], ARGV[4]) end return queued")
				.caughtBy(
						"simulation.redis.SimulatedRedisLockNodeTests#releaseWritesTheTicketThatItBringsDownBeforeItOffersTheName"),
			new Mutant("claim for several names keeps a free one while another is held", "R12, R21", "refuse.lua",
					"remove(KEYS[i], ticket)", "register(KEYS[i], ticket, life)")
				.caughtBy(
						"simulation.redis.SimulatedRedisLockNodeTests#claimForSeveralNamesReservesNoneWhileAnotherIsHeld"),
			new Mutant("round for several names stands in the queue of a free one", "R12, R21", "stand.lua",
					"#waits > 0 and #waits or n", "n")
				.and("stand.lua", "KEYS[waits[i] or i]", "KEYS[i]")
				.caughtBy(
						"simulation.redis.SimulatedRedisLockNodeTests#roundForSeveralNamesStandsInTheQueuesOfThoseThatAreTaken"),
			new Mutant("withdrawal passes nothing on", "R20, R21", "withdraw.lua", "pass_on(KEYS[i], nil, false)", "")
				.caughtBy(
						"simulation.redis.SimulatedRedisLockNodeTests#permitsThatAreFreedTogetherAreOfferedToAsManyTickets"),
			new Mutant("permits that are freed are all offered to the first", "R20, R21", "line.lua",
					"free_permits(lock, math.min(permits, 1000)) - 1", "math.min(0, permits - 1)")
				.caughtBy(
						"simulation.redis.SimulatedRedisLockNodeTests#permitsThatAreFreedTogetherAreOfferedToAsManyTickets"),
			new Mutant("readers are offered the name one after the other", "R19, R21", "line.lua",
					"while many < READERS_AT_ONCE and", "while many < 1 and")
				.caughtBy(
						"simulation.redis.SimulatedRedisLockNodeTests#readersInFrontOfAWriterAreOfferedTheNameTogether"),
			new Mutant("ticket of an instance that does not listen is kept", "R21", "line.lua",
					"notify(lock, 'offer', ticket) == 0", "notify(lock, 'offer', ticket) < 0")
				.caughtBy("simulation.redis.SimulatedRedisLockNodeTests#ticketOfAnInstanceThatDoesNotListenIsSkipped"),
			new Mutant("plain refusal by readers is taken for the whole one", "R19", "ScriptReply#isPartial",
					"refused.blockers().get(0) instanceof Blocker.Readers ||", "")
				.caughtBy("simulation.redis.SimulatedRedisTests#plainScriptDoesWhatTheOneInFullDoes"),
			new Mutant("claim gives way to a dead one", "R21", "ScriptReply#isPartial",
					"|| refused.blockers().get(0) instanceof Blocker.Waiting", "")
				.caughtBy("simulation.redis.SimulatedRedisTests#plainScriptDoesWhatTheOneInFullDoes"),
			new Mutant("node takes another range for the usual one", "R9, R17", "acquire-free.lua", "(ARGV[5] or 16)",
					"(ARGV[5] or 1)")
				.caughtBy("simulation.redis.SimulatedRedisTests#plainScriptDoesWhatTheOneInFullDoes"),
			new Mutant("range is left out though it is not the usual one", "R9, R17", "ScriptCall#acquire",
					"command.range() != USUAL_RANGE", "command.range() > USUAL_RANGE")
				.caughtBy("redis.ScriptCallTests#oneNameIsFirstLockedWithFewerKeys"),
			new Mutant("plain refusal asks for no retained lease", "R24", "acquire-plain.lua", "if instance then",
					"if false then")
				.caughtBy("simulation.redis.SimulatedRedisTests#plainScriptDoesWhatTheOneInFullDoes"),
			new Mutant("acquire follows the release of its attempt in full", "R3", "LockCommand#sendInFull",
					"this.command::isResendable", "() -> true")
				.caughtBy("redis.client.LockCommandTests#commandIsNotSentInFullBehindTheReleaseOfItsAttempt"),
			new Mutant("acquire over a driver follows the release of its attempt", "R3",
					"SpringRedisLockNode#runInOrder", "otherwise != null && !", "sending.whole() && !")
				.caughtBy("redis.spring.SpringRedisLockNodeTests#commandIsNotSentInFullBehindTheReleaseOfItsAttempt"),
			new Mutant("message that a script may not publish is forgotten", "R21", "LockCommand#onReply",
					"ScriptReply.publish(reply, this::publish)", "ScriptReply.publish(reply, (channel, text) -> { })")
				.caughtBy("redis.client.DeclaredKeysTests#releaseOffersTheNameToTheFirstAndTellsTheNext"),
			new Mutant("ticket that was granted stays", "R21", "acquire.lua", "remove(lock, ticket)", "")
				.caughtBy("simulation.redis.SimulatedRedisTests#grantRemovesItsTicket"),
			new Mutant("refusal by a ticket offers nothing", "R21", "refuse.lua", "pass_on(KEYS[i], 'free', false)", "")
				.caughtBy("simulation.redis.SimulatedRedisLockNodeTests#refusalByATicketOffersTheNameToThatTicketOnce"),
			new Mutant("no quarantine", "R10", "NodeAdmission#isVoting", "&& waitNanos(seen, nowNanos) == 0;", ";"),
			new Mutant("quarantine shorter than the lease", "R10", "NodeAdmission#NodeAdmission",
					"(quarantine.toNanos() * (1 + driftFactor)) + ROUNDING.toNanos()",
					"(quarantine.toNanos() * (1 + driftFactor)) / 3"),
			new Mutant("acquire counts nodes in quarantine", "R10", "Ballot#note", "if (!reply.voting()) { return;",
					"if (!reply.voting()) { reply.voting();")
				.and("Ballot#votingFor", "granted.voting() &&", ""),
			new Mutant("node that is new to the group counts at once", "R10", "NodeAdmission#waitNanos",
					"Math.min(seen.up.nanosAgo(nowNanos), record.nanosAgo(nowNanos))", "seen.up.nanosAgo(nowNanos)")
				.caughtBy("quorum.membership.NodeAdmissionTests#newcomerCountsAfterTheQuarantineFromItsRecordOn"),
			new Mutant("stepped clock leaves no doubt", "R27", "NodeAdmission#waitNanos",
					"Math.max(0, this.quarantineNanos - age), doubtNanos(seen, nowNanos)",
					"Math.max(0, this.quarantineNanos - age), 0")
				.caughtBy("quorum.membership.NodeAdmissionTests#nodeWhoseLeasesAreInDoubtIsExcludedAsAfterARestart"),
			new Mutant("step of a majority is blamed on the nodes", "R27", "ClockSteps#isJudged",
					"if (alike >= this.majority) {", "if (alike > this.histories.length) {")
				.caughtBy("quorum.membership.ClockStepsTests#majorityThatStepsAlikeIsOurOwnClock"),
			new Mutant("clock is compared with the last reply alone", "R27", "ClockHistory#add",
					"if (before == this.comparedSince) {", "if (before != sample) {")
				.caughtBy("quorum.membership.ClockStepsTests#stepDuringASlowReplyIsNoticed"),
			new Mutant("drift is taken for a step", "R27", "ClockHistory#between", "max * (1 + this.driftFactor)",
					"max * 1.0")
				.caughtBy("quorum.membership.ClockStepsTests#slewingWithinTheDriftIsNone"),
			new Mutant("no step is noticed", "R27", "ClockSteps#read", "advance.minMicros() > TOLERANCE_MICROS",
					"advance.minMicros() > Long.MAX_VALUE - TOLERANCE_MICROS")
				.caughtBy("simulation.ClockStepSimulationTests#stepOfANodeIsNoticedInTime"),
			new Mutant("step that others contradict waits until their time is over", "R27", "ClockSteps#isJudged",
					"overdue || this.histories.length - contradicting < this.majority || contradicting >= this.majority",
					"overdue")
				.caughtBy("simulation.ClockStepSimulationTests#stepOfANodeIsNoticedInTime"),
			new Mutant("step is judged by the oldest reply", "R27", "ClockHistory#isClearer",
					"(suffices ? ClockSteps.TOLERANCE_MICROS : 0)", "0")
				.caughtBy(
						"quorum.membership.ClockStepsTests#stepOfAClockThatRunsAsFastAsAllowedIsJudgedAtTheNextReplies"),
			new Mutant("node that stepped votes before its leases have ended", "R27", "NodeAdmission#doubtNanos",
					"this.quarantineNanos - doubt", "this.quarantineNanos / 8 - doubt")
				.caughtBy("simulation.ClockStepSimulationTests#stepOfANodeIsNoticedInTime"),
			new Mutant("node that stepped never votes again", "R27", "NodeAdmission#doubtNanos",
					"Math.max(0, this.quarantineNanos - doubt.since.nanosAgo(nowNanos))", "this.quarantineNanos")
				.caughtBy("simulation.ClockStepSimulationTests#stepOfANodeIsNoticedInTime"),
			new Mutant("nodes that step alike contradict each other", "R27", "ClockSteps#isJudged",
					"advance.minMicros() <= suspicion.maxMicros()) { alike++; }",
					"advance.minMicros() <= suspicion.maxMicros()) { contradicting++; }")
				.caughtBy("simulation.ClockStepSimulationTests#stepOfAllNodesIsNoneOfTheirs"),
			new Mutant("step backwards is one as well", "R27", "ClockHistory#between",
					"long advanced = after.timeMicros() - before.timeMicros();",
					"long advanced = Math.abs(after.timeMicros() - before.timeMicros());")
				.caughtBy("simulation.ClockStepSimulationTests#stepBackwardsIsNone"),
			new Mutant("slow reply is taken for a step", "R27", "ClockHistory#between",
					"(after.receivedNanos() - before.sentNanos()) / 1_000 + 1",
					"(after.sentNanos() - before.receivedNanos()) / 1_000 + 1")
				.caughtBy("simulation.ClockStepSimulationTests#slewedClocksAreNotStepped"),
			new Mutant("reader takes a token below the floor", "R9, R19", "FenceProposals#minOfReaders",
					"Math.max(this.floor, ", "Math.max(0, ")
				.caughtBy("engine.R09FencingTests#readerTakesNoTokenBelowTheFloor"),
			new Mutant("stop releases nothing", "R14", "LockEngine#stop", ".filter(HeldLease::stop)",
					".limit(0).filter(HeldLease::stop)"),
			new Mutant("renewals go on after the stop", "R14", "LeaseTerm#release", "this.state = State.RELEASED;",
					"this.lossReason = \"\";"),
			new Mutant("divided vote told as held by another", "R4", "RoundResult#of", "if (standings.isHeld()) {",
					"if (decision.isVoted()) {"),
			new Mutant("divided vote not settled", "R4", "ContenderState#begin",
					"if (this.settlement == null && (last ||", "if (this.settlement == null && (this.cancelled ||"),
			new Mutant("requests for one name pass those for several", "R13", "LocalQueues#waitersInFront",
					"if (first != null && (!passes || writer)) {",
					"if (first != null && (!passes || writer) && first.names().size() == queues.size()) {")
				.caughtBy("engine.R13LocalQueueTests#requestForOneNamePassesNobodyWhoWaitsForSeveral"),
			new Mutant("tokens follow the process's own clock", "R9", "NodeClocks#micros",
					"return offset.isPresent() ? now / 1_000 + offset.getAsLong() : this.clock.wallMicros();",
					"return this.clock.wallMicros();"),
			new Mutant("waiter depends on the release message", "R4", "ContenderState#limited",
					"Math.min(delayNanos, Math.max(0, max))", "Math.max(0, max)"),
			new Mutant("wait goes on after its time", "R4", "ContenderState#failed", "(remaining > 0 &&",
					"(remaining > -1_000_000_000L &&"),
			new Mutant("limit of attempts is not looked at", "R4", "ContenderState#isExhausted",
					"return this.attempts >= this.claim.maxAttempts();", "return this.attempts < 0;"),
			new Mutant("failed request stays at the head of the queue", "R13", "Acquisition#onFailed", "leave();", "")
				.caughtBy("engine.WaitingTests#manyWaitersFailOneAfterAnotherWithALimitOfAttempts"),
			new Mutant("lease that nobody uses is taken by two", "R24", "HeldLease#resume",
					"return STATE.compareAndSet(this, State.RETAINED, State.HELD);",
					"return this.state == State.HELD || STATE.compareAndSet(this, State.RETAINED, State.HELD);"),
			new Mutant("lease that nobody uses is taken again with the same token", "R24", "Succession#resume",
					"lease.tokens().next()", "lease.tokens().next() - 1"),
			new Mutant("lease that nobody uses is taken although it may not pass on", "R24", "Succession#resume",
					"!there || !lease.tokens().passOn()", "!there")
				.caughtBy("engine.R24RetainedLeaseTests#leaseThatIsTakenAgainBelongsToItsNewHolderAlone"),
			new Mutant("nobody is asked for a lease that is merely kept", "R24", "refuse.lua",
					"if instance then publish(", "if instance == lock then publish("),
			new Mutant("lease that others want is kept all the same", "R24", "HeldLease#wanted",
					"tenure().wanted = true; this.engine.succession.giveUp(this);", ""),
			new Mutant("what readers share is kept", "R24", "Succession#retain", "lease.mode() == LockMode.SHARED ||",
					"")
				.caughtBy("engine.R24RetainedLeaseTests#leaseThatWasTurnedForReadersIsReleased"),
			new Mutant("lease passes on although others want it", "R24", "Tenure#mayBeRetained",
					"this.retainable && !this.wanted &&", "this.retainable &&")
				.caughtBy("engine.R24RetainedLeaseTests#leaseInUseThatIsWantedPassesToNobodyInThisProcess"),
			new Mutant("lease is kept for ever by those who cannot be asked", "R24", "Tenure#mayBeRetained",
					"&& this.endNanos - this.engine.clock.nanoTime() > 0", "")
				.caughtBy("engine.R24RetainedLeaseTests#howeverManyWaitHereOthersGetItWhenALeaseHasPassed"),
			new Mutant("tokens are used before a majority stores them", "R24", "QuorumGrant#isStored",
					"this.quorum.voters.isMajority(", "0 != (")
				.caughtBy("engine.R24RetainedLeaseTests#requestWaitsForTokensThatAreOnTheirWay"),
			new Mutant("renewal forgets the tokens that were taken later", "R24", "QuorumGrant#greatestTokens",
					"this.taken - 1L", "this.range - 1L")
				.caughtBy("engine.R24RetainedLeaseTests#renewalRestoresTheFenceThatWasRaised"),
			new Mutant("tokens run away from the clock", "R24", "FenceProposals#isFarAhead", "fence > max",
					"fence > max && fences.length == 0")
				.caughtBy("engine.R24RetainedLeaseTests#tokensNeverRunMoreThanASecondAheadOfTheClock"),
			new Mutant("tokens of new leases run away from the clock", "R24", "FenceProposals#propose",
					"range > 1 && isFarAhead", "range > 1_000_000 && isFarAhead")
				.caughtBy("engine.R24RetainedLeaseTests#tokensOfLeasesThatAreHardlyRetainedDoNotRunAheadEither"),
			new Mutant("requests that cross are reported again", "R24", "QuorumGrant#isNew",
					"this.recentIds.contains(id)", "id.equals(this.recentIds.peekLast())")
				.caughtBy("quorum.RequestCallbackTests#requestsThatCrossAreReportedOnceEach"),
			new Mutant("request without a wait is forgotten between two groups", "R4, R23", "GroupedContender#ask",
					"List.copyOf(this.followers).forEach((outcome) -> askFor(outcome, following));", "")
				.caughtBy(
						"groups.GroupedLeaseStoreTests#requestWithoutAWaitReceivesTheOutcomeOfTheGroupThatIsAskedLast"),
			new Mutant("loss of a lease that nobody uses is reported to its last holder", "R24", "Turn#holders",
					"(this.count > 0) ?", "(this.count > -9) ?")
				.and("LockEvents#lost", "holders.stream().filter(Holder::end).toList()", "List.copyOf(holders)")
				.caughtBy("engine.R24RetainedLeaseTests#lossOfALeaseThatNobodyUsesIsNoLoss"),
			new Mutant("request without a wait is refused by a lease that is given up", "R24",
					"ContenderState#isGivenUpSoon", "!isRetainable(result)", "result != null")
				.caughtBy("engine.R24RetainedLeaseTests#requestWithoutAWaitAsksAgainWhenTheLeaseIsGivenUp"),
			new Mutant("lease is kept although its time ended before that began", "R24", "Succession#retain",
					"|| lease.tenure().isIdleTimeOver()", "")
				.caughtBy("engine.R24RetainRaceTests#leaseWhoseTimeEndsBeforeItIsKeptIsReleased"),
			new Mutant("request without a wait competes with whoever takes a lease", "R4", "Acquisition#enterAtOnce",
					"lease.taker() : blocking", "null : blocking")
				.caughtBy("engine.R24RetainedLeaseTests#requestWithoutAWaitCompetesWithNobodyWhoTakesTheLease"),
			new Mutant("request for several names waits for leases that nobody uses", "R24", "Acquisition#waitInQueue",
					"this.engine.succession.offer(lease);", "")
				.caughtBy("engine.R24RetainedLeaseTests#requestForSeveralNamesWaitsForNoLeaseThatNobodyUses"),
			new Mutant("request to release does not reach a lease that nobody uses", "R24", "InstanceChannel#received",
					"lease.wanted(); lease.releaseRequested(request.id(), request.deadline());",
					"lease.releaseRequested(request.id(), request.deadline());")
				.caughtBy("engine.R24RetainedLeaseTests#requestToReleaseGetsALeaseThatNobodyUses"),
			new Mutant("lease that nobody uses is taken after its validity", "R1, R24", "Watchdog#passOn",
					"if (!isValid()) {", "if (this.term == null) {")
				.and("LeaseTerm#passOn", "|| !enoughLeft ||", "||")
				.caughtBy("engine.R24RetainedLeaseTests#leaseWhoseValidityEndedIsNotTakenAgain"),
			new Mutant("older renewal lowers the validity", "R6", "LeaseTerm#confirm",
					"this.validUntilNanos + Math.max(0, until - this.validUntilNanos)", "until")
				.caughtBy("engine.LeaseRulesTests#olderRenewalNeverLowersTheValidity"),
			new Mutant("release answered by an error counts as confirmed", "R8", "Release#received",
					"if (reply instanceof NodeReply.Released released) {",
					"if (reply instanceof NodeReply.Failed error && error.cause() == "
							+ "NodeReply.Failed.Cause.ERROR) { note(Voters.bit(slot), 0, 0); } else if (reply "
							+ "instanceof NodeReply.Released released) {")
				.caughtBy("engine.LeaseRulesTests#releaseThatANodeAnswersWithAnErrorIsSentAgain"),
			new Mutant("callback that is registered after the loss is not run", "R7", "Holder#onLost",
					"if (event != null) {", "if (event != null && handle == null) {")
				.caughtBy("engine.LeaseRulesTests#callbackThatIsRegisteredAfterTheLossRuns"),
			new Mutant("extension ignores that no quorum confirmed", "R6", "Handle#extend",
					"if (!extendAsync(lease).toCompletableFuture().join()) {",
					"if (!extendAsync(lease).toCompletableFuture().isDone()) {")
				.caughtBy("engine.LeaseRulesTests#extensionThatNoQuorumConfirmsFails"),
			new Mutant("remaining time of several leases is the longest", "R12", "CompositeHandle#remaining", ".min(",
					".max(")
				.caughtBy("engine.LeaseRulesTests#severalLeasesRemainAsLongAsTheShortest"),
			new Mutant("memory of fences keeps the latest", "R9", "FenceProposals#seen", "Math::max",
					"(before, latest) -> latest")
				.and("FenceProposals#seen", "seen == null || seen < fences[i]", "true")
				.caughtBy("quorum.FenceProposalsTests#greatestFenceThatWasSeenCounts"),
			new Mutant("hand-over though the last renewal failed", "R17", "LeaseTerm#passOn",
					"|| !this.lossReason.isEmpty()", "")
				.caughtBy("engine.LeaseRulesTests#leaseWhoseLastRenewalFailedIsNotHandedOver"),
			new Mutant("hand-over with under half of the lease left", "R17", "LeaseTerm#passOn", "!enoughLeft",
					"this.epoch < 0 && !enoughLeft")
				.caughtBy("engine.LeaseRulesTests#leaseOfWhichLessThanHalfIsLeftIsNotHandedOver"),
			new Mutant("extension by an earlier holder", "R17", "LeaseTerm#belongsTo", "&& this.turn == turn", "")
				.caughtBy("engine.LeaseRulesTests#extensionByAnEarlierHolderLeavesTheNextHoldersLeaseAlone"),
			new Mutant("cool-down of a lock that nobody got", "R18", "Holder#cooldown", "this.handedOut &&", "")
				.caughtBy("engine.LeaseRulesTests#lockThatNobodyGotDoesNotCoolDownAfterACancellation"),
			new Mutant("lost wake-up of the timer thread", "R6", "TimerThread#run",
					"this.wakeAt.set(wake); if (this.inbox.isEmpty()) { LockSupport.parkNanos(this, wake - now()); }",
					"if (this.inbox.isEmpty()) { this.wakeAt.set(wake); LockSupport.parkNanos(this, wake - now()); }")
				.caughtBy("time.TimerThreadTests#taskThatComesWhileTheThreadGoesToSleepIsRun"),
			new Mutant("stop does not notify the holder", "R14", "HeldLease#stop",
					"return this.engine.events.lost(this, holders(), null, reason);", "return false;")
				.caughtBy("engine.LeaseRulesTests#stopNotifiesTheHolderOnceLikeAnyLoss"),
			new Mutant("timer looks for tasks before it says when it wakes up", "R16", "TimerThread#run",
					"this.wakeAt.set(wake); if (this.inbox.isEmpty()) {",
					"boolean empty = this.inbox.isEmpty(); this.wakeAt.set(wake); if (empty) {")
				.caughtBy("time.TimerThreadTests#taskThatComesWhileTheThreadGoesToSleepIsRun"),
			new Mutant("event stays in the queue of its listener", "R15", "LockEvents#run", "!this.events.isEmpty() &&",
					"this.events.size() < 0 &&")
				.caughtBy("engine.LockEventsTests#eventThatComesWhileTheThreadIsAboutToLeaveIsDelivered"),
			new Mutant("proposals follow the clock of this machine", "R9", "NodeClocks#micros",
					"offset.isPresent() ? now", "offset.isEmpty() ? now")
				.caughtBy("engine.R09FencingTests#stepOfTheClockOfThisMachineTakesNoTokenBack"),
			new Mutant("lock is never at risk", "R26", "Watchdog#look", "this.term.takeRisk(now);", "")
				.caughtBy("engine.R26AtRiskTests#lockWithoutAConfirmedRenewalIsAtRiskWhenAThirdOfItsValidityIsLeft"),
			new Mutant("risk reported before the replies are read", "R26", "LeaseTerm#takeRisk",
					"!(late && putOffRisk(now))", "true")
				.caughtBy("engine.R26AtRiskTests#afterAPauseTheRepliesThatAreThereAreReadFirst"),
			new Mutant("any confirmation ends the risk", "R26", "LeaseTerm#confirm",
					"this.atRisk && now - this.riskNanos >= 0", "false")
				.caughtBy("engine.R26AtRiskTests#confirmationThatLeavesLessThanAThirdIsNoEndOfTheRisk"),
			new Mutant("engine that was started again repeats no release", "R8", "Messenger#start",
					"this.stopped = false;", "")
				.caughtBy("engine.R08ReleaseTests#engineThatWasStoppedAndStartedRepeatsReleases"),
			new Mutant("forced release leaves the readers", "R19", "force-release.lua",
					"redis.call('DEL', lock, readers)", "redis.call('DEL', lock)")
				.caughtBy("redis.LockScriptTests#readersBeyondThoseThatAnInspectionNamesAreReleasedByForceAsWell"),
			new Mutant("writer that becomes a reader offers the name to nobody", "R19, R21", "renew-shared.lua",
					"pass_on(KEYS[i], 'shared', true)", "")
				.caughtBy("simulation.redis.SimulatedRedisLockNodeTests#writerThatBecomesAReaderLetsOtherReadersIn"),
			new Mutant("raise counts nodes in quarantine", "R9, R10", "Ballot#noteRaise",
					"if (late || !reply.voting()) {", "if (late) {")
				.caughtBy("quorum.FenceTallyTests#raiseOnANodeInQuarantineDoesNotCount"),
			new Mutant("fence of a node in quarantine is a vote", "R9, R10", "Ballot#FenceTally",
					"left = Ballot.this.granted;", "left = Ballot.this.grantedAnywhere;")
				.caughtBy("quorum.FenceTallyTests#fenceOfANodeInQuarantineIsNoVote"),
			new Mutant("tokens count that nodes in quarantine store", "R10, R24", "QuorumGrant#isStored",
					"&& reply.voting()", "")
				.caughtBy("engine.R24RetainedLeaseTests#tokensThatNodesInQuarantineStoreAreNotUsed"),
			new Mutant("whether a reply counts is judged when it comes", "R10", "LockCommand#onReplyOfScript",
					"ScriptReply.of(this.command, reply, this.voting)",
					"ScriptReply.of(this.command, reply, this.health.isVoting())")
				.caughtBy("redis.client.LockCommandTests#replyToACommandThatWasSentInQuarantineDoesNotCountLater"),
			new Mutant("permit of a minority is kept", "R20", "AcquireRound#tidy",
					"this.quorum.drop(this.target, this.attempt, ballot.permit(), ballot.strays());", "")
				.caughtBy("engine.R20StrayPermitTests#permitOfAMinorityIsDroppedBehindTheGrant"),
			new Mutant("permit that a node grants late is kept", "R20", "AcquireRound#tidy",
					"this.quorum.drop(this.target, this.attempt, permit, Voters.bit(slot));", "")
				.caughtBy("engine.R20StrayPermitTests#permitThatANodeGrantsLateIsDropped"),
			new Mutant("release leaves out the nodes of renewals", "R6, R8", "Watchdog#renewal",
					"this.mayHold |= this.quorum.voters.all;", "")
				.caughtBy("engine.R08ReleaseTests#releaseReachesNodesThatOnlyARenewalReached"),
			new Mutant("renewal stores the fence for the lease", "R6, R9", "Watchdog#renewal",
					"this.quorum.timing.fenceMillis(leaseNanos)", "leaseNanos / 1_000_000")
				.caughtBy("engine.R06RenewalTests#renewalStoresTheFenceForItsRetentionAndNotForTheLease"),
			new Mutant("former connection is killed on whatever server answers", "R3", "Handshake#clientId",
					"former.server.info().runId().equals(info.runId())", "info != null")
				.caughtBy("redis.client.NodeConnectionTests#formerConnectionIsNotKilledOnAServerWithAnotherRunId"),
			new Mutant("reader joins a lease that the last one left", "R17, R19", "Turn#join",
					"COUNT.getAndUpdate(this, (count) -> (count > 0) ? count + 1 : 0) > 0",
					"COUNT.getAndIncrement(this) >= 0")
				.caughtBy("engine.TurnTests#nobodyJoinsOnceTheLastReaderHasLeft"),
			new Mutant("nodes that hang are waited for", "R1, R2", "Messenger#hanging", "return hanging;", "return 0;")
				.caughtBy("engine.R02FailedAttemptTests#attemptThatOnlyANodeThatHangsCouldSaveFailsAtOnce"),
			new Mutant("loss lets nobody ask", "R7, R13", "HeldLease#onLost",
					"LocalQueues.run(this.engine.queues.leave(this));", "")
				.caughtBy("engine.LeaseStoreSeamTests#lossLetsTheNextRequestAsk"),
			new Mutant("lease of a request that gave up is kept", "R13", "Acquisition#onGranted",
					"handle.closeAsync();", "")
				.caughtBy("engine.LeaseStoreSeamTests#cancelledRequestGivesBackWhatIsGrantedLate"),
			new Mutant("node that confirms a renewal later is not reported", "R6", "Watchdog#onAlsoConfirmed",
					"this.holders | Voters.bit(slot)", "this.holders")
				.caughtBy("engine.R06RenewalTests#allNodesThatConfirmARenewalAreReported"),
			new Mutant("renewal that succeeds leaves the reason of one that failed", "R7", "LeaseTerm#confirm",
					"if (this.renewing) {", "if (this.epoch < 0) {")
				.caughtBy("engine.R06RenewalTests#renewalThatSucceedsEndsTheReasonOfOneThatFailed"),
			new Mutant("renewal from before a shorter extension tells the reason", "R6, R7", "LeaseTerm#fail",
					"|| renewal.epoch < this.epoch", "")
				.caughtBy("engine.R06RenewalTests#failureOfARenewalFromBeforeAShorterExtensionIsNoReason"),
			new Mutant("timer of a renewal is forgotten with the next one", "R6", "RenewalSchedule#setTimer",
					"timeout.cancel();", "")
				.caughtBy("engine.R06RenewalTests#renewalsLeaveNoTimers"),
			new Mutant("timer of a lock that was released stays", "R8", "RenewalSchedule#setTimer",
					"(this.size == 0 || this.timeoutNanos - this.times[0] > 0)",
					"(this.timeoutNanos - this.times[0] > 0)")
				.caughtBy("engine.R08ReleaseTests#releasedLockLeavesNoTimer"),
			new Mutant("timer of a round that is decided stays", "R2", "AcquireRound#end", "cancel(this.timeout);", "")
				.caughtBy("engine.R08ReleaseTests#releasedLockLeavesNoTimer"),
			new Mutant("timer of a request that got its turn stays", "R13", "Acquisition#move", "this.wait.cancel();",
					"")
				.caughtBy("engine.R13LocalQueueTests#requestThatGetsItsTurnLeavesNoTimer"),
			new Mutant("release is repeated once", "R8", "Messenger#repeatAll", "this.scheduled.set(false);", "")
				.caughtBy("engine.R08ReleaseTests#releaseIsRepeatedUntilTheNodeConfirmsIt"),
			new Mutant("release is given up while the cool-down lasts", "R8, R18", "Release#submit",
					"(this.cooldownUntilNanos != 0) ? this.cooldownUntilNanos - request.sentNanos : 0", "0")
				.caughtBy("engine.R18CoolDownTests#coolDownIsSentAgainToANodeThatReturnsBeforeItsEnd"),
			new Mutant("lease is handed over instead of cooling down", "R17, R18", "HeldLease#staysHere",
					"return !coolsDown && (", "return (")
				.caughtBy("engine.R18CoolDownTests#requestsOfThisInstanceAreKeptOut"),
			new Mutant("reader is refused because of a writer that only waits for another name", "R4, R13, R19",
					"LocalQueues#waitersInFront", "&& !queue.occupants().isEmpty()", "")
				.caughtBy("engine.AcquisitionTests#readerWithoutAWaitPassesAWriterThatOnlyWaitsForAnotherName"),
			new Mutant("cool-down on one node is told as that of the lock", "R4, R18", "Standings#isCoolingDown",
					"nodes >= this.voters.majority", "nodes > 0")
				.caughtBy("engine.R18CoolDownTests#coolDownOnOneNodeIsNoneOfTheLock"),
			new Mutant("reader shortens the lease of the others", "R6, R19", "HeldLease#extend",
					"(others && lease.compareTo(min) < 0) ? min : lease", "lease")
				.caughtBy("engine.R19HandOverTests#readerDoesNotShortenTheLeaseOfTheOthers"),
			new Mutant("readers of whom the nodes tell different ones are told as a divided vote", "R4, R19",
					"Standings#count", "count(place, MANY_READERS, true);", "")
				.caughtBy("engine.R19HandOverTests#manyReadersAreTold"),
			new Mutant("callback of a handle that is closed is run", "R7, R11", "Handle#closeNow",
					"this.holder.forgetCallbacks(this);", "")
				.caughtBy("engine.R11ReentryTests#callbacksOfAnInnerHandleEndWithIt"),
			new Mutant("node that was away decides how far behind a claim is", "R4", "Ballot#rank",
					"Math.min(ranks.length, this.voters.majority) - 1", "ranks.length - 1")
				.caughtBy("engine.R04WaitingTests#rankIsThatOfAMajority"),
			new Mutant("claim that is first does not ask when the lease in front ends", "R4",
					"ContenderState#pauseNanos",
					"pause = Math.min(pause, expiry + this.timing.randomNanos(0, this.timing.maxDelayNanos / 10));", "")
				.caughtBy("engine.R04WaitingTests#claimThatIsFirstAsksWhenTheLeaseInFrontEnds"),
			new Mutant("claim that listens again asks the first time only", "R4", "ContenderState#begin",
					"this.listening = 0;", "")
				.caughtBy("engine.R04WaitingTests#claimThatListensOnceMoreAsksOnceMore"),
			new Mutant("name is contended for ever since each ticket says so", "R21", "QuorumContender#queue",
					"this.quorum.channel.add(ticket.text(), this);",
					"contended(); this.quorum.channel.add(ticket.text(), this);")
				.caughtBy("engine.R04WaitingTests#nameIsNotContendedForEverThatIsUsedAgainAndAgain"),
			new Mutant("claim that has waited for long brings no ticket the next time", "R21",
					"QuorumContender#forgetTicket", "locked(this.state::hasWaited)", "false")
				.caughtBy("engine.R04WaitingTests#claimBehindALongWaitBringsItsTicket"),
			new Mutant("name that was contended is so for ever", "R21", "InstanceChannel#isContended",
					"until - nowNanos <= 0", "until - nowNanos <= Long.MIN_VALUE")
				.caughtBy("engine.R04WaitingTests#claimBringsNoTicketOnceTheNameHasNotBeenContendedForAWhile"),
			new Mutant("claim that was granted counts as one that waits", "R4, R21", "QuorumContender#forgetTicket",
					"this.quorum.channel.remove(ticket.text())", "ticket.text()")
				.caughtBy("engine.R04WaitingTests#claimThatWasGrantedIsForgotten"),
			new Mutant("time that others have waited in a wrong unit", "R21", "QuorumStore#waiter",
					"Duration.ofMillis(micros / 1_000)", "Duration.ofMillis(micros)")
				.caughtBy("engine.LockInspectorTests#saysForHowLongOthersHaveWaited"),
			new Mutant("clock of a node is reported as far behind as it is ahead", "R9", "Quorum#offsetToWallClock",
					"this.clock.nanoTime() / 1_000 + status.clockOffsetMicros().getAsLong() - this.clock.wallMicros()",
					"this.clock.wallMicros() - this.clock.nanoTime() / 1_000 - status.clockOffsetMicros().getAsLong()")
				.caughtBy("engine.LockInspectorTests#saysHowFarTheClockOfANodeIsAhead"),
			new Mutant("memory of fences grows with the names", "R9", "FenceProposals#seen",
					"this.greatestSeen.clear();", "")
				.caughtBy("quorum.FenceProposalsTests#fencesAreForgottenWhenManyOtherNamesFollow"),
			new Mutant("clock of a server is compared with that of the one before", "R27", "Membership#claim",
					"this.steps.forget(node);", "")
				.caughtBy("quorum.membership.ClockStepsTests#clockOfAnotherServerIsNotComparedWithThatOfTheOneBefore"),
			new Mutant("renewal shortens the lease of a reader", "R6, R19", "renew-shared.lua",
					"if ARGV[3] ~= '1' then", "if ARGV[3] == '' then")
				.caughtBy("simulation.redis.SimulatedRedisTests#renewalNeverShortensTheLeaseOfAReader"),
			new Mutant("key outlives the readers that are left", "R19", "release-shared.lua",
					"redis.call('PEXPIREAT', KEYS[i], last)", "")
				.caughtBy("simulation.redis.SimulatedRedisTests#keyEndsWithTheReadersThatAreLeft"),
			new Mutant("readers outlive their key", "R19", "release-shared.lua",
					"redis.call('PEXPIREAT', readers, last)", "")
				.caughtBy("simulation.redis.SimulatedRedisTests#keyEndsWithTheReadersThatAreLeft"),
			new Mutant("readers without an expiry", "R19", "acquire-shared.lua",
					"redis.call('PEXPIREAT', readers, last)", "")
				.caughtBy("simulation.redis.SimulatedRedisTests#readersEndWithTheLastLease"),
			new Mutant("readers end before their renewed lease", "R6, R19", "renew-shared.lua",
					"redis.call('PEXPIREAT', readers, last)", "")
				.caughtBy("simulation.redis.SimulatedRedisTests#readersEndWithTheLastLease"),
			new Mutant("raise counts for a reader whose lease has ended", "R9, R19", "raise-shared.lua",
					"or expiry <= now then", "or expiry == 0 then")
				.caughtBy("simulation.redis.SimulatedRedisTests#raiseDoesNotCountForAReaderWhoseLeaseHasEnded"),
			new Mutant("fence of a reader expires with its lease", "R9, R19", "acquire-shared.lua",
					"fences[i], 'PX', ARGV[3])", "fences[i], 'PX', ARGV[2])")
				.caughtBy("simulation.redis.SimulatedRedisTests#fencesOfReadersAndPermitsOutliveTheirLeases"),
			new Mutant("renewal of a reader stores the fence for the lease", "R9, R19", "renew-shared.lua",
					"fences[i], 'PX', ARGV[4])", "fences[i], 'PX', ARGV[2])")
				.caughtBy("simulation.redis.SimulatedRedisTests#fencesOfReadersAndPermitsOutliveTheirLeases"),
			new Mutant("raise of a reader leaves the fence its old time to live", "R9, R19", "raise-shared.lua",
					"fences[i], 'PX', ARGV[2])",
					"fences[i], 'PX', math.max(1, redis.call('PTTL', KEYS[i] .. ':fence')))")
				.caughtBy("simulation.redis.SimulatedRedisTests#fencesOfReadersAndPermitsOutliveTheirLeases"),
			new Mutant("fence of a permit expires with its lease", "R9, R20", "acquire-permit.lua",
					"redis.call('SET', fence_key, fence, 'PX', ARGV[3])",
					"redis.call('SET', fence_key, fence, 'PX', ARGV[2])")
				.caughtBy("simulation.redis.SimulatedRedisTests#fencesOfReadersAndPermitsOutliveTheirLeases"),
			new Mutant("renewal leaves the fence no longer than the lease", "R6, R9", "renew.lua",
					"fences[i], 'PX', ARGV[4])", "fences[i], 'PX', ARGV[2])")
				.caughtBy("simulation.redis.SimulatedRedisTests#renewalGivesTheFenceItsWholeLifeAgain"),
			new Mutant("line without an expiry", "R21", "line.lua",
					"redis.call('PEXPIRE', line, 2 * life) redis.call('PEXPIRE', ends, 2 * life)",
					"redis.call('PEXPIRE', ends, 2 * life)")
				.caughtBy("simulation.redis.SimulatedRedisTests#queueOutlivesItsTicketsByTheirTimeAtMost"),
			new Mutant("ends of tickets without an expiry", "R21", "line.lua",
					"redis.call('PEXPIRE', line, 2 * life) redis.call('PEXPIRE', ends, 2 * life)",
					"redis.call('PEXPIRE', line, 2 * life)")
				.caughtBy("simulation.redis.SimulatedRedisTests#queueOutlivesItsTicketsByTheirTimeAtMost"),
			new Mutant("reader that is granted passes nothing on to further readers", "R19, R21", "acquire-shared.lua",
					"pass_on(KEYS[i], 'shared', false)", "")
				.caughtBy("simulation.redis.SimulatedRedisTests#readerThatIsGrantedPassesTheNameOnToFurtherReaders"),
			new Mutant("who is refused a permit is told when the last of them ends", "R20", "acquire-permit.lua",
					"left < shortest", "left > shortest")
				.caughtBy("simulation.redis.SimulatedRedisTests#whoIsRefusedAPermitIsToldWhenTheFirstOfThemEnds"),
			new Mutant("claim without a ticket passes those that wait for a permit", "R20, R21", "acquire-permit.lua",
					"or ticket == '' and redis.call('ZCARD', KEYS[1] .. ':line')", "or ticket == '' and 0")
				.caughtBy("simulation.redis.SimulatedRedisTests#claimWithoutATicketDoesNotPassThoseThatWaitForAPermit"),
			new Mutant("ticket of several names stays behind its grant", "R12, R21", "acquire-all.lua",
					"remove(KEYS[i], ticket)", "")
				.caughtBy("simulation.redis.SimulatedRedisTests#grantRemovesItsTicketsOfAllNamesAndPermits"),
			new Mutant("ticket of a permit stays behind its grant", "R20, R21", "acquire-permit.lua",
					"remove(KEYS[1], ticket)", "")
				.caughtBy("simulation.redis.SimulatedRedisTests#grantRemovesItsTicketsOfAllNamesAndPermits"),
			new Mutant("rank is that in the queue of the last name", "R12, R21", "refuse.lua",
					"rank = math.max(rank, enqueue(KEYS[i], ticket, life))", "rank = enqueue(KEYS[i], ticket, life)")
				.caughtBy("simulation.redis.SimulatedRedisTests#rankIsThatInTheLongestQueue"),
			new Mutant("node that evicted keys votes at once", "R10", "EvictionPolicy#onInfo",
					"this.admission.onDoubt(\"it evicted keys until\", 0, this.clock.minNanoTime());", "")
				.caughtBy("redis.client.EvictionPolicyTests#nodeThatEvictedKeysVotesOnceNoLeaseIsLeft"),
			new Mutant("server is taken for one that evicted keys before it", "R10", "EvictionPolicy#onServer",
					"this.admission.onExclusion(\"\");", "")
				.caughtBy("redis.client.EvictionPolicyTests#anotherServerAtTheAddressEvictedNothing"),
			new Mutant("pauses between attempts to connect grow without a limit", "R4", "Connector#nextPauseMillis",
					"Math.min(2 * limit, MAX_PAUSE_MILLIS)", "2 * limit")
				.caughtBy("redis.client.ConnectorTests#pausesHaveALimit"),
			new Mutant("late replies add up although others come in time", "R4", "NodeHealth#onReplyInTime",
					"this.lateReplies.set(0);", "")
				.caughtBy("redis.client.LockCommandTests#lateRepliesCountInARowOnly"),
			new Mutant("group that is down is not told of several names", "R23", "GroupedLeaseStore#status",
					"status(stores, Stream::allMatch)", "status(stores, Stream::anyMatch)")
				.caughtBy("groups.GroupedLeaseStoreTests#groupThatIsDownTakesItsNamesAndNoOthers"),
			new Mutant("readers of a name are never forgotten", "R19", "acquire-shared.lua",
					"redis.call('PEXPIREAT', readers, last)", "")
				.caughtBy("redis.client.RedisLockNodeTests#voteOfAReaderIsTheGreaterOfWhatIsStoredAndWhatIsProposed"),
			new Mutant("flush leaves what is queued to the next tick", "R2", "RedisLockNode#flush",
					"session.pipeline.flush();", "")
				.caughtBy("redis.client.RedisLockNodeTests#flushSendsWhatIsQueued"),
			new Mutant("names that were re-entered stay when the store refuses the others", "R11",
					"DefaultLockTemplate#acquireAsync",
					"catch (RuntimeException ex) {\n\t\t\tparts.forEach(LockHandle::closeAsync);",
					"catch (RuntimeException ex) {")
				.caughtBy(
						"engine.DefaultLockTemplateTests#missingNameThatTheStoreCannotLockLeavesTheOthersToTheOuterCall"),
			new Mutant("nodes of writers that became readers are open to everyone", "R22", "SessionRequests#replace",
					"Op.create(path, data, this.acl, mode)",
					"Op.create(path, data, org.apache.zookeeper.ZooDefs.Ids.OPEN_ACL_UNSAFE, mode)")
				.caughtBy("zookeeper.ZooKeeperLimitTests#everyNodeIsProtectedAsConfigured"),
			new Mutant("renewal whose last reply confirms fails by its timeout only", "R6", "Renewal#note",
					"return (this.replied == this.asked &&",
					"return (!(reply instanceof NodeReply.Done) && this.replied == this.asked &&")
				.caughtBy("engine.R06RenewalTests#renewalFailsWithTheLastReplyThoughThatIsAConfirmation"),
			new Mutant("attempts in the group that is asked last are told alone", "R23", "GroupedContender#ask",
					"this.earlierAttempts = attempts();", "")
				.caughtBy(
						"groups.GroupedGrantTests#attemptsOfAllGroupsAndRoundsAreCountedAndTheLastFailureIsOfTheGroupThatIsAsked"),
			new Mutant("lock of a transaction is released with the handle around it", "R11",
					"TransactionLocks#isHeldByOthers", "other != handle && isDeferred(other) &&", "other != handle &&")
				.caughtBy(
						"transaction.TransactionalReentryTests#lockThatIsReleasedImmediatelyIsKeptForTheOneInsideOfIt"),
			new Mutant("callback of a handle that a transaction keeps is run", "R7", "TransactionalLockHandle#onLost",
					"whileOpen(callback)", "callback")
				.caughtBy("transaction.TransactionalReentryTests#callbackOfAHandleThatWasClosedIsNotRun"),
			new Mutant("forced release by a minority is told as one", "R7", "LocksEndpoint#forceRelease",
					"&& LockDescriptor.isReported(reports, this.inspector.status(lock).required())", "")
				.caughtBy("actuate.LocksEndpointTests#forcedReleaseThatNoMajorityConfirmsReleasedNothing"),
			new Mutant("nodes in quarantine decide who holds a lock", "R10", "LockDescriptor#of", "|| !report.voting()",
					"")
				.caughtBy("actuate.LockDescriptorsTests#nodesThatDoNotVoteDecideNothing"),
			new Mutant("one quantile of the latency is told as another", "R4", "NodeStatistics#latency",
					"sorted[size * 95 / 100]", "sorted[size * 99 / 100]")
				.caughtBy("actuate.LocksEndpointTests#latenciesAreThoseThatAsManyRepliesStayBelow"),
			new Mutant("lease of several groups ends with the part that ends last", "R23",
					"GroupedGrant#validUntilNanos", "(until - min < 0) ? until : min",
					"(until - min > 0) ? until : min")
				.caughtBy("groups.GroupedGrantTests#leaseEndsWithThePartThatEndsFirst"),
			new Mutant("part is not kept alive while other groups are asked", "R6, R23", "GroupedGrant#add",
					"grant.keep(part);", "")
				.caughtBy("groups.GroupedGrantTests#partIsKeptAliveWhileTheOtherGroupIsAsked"),
			new Mutant("lease that one group lost meanwhile is handed out", "R1, R23", "GroupedContender#complete",
					"if (this.granted.isValid()) {", "if (this.granted != null) {")
				.caughtBy("groups.GroupedGrantTests#leaseThatOneGroupLostBeforeTheOtherGrantedIsNotHandedOut"),
			new Mutant("groups are asked again without an end", "R4, R23", "GroupedContender#askAgain",
					"this.rounds.getAndIncrement() < MAX_ROUNDS && inTime", "inTime")
				.caughtBy("groups.GroupedGrantTests#claimThatIsNeverValidInBothGroupsEnds"),
			new Mutant("claim that is cancelled between two groups asks the second", "R4, R23", "GroupedContender#ask",
					"if (this.cancelled) { following.cancel(); } else { following.start(); }", "following.start();")
				.caughtBy("groups.GroupedGrantTests#claimThatIsCancelledBetweenTwoGroupsIsCancelledInTheSecond"),
			new Mutant("wait is reported by each group", "R4, R23", "GroupedContender#onWaiting",
					"waitingReported.getAndSet(true)", "waitingReported.get()")
				.caughtBy("groups.GroupedGrantTests#waitInBothGroupsIsReportedOnce"),
			new Mutant("risk from before the last group granted is not told", "R23, R26", "GroupedGrant#keep",
					"if (risk() != null) {", "if (owner() == null) {")
				.caughtBy("groups.GroupedGrantTests#riskFromBeforeTheOtherGroupGrantedIsTold"),
			new Mutant("name that begins with a colon has no prefix", "R23", "Sharding#hashed", "colon >= 0",
					"colon > 0")
				.caughtBy("groups.ShardingTests#prefixOfANameThatBeginsWithAColonIsEmpty"),
			new Mutant("store stops while a release is under way", "R8, R14", "Quorum#ended",
					"this.running.decrementAndGet() == 0", "this.running.decrementAndGet() <= 1")
				.caughtBy("engine.R14ShutDownTests#storeStopsWhenTheLastReleaseIsConfirmed"),
			new Mutant("lease that is wanted while its holder leaves is retained", "R24", "Succession#retain",
					"lease.tenure().wanted ||", "")
				.caughtBy("engine.LeaseStoreSeamTests#leaseThatIsWantedWhileItsHolderLeavesIsNotRetained"),
			new Mutant("lease whose time is over is told to be at risk", "R26", "RiskReports#look",
					"if (this.lease.isHeld()) {", "if (this.looks.get() > 0) {")
				.caughtBy("engine.LeaseStoreSeamTests#leaseWhoseTimeIsOverIsNotReportedAsAtRisk"),
			new Mutant("hold time of a holder that left ends a retained lease", "R6, R24", "Tenure#idle",
					"cancel(this.maxHold);", "")
				.caughtBy("engine.R24RetainedLeaseTests#maxHoldTimeOfAHolderThatLeftDoesNotEndTheRetainedLease"),
			new Mutant("lease that was given up leaves a timer", "R24", "Tenure#end", "this.idleTimer.cancel();", "")
				.caughtBy("engine.R24RetainedLeaseTests#leaseThatIsGivenUpLeavesNoTimer"),
			new Mutant("further tokens are asked for when none is left", "R9, R24", "TokenRange#has",
					"turn >= this.size - this.last / 2", "turn >= this.size")
				.caughtBy("engine.R24RetainedLeaseTests#furtherTokensAreAskedForWhenHalfOfThemAreUsed"),
			new Mutant("request without a wait follows another without a limit", "R4", "Acquisition#follow",
					"this.engine.settings.immediateLimit().toNanos() - this.call.waited().toNanos()",
					"this.engine.settings.immediateLimit().toNanos() * 1_000")
				.caughtBy("engine.R04WaitingTests#requestWithoutAWaitFollowsAnotherForTwoOperationTimeoutsAtMost"),
			new Mutant("instance asks ahead of the only one that waits elsewhere", "R17, R21", "Release#isUnheard",
					"this.waiting <= own", "this.waiting <= 1")
				.caughtBy("engine.R17HandOverTests#instanceThatWasAloneGivesWayToNewWaitersAfterOneMoreTurn"),
			new Mutant("holder is not told of a release by force", "R7", "InstanceChannel#received",
					"lease.revoke(FORCED).run()", "lease.names()")
				.caughtBy("engine.R07LossTests#lockThatAnOperatorReleasedElsewhereIsLostAtOnce"),
			new Mutant("next holder loses the lock to a release by force, too", "R7", "force-release.lua",
					"return all or seen[owner] or not string.match(owner, '^.+:%x+:r?%d+$')", "return true")
				.caughtBy("redis.LockScriptTests#releaseByForceLeavesWhatAnInstanceGotMeanwhile"),
			new Mutant("release by force stops at what no instance has written", "R7", "force-release.lua",
					"or not string.match(owner, '^.+:%x+:r?%d+$')", "")
				.caughtBy("redis.LockScriptTests#releaseByForceFreesWhatNoInstanceHasWritten"),
			new Mutant("holder that an operator takes the lock from frees nodes before all have named it", "R7",
					"QuorumStore#forceRelease", "return inspect(name).thenCompose((seen) -> {",
					"releases.forEach(Runnable::run);\n\t\treturn inspect(name).thenCompose((seen) -> {")
				.caughtBy(
						"engine.R07LossTests#lockThatIsReleasedByForceIsLostAtOnceAndReleasedWhenTheNodesHaveSaidWhoHoldsIt"),
			new Mutant("release by force of one permit takes the other permits of its name", "R7, R20",
					"QuorumStore#forceRelease", "holder.owner() != null && (permit == 0 || permit == holder.permit())",
					"holder.owner() != null")
				.caughtBy("engine.R07LossTests#operatorWhoReleasesOnePermitNamesItsHoldersAlone"),
			new Mutant("holder of one permit is told that another was released by force", "R7, R20",
					"InstanceChannel#received", "forced.permit() == 0 || forced.permit() == lease.permit()", "true")
				.caughtBy("engine.R07LossTests#permitOutlivesTheForcedReleaseOfAnother"),
			new Mutant("loss from before a lease is kept is not told", "R7", "Watchdog#keep", "reportLoss();", "")
				.caughtBy("engine.R07LossTests#lossFromBeforeTheLeaseIsKeptIsReported"),
			new Mutant("lease that ended on the way is taken for a divided vote", "R1, R4", "AcquireDecision#isVoted",
					"!this.tooLateToGrant &&", "")
				.caughtBy("engine.R01QuorumTests#leaseThatEndedOnTheWayIsNotAskedForAgainAsIfTheVotesWereDivided"),
			new Mutant("pauses grow although nodes answered meanwhile", "R4", "ContenderState#failed",
					"(result.isHeld() || result.isRefused()) ? 0 : this.backOffs + 1", "this.backOffs + 1")
				.caughtBy("quorum.ContenderPausesTests#pausesOfAClaimBeginSmallAgainBehindAnAnswer"),
			new Mutant("claim ends without the question that another request waits for", "R4",
					"ContenderState#endUnasked", "&& this.followers.isEmpty()", "")
				.caughtBy("quorum.ContenderStateTests#claimWhoseWaitIsOverAsksOnceMoreForThoseThatFollowIt"),
			new Mutant("releases that no node confirms fill the memory", "R8", "Messenger#UnconfirmedReleases",
					"new LinkedBlockingQueue<>(MAX_PER_NODE)", "new LinkedBlockingQueue<>()")
				.caughtBy("quorum.UnconfirmedReleasesTests#ofTooManyReleasesForANodeTheOldestAreDropped"),
			new Mutant("group is founded with a server that was swapped", "R10", "Membership#claim",
					"this.empty[node] = false;", "")
				.caughtBy(
						"quorum.membership.MembershipTests#groupIsNotFoundedBeforeTheRecordOfAServerThatWasSwappedIsRead"),
			new Mutant("requests that followed another stay with it", "R4", "Acquisition#fail",
					"front.followers.remove(this)", "front.closed")
				.caughtBy("engine.LeaseStoreSeamTests#requestsThatFollowedOneThatStillWaitsAreForgotten"),
			new Mutant("callbacks of inner handles stay with the lease", "R11, R26", "Handle#closeNow",
					"this.lease.forgetRisk(this);", "")
				.caughtBy("engine.R26AtRiskTests#callbacksOfInnerHandlesThatWereClosedAreForgotten"),
			new Mutant("attempt counts on nodes that cool down", "R4, R18", "Standings#canWin",
					"int lost = this.cooling[place];", "int lost = 0;")
				.caughtBy("quorum.StandingsTests#attemptCannotWinTheNodesThatCoolDown"),
			new Mutant("request that was cancelled as its turn came keeps the name", "R13", "Acquisition#onTurn",
					"leave();", "")
				.caughtBy(
						"engine.LeaseStoreSeamTests#readerThatIsCancelledAtAnyInstantOfADowngradeLeavesTheNameToOthers"),
			new Mutant("lock is kept alive beyond its limit", "R6", "Tenure#held",
					"() -> this.grant.stopRenewal(reason, holder.turnNumber)", "() -> this.grant.isValid()"),
			new Mutant("limit of one holder ends the lease of the next", "R6, R17", "LeaseTerm#stopRenewal",
					"boolean its = belongsTo(turn);", "boolean its = isHeld();")
				.caughtBy("quorum.LeaseTermTests#renewalForALaterHolderGoesOn"),
			new Mutant("tokens begin below the least one", "R9", "FenceProposals#propose",
					"Math.max(clock, this.floor + range)", "clock"),
			new Mutant("forced release leaves the lease to its holder", "R7", "QuorumStore#forceRelease",
					"contains(name) && (permit == 0 || permit == lease.permit())",
					"contains(name) && permit > 0 && permit == lease.permit()"),
			new Mutant("handle that a transaction keeps is told of a risk", "R26", "TransactionalLockHandle#onAtRisk",
					"whileOpen(callback)", "callback")
				.caughtBy("transaction.TransactionalReentryTests#callbackOfAHandleThatWasClosedIsNotToldOfARisk"),
			new Mutant("leader's lock that is granted to a question is kept", "R8", "Candidate#ask",
					"handle.closeAsync();", "handle.names();")
				.caughtBy("leader.DefaultLeaderElectionTests#lockThatTheQuestionWhoLeadsIsGrantedIsReleased"),
			new Mutant("leader's lock that is granted at the stop is kept", "R8, R14", "Candidate#acquire",
					"acquiring.thenAccept(LockHandle::close);", "")
				.caughtBy("leader.DefaultLeaderElectionTests#lockThatIsGrantedWhileTheElectionStopsIsReleased"),
			new Mutant("leader that has not noticed the stop leads on", "R14", "Candidate#lead",
					"if (this.stopping.isDone()) {", "if (this.stopping.isCancelled()) {")
				.caughtBy("leader.DefaultLeaderElectionTests#stopThatComesBeforeTheLeadershipCanBeSeenEndsIt"),
			new Mutant("leader is told while none can be known", "R4", "Candidate#onFailure",
					"this.knownLeader = null; if (!this.failed) {", "if (!this.failed) {")
				.caughtBy("leader.DefaultLeaderElectionTests#leaderIsUnknownWhileTheLockIsUnavailable"),
			new Mutant("leader of the time before is told after the next", "R4", "Candidate#lead",
					"this.knownLeader = null;", "")
				.caughtBy("leader.DefaultLeaderElectionTests#leaderOfTheTimeBeforeIsForgottenByTheNext"),
			new Mutant("interrupt of a leader's listener reaches the next", "R15", "Candidate#publish",
					"Thread.interrupted();", "")
				.caughtBy("leader.DefaultLeaderElectionTests#interruptThatAListenerLeavesDoesNotReachTheNext"),
			new Mutant("second start of a leader election leaves a candidate behind", "R14",
					"DefaultLeaderElection#start", "if (this.candidates.isEmpty()) {", "if (this.candidates != null) {")
				.caughtBy("leader.DefaultLeaderElectionTests#secondStartLeavesTheCandidateAlone"),
			new Mutant("loss that was noticed before the lease is kept is not reported", "R7", "Watchdog#keep",
					"if (this.term.isLost()) { reportLoss(); }", "")
				.caughtBy("quorum.QuorumStoreTests#reportsALossThatWasNoticedBeforeTheLeaseIsKept"),
			new Mutant("queue of a name grows without a limit", "R21", "line.lua", "waiting >= MAX_TICKETS and",
					"waiting < 0 and")
				.caughtBy("simulation.redis.SimulatedRedisTests#queueThatIsFullTakesNoMoreButProlongsWhatItHas"),
			new Mutant("ticket in a queue that is full is not prolonged", "R21", "line.lua",
					"if waiting >= MAX_TICKETS and not redis.call('ZSCORE', ends, ticket) then",
					"if waiting >= MAX_TICKETS then")
				.caughtBy("simulation.redis.SimulatedRedisTests#queueThatIsFullTakesNoMoreButProlongsWhatItHas"),
			new Mutant("dead tickets stay in the middle of the queue", "R21", "line.lua", "for i = 1, #dead do",
					"for i = 1, 0 do")
				.caughtBy("simulation.redis.SimulatedRedisTests#ticketsOfClaimsThatVanishedLeaveTheMiddleOfTheQueue"),
			new Mutant("record from the future stays", "R10", "record.lua", "since and (not known or known > now)",
					"since and not known")
				.caughtBy("simulation.redis.SimulatedRedisTests#recordFromBeforeTheClockWasSetBackBeginsAnew"),
			new Mutant("doubt from the future stays", "R10, R27", "record.lua", "(doubted and doubted > now)", "false")
				.caughtBy("simulation.redis.SimulatedRedisTests#doubtFromBeforeTheClockWasSetBackBeginsAnew"),
			new Mutant("list is forgotten that another instance uses", "R10", "record.lua",
					"if by ~= ARGV[5] then return 0 elseif", "if")
				.caughtBy("simulation.redis.SimulatedRedisTests#listIsNotForgottenByAnInstanceThatIsNotTheLastToUseIt"),
			new Mutant("fences of permits are not told", "R9, R20", "inspect.lua",
					"fence = math.max(fence, tonumber(redis.call('GETRANGE', KEYS[5 + max_permits + permit], 0, 31)) or 0)",
					"")
				.caughtBy("simulation.redis.SimulatedRedisLockNodeTests#inspectionReturnsTheGreatestFenceOfThePermits"),
			new Mutant("name that is released by force is offered to nobody", "R7, R21", "force-release.lua",
					"if freed > 0 then\n\tpass_on(lock, nil, true)", "if freed > 0 then")
				.caughtBy(
						"simulation.redis.SimulatedRedisLockNodeTests#forcedReleaseNotifiesTheHolderAndOffersTheName"),
			new Mutant("holder is not notified of a release by force", "R7", "force-release.lua",
					"notify_holder(lock, held[i], 'forced\\n' .. held[i] .. '\\n' .. only)", "")
				.caughtBy(
						"simulation.redis.SimulatedRedisLockNodeTests#forcedReleaseNotifiesTheHolderAndOffersTheName"),
			new Mutant("reader whose lease has ended is asked to let go", "R19, R24", "each-holder.lua",
					"if tonumber(readers[i + 1]) > now then", "if readers[i + 1] then")
				.caughtBy("simulation.redis.SimulatedRedisLockNodeTests#readerWhoseLeaseEndedIsNotAskedToLetGo"),
			new Mutant("odd replies count against the next connection", "R10", "NodeHealth#connected",
					"this.oddness = \"\"; this.oddReplies.set(0);", "")
				.caughtBy("redis.client.NodeHealthTests#oddRepliesOnOneConnectionAreForgottenOnTheNext"),
			new Mutant("server is tried again and again behind one error", "R10", "NodeHealth#probe",
					"this.suspected = false;", "")
				.caughtBy("redis.client.NodeHealthTests#scriptsAreTriedOnceWhereTheySucceedBehindAnError"),
			new Mutant("server that was silent once is silent for ever", "R10", "NodeHealth#onSilence",
					"silent || !this.silence.isEmpty()", "silent")
				.caughtBy("redis.client.NodeHealthTests#serverThatRepliesAgainIsNotSilentAnyMore"),
			new Mutant("time of the server before is taken for that of the next", "R9", "ClockReader#disconnected",
					"this.offsetMicros = OptionalLong.empty();", "")
				.caughtBy("redis.client.ClockReaderTests#timeOfTheServerBeforeIsNotTakenForThatOfTheNext"),
			new Mutant("time of a reply that took long is taken", "R9", "ClockReader#onTime",
					"now - sentNanos <= this.options.operationTimeout().toNanos()", "now != 0")
				.caughtBy("redis.client.ClockReaderTests#timeOfAReplyThatTookLongIsNotTaken"),
			new Mutant("doubt is forgotten that was not told yet", "R27", "RecordUpdater#onReply",
					"&& doubt.equals(this.doubt)", "")
				.caughtBy("redis.client.HousekeeperTests#doubtThatArisesWhileTheRecordIsUnderWayIsToldWithTheNext"),
			new Mutant("votes count though others may have forgotten our list", "R10", "NodeHealth#isVoting",
					"&& this.admission.isListed(this.clock.nanoTime())", "")
				.caughtBy("redis.client.LockCommandTests"
						+ "#replyToACommandThatWasSentAfterAPauseDoesNotCountUntilOurListIsConfirmed"),
			new Mutant("list counts from the reply that confirms it", "R10", "RecordUpdater#onRecord",
					"onListed(askedNanos +", "onListed(this.options.clock().nanoTime() +")
				.caughtBy("redis.client.HousekeeperTests#listCountsForElevenSecondsAfterTheQuestionThatConfirmedIt"),
			new Mutant("doubt waits until the record is asked for again", "R27", "RecordUpdater#onRecord",
					"&& this.doubt.isEmpty()", "")
				.caughtBy("redis.client.HousekeeperTests#doubtThatArisesWhileTheRecordIsUnderWayIsToldWithTheNext"),
			new Mutant("doubt of another instance is ignored", "R27", "RecordUpdater#onRecord",
					"record.exists() && record.doubtSeconds() >= 0", "record.exists() && record.doubtSeconds() < -1")
				.caughtBy("redis.client.HousekeeperTests#nodeThatAnotherInstanceDoubtsDoesNotVote"),
			new Mutant("record is taken for up to date on a new connection", "R10", "RecordUpdater#disconnected",
					"this.listed = false;", "")
				.caughtBy("redis.client.HousekeeperTests#listIsNotedAtOnceOnANewConnection"),
			new Mutant("pauses stay long behind a connection that lasted", "R4", "Connector#run", "resetPauses();", "")
				.caughtBy("redis.client.ConnectorTests#pausesBeginSmallAgainBehindAConnectionThatLasted"),
			new Mutant("pauses grow while a server cannot be reached", "R4", "Connector#run", "start > STABLE_NANOS",
					"start > 2 * STABLE_NANOS")
				.caughtBy("redis.client.ConnectorTests#pausesStaySmallWhileAServerCannotBeReached"),
			new Mutant("pauses stay small while a far server refuses us", "R4", "Connector#run", "!rejected &&", "")
				.caughtBy("redis.client.ConnectorTests#pausesGrowWhileAServerRefusesUs"),
			new Mutant("commands from before the first connection fill the memory", "R3", "EarlyCommands#offer",
					"this.commands.size() < MAX_COMMANDS &&", "")
				.caughtBy("redis.client.EarlyCommandsTests#theirNumberIsBounded"),
			new Mutant("connection to a server that is rejected stays open", "R3", "Handshake#open",
					"greeting.connection().close();", "")
				.caughtBy("redis.client.HandshakeTests#serverThatIsReadOnlyIsSaid"),
			new Mutant("connection sends what is left when it is closed", "R3", "Connection#connectToAny",
					"this.socket.setSoLinger(true, 0);", "this.socket.setSoLinger(false, 0);")
				.caughtBy("redis.client.ConnectorTests#nothingIsSentOnceItIsClosed"),
			new Mutant("message to another instance is read", "R13", "Subscriptions#onPush",
					"&& text(list.get(1)).equals(this.channel)", "")
				.caughtBy("redis.client.SubscriptionsTests#messageToAnotherInstanceIsNotRead"),
			new Mutant("every server seems to have just started", "R10", "ServerInfo#uptimeSeconds",
					"Math.max(0, number(\"uptime_in_seconds\"))", "0")
				.caughtBy("redis.ServerInfoTests#whatDecidesOnAVoteIsRead"),
			new Mutant("server that became a replica keeps its connection", "R3, R10", "RecordUpdater#onError",
					"pipeline.close(error.describe());", "error.describe();")
				.caughtBy("redis.client.HousekeeperTests#serverThatCannotBeUsedAnyMoreIsLeft"),
			new Mutant("releases do not get through behind large commands", "R3, R8", "CommandQueue#refusal",
					"(urgent ? MAX_URGENT_BYTES : MAX_BYTES)", "MAX_BYTES")
				.caughtBy("redis.client.CommandQueueTests#releasesFindRoomBehindLargeCommands"),
			new Mutant("heartbeats that the network delivers together prove a session", "R22",
					"SessionProof#latestBefore",
					"&& heartbeat.sentNanos - candidate.repliedNanos >= this.timeoutNanos / 4", "")
				.caughtBy("zookeeper.SessionProofTests#learnsNothingFromAHeartbeatThatTheNetworkDeliveredWithTheNext"),
			new Mutant("heartbeat proves one that was sent a little before it", "R22", "SessionProof#latestBefore",
					"heartbeat.sentNanos - candidate.sentNanos >= this.timeoutNanos / 3 &&", "")
				.caughtBy("zookeeper.SessionProofTests#learnsNothingFromAHeartbeatLessThanAThirdOfTheTimeoutBefore"),
			new Mutant("reconnect of long ago takes what is proven away", "R22", "SessionProof#touched",
					"if (until - this.provenUntil > 0) {", "{")
				.caughtBy("zookeeper.SessionProofTests#goesOnBehindAReconnectThatLiesFarBack"),
			new Mutant("heartbeat from before a reconnect proves it", "R22", "SessionProof#replied",
					"&& heartbeat.sentNanos - latest.repliedNanos >= 0", "")
				.caughtBy("zookeeper.SessionProofTests#learnsNothingFromAReconnectThatNoHeartbeatWasSentBehind"),
			new Mutant("session is proven without the drift margin", "R1, R22", "SessionProof#SessionProof",
					"- (long) (timeoutNanos * driftFactor)", "")
				.caughtBy("zookeeper.SessionProofTests#endsWithTheProof"),
			new Mutant("proof that has ended is renewed as the same", "R7, R22", "SessionProof#notice",
					"this.lapses++;", "")
				.caughtBy("zookeeper.SessionProofTests#noticesAnEndThatWasNotSeen"),
			new Mutant("lease is passed on that is hardly proven any more", "R17, R22", "ZooKeeperGrant#passOn",
					"this.session.timeoutMillis() * 250_000L", "0")
				.caughtBy("zookeeper.ZooKeeperTimeTests#leaseIsPassedOnWhileAQuarterOfTheTimeoutIsProven"),
			new Mutant("lease is passed on whose renewal was stopped", "R6, R17, R22", "ZooKeeperGrant#passOn",
					"|| (this.claim.renewed() && this.endNanos != null)", "")
				.caughtBy("zookeeper.ZooKeeperTimeTests#leaseThatIsNotRenewedAnyMoreIsNotPassedOn"),
			new Mutant("lease goes on with its session though its renewal was stopped", "R6, R22",
					"ZooKeeperGrant#stopRenewal", "(lease - proven < 0) ? lease : proven", "lease")
				.caughtBy("zookeeper.ZooKeeperTimeTests#leaseThatIsNotRenewedAnyMoreEndsWithWhatIsProvenByThen"),
			new Mutant("permit that was begun stays when the claim ends", "R20, R22", "PermitPlace#abandon",
					"removePermit();", "")
				.caughtBy("zookeeper.ZooKeeperPermitReplyTests#permitThatIsBegunWhenTheClaimIsCancelledIsNotTaken"),
			new Mutant("pauses between sessions stay long behind one that was ready", "R4, R22", "Sessions#onReady",
					"this.failures.set(0);", "")
				.caughtBy("zookeeper.ZooKeeperTimeTests#pausesBeginSmallAgainBehindASessionThatWasReady"),
			new Mutant("lost connections of a whole wait are blamed on a large request", "R12, R22",
					"QueuePlace#entered", "this.losses = 0;", "")
				.caughtBy("zookeeper.ZooKeeperLimitTests#blamesALargeRequestOnlyForConnectionsThatAreLostInARow"),
			new Mutant("cool-down of a later holder is ended", "R18, R22", "Cooldown#end",
					"&& parse(content.text()).owner().equals(owner)", "")
				.caughtBy("zookeeper.ZooKeeperRepairTests#endsNoCooldownButItsOwn"),
			new Mutant("note of a cool-down that is about to begin is deleted", "R18, R22", "CooldownSweep#forget",
					"&& serverMillis - content.stat().getCtime() > LONELY_MILLIS", "")
				.caughtBy("zookeeper.ZooKeeperRepairTests#keepsTheNoteOfACooldownThatHasNotBegunYet"),
			new Mutant("nodes that were created without a reply are looked for before a sync", "R22", "ClaimNodes#find",
					"this.session.requests().sync(container, Reply.ignored());", "")
				.caughtBy("zookeeper.ZooKeeperReplyTests#nodeWhoseCreateGotNoReplyIsLookedForBehindASync"),
			new Mutant("claim is refused by what a server has not heard the end of", "R4, R22", "QueuePlace#sync",
					"this.session.requests().sync(this.containers.get(0), Reply.ignored());", "")
				.caughtBy("zookeeper.ZooKeeperReplyTests#whatRefusesAClaimIsReadBehindASync"),
			new Mutant("name does not cool down if the connection is lost behind its release", "R18, R22",
					"ClaimNodes#replaceNext", "this.session.resume(() -> replaceNext(index, cooldown));",
					"this.session.resume(this::deleteAll);")
				.caughtBy("zookeeper.ZooKeeperReplyTests#nameCoolsDownThoughTheConnectionIsLostBehindItsRelease"),
			new Mutant("name that cannot cool down stays locked", "R18, R22", "ClaimNodes#replaceNext",
					"default -> deleteAll();", "default -> this.gone.complete(false);")
				.caughtBy("zookeeper.ZooKeeperReplyTests#nameThatCannotCoolDownIsReleasedAllTheSame"),
			new Mutant("second of several names that cool down stays locked", "R12, R18, R22", "ClaimNodes#replaceNext",
					"replaceNext(index + 1, cooldown);", "this.gone.complete(true);")
				.caughtBy("zookeeper.ZooKeeperReplyTests#severalNamesCoolDownTogetherAndNoneStaysLocked"),
			new Mutant("cool-down of another name than the first is not seen", "R12, R18, R22", "Look#coolingDown",
					"first((i) -> queue(i).isCoolingDown())", "queue(0).isCoolingDown() ? 0 : -1")
				.caughtBy("zookeeper.ZooKeeperReplyTests#claimIsRefusedThoughOnlyTheLastOfItsNamesCoolsDown"),
			new Mutant("claim of several names is granted without one of its nodes", "R12, R22", "Look#shows",
					"this.queues.size()", "1")
				.caughtBy("zookeeper.ZooKeeperReplyTests#claimWhoseNodeInOneOfItsQueuesIsDeletedIsNotGrantedWithoutIt"),
			new Mutant("claim is granted while its session is not proven", "R7, R22", "QueuePlace#grant",
					"if (proof < 0) {", "if (proof < -1) {")
				.caughtBy("zookeeper.ZooKeeperReplyTests#claimIsNotGrantedUntilItsSessionIsProven"),
			new Mutant("claim that fails fast waits for a reply", "R4, R22", "ZooKeeperContender#start",
					"this.claim.isImmediate() || this.claim.failFast()", "this.claim.isImmediate()")
				.caughtBy("zookeeper.ZooKeeperReplyTests#claimThatDoesNotWaitEndsWithoutAReplyAndLeavesNothing"),
			new Mutant("claim waits for a node that is gone", "R4, R22", "QueuePlace#read", "else { look(); }",
					"else { clearObstacle(); }")
				.caughtBy("zookeeper.ZooKeeperReplyTests#nodeInFrontThatIsGoneBeforeItIsWatchedIsNoObstacle"),
			new Mutant("process that is started again is the owner of before", "R2, R22", "StoreContext#restart",
					"this.ownerPrefix = newOwnerPrefix();", "")
				.caughtBy("zookeeper.ZooKeeperReplyTests#storeThatIsStartedAgainIsAnotherOwner"),
			new Mutant("extension ends a lease that is renewed", "R6, R22", "ZooKeeperGrant#extend",
					"if (this.endNanos != null) {", "if (lease != null) {")
				.caughtBy("zookeeper.ZooKeeperReplyTests#extensionOfALeaseThatIsRenewedDoesNotEndIt"),
			new Mutant("lease that is passed on ends as before", "R17, R22", "ZooKeeperGrant#passOn",
					"this.endNanos = this.context.now() + this.claim.leaseNanos();", "this.endNanos += 0;")
				.caughtBy("zookeeper.ZooKeeperReplyTests#leaseThatIsPassedOnLastsForItsWholeTimeAgain"),
			new Mutant("released lease is told that it was not renewed", "R6, R22", "ZooKeeperGrant#finish",
					"this.session.leave(this);", "")
				.caughtBy("zookeeper.ZooKeeperReplyTests#leaseThatWasReleasedIsToldOfNoHeartbeat"),
			new Mutant("claim for a permit goes on after its end", "R20, R22", "QueuePlace#stop", "this.open = null;",
					"")
				.caughtBy("zookeeper.ZooKeeperPermitReplyTests#claimThatWasCancelledBeforeTheReplyAsksForNothingMore"),
			new Mutant("wait for a permit ends before a reply can come", "R4, R20, R22",
					"ZooKeeperContender#waitIsOver", "long left = this.context.operationTimeoutNanos;",
					"long left = 0;")
				.caughtBy(
						"zookeeper.ZooKeeperPermitReplyTests#claimThatHasTheTurnEndsWithoutAReplyAfterTheOperationTimeout"),
			new Mutant("short wait on ZooKeeper ends before a reply can come", "R4, R22",
					"ZooKeeperContender#waitIsOver", "left > 0", "false")
				.caughtBy("zookeeper.ZooKeeperReplyTests#claimWhoseWaitIsShorterThanARoundTripIsGranted"),
			new Mutant("short wait for a permit goes on although all are held", "R4, R20, R22",
					"ZooKeeperContender#isDecided", "this.phase == Phase.LAST_LOOK ||", "")
				.caughtBy("zookeeper.ZooKeeperReplyTests#claimWhoseWaitIsShorterThanARoundTripIsRefusedWithTheHolder"),
			new Mutant("claim that has the turn does not look when its wait is over", "R4, R20, R22",
					"QueuePlace#lookBehindSync", "look();", "")
				.caughtBy("zookeeper.ZooKeeperPermitReplyTests#claimThatHasTheTurnIsRefusedWhenItsWaitIsOver"),
			new Mutant("cancelled claim for a permit keeps the turn", "R20, R22", "QueuePlace#leave", "abandon();", "")
				.caughtBy("zookeeper.ZooKeeperPermitReplyTests#claimsThatAreCancelledLeaveTheQueueForTheTurn"),
			new Mutant("permit is taken although another took the last one", "R20, R22", "PermitPlace#taken",
					"&& look.queue(0).size() <= this.claim.permits()", "")
				.caughtBy("zookeeper.ZooKeeperPermitReplyTests#permitThatAnotherTookMeanwhileIsNotTakenTwice"),
			new Mutant("forced release of a permit releases all on ZooKeeper", "R7, R20, R22",
					"QueueReport#forceRelease", "permit == 0 || number == permit", "permit >= 0")
				.caughtBy("zookeeper.ZooKeeperReportTests#permitThatIsReleasedByForceIsTheOnlyOne"),
			new Mutant("session that is not proven is told as connected", "R22", "Sessions#state",
					"proven ? \"connected\" : \"unproven\"", "\"connected\"")
				.caughtBy("zookeeper.ZooKeeperReportTests#stateTellsWhetherTheSessionIsConnectedAndProven"),
			new Mutant("session is told to be older than its connection", "R22", "ConnectAttempts#onConnected",
					"this.establishedNanos = this.begunNanos;", "")
				.caughtBy("zookeeper.ConnectAttemptsTests#connectionIsAsOldAsTheAttemptThatLedToIt"),
			new Mutant("refused authentication is tried again at once", "R22", "Sessions#onOver",
					"(ending == Session.Ending.REFUSED) ? pause() : 0", "0")
				.caughtBy("zookeeper.ZooKeeperTimeTests#sessionThatIsRefusedIsNotOpenedAgainAtOnce"),
			new Mutant("lease is told to be at risk before its replies are read", "R22, R26", "Heartbeats#watchRisk",
					"first && now - atNanos > LATE_NANOS", "now < atNanos")
				.caughtBy("zookeeper.HeartbeatsTests#riskIsNotToldBeforeTheRepliesAreReadThatArrivedDuringAPause"),
			new Mutant("session keeps the claims that have ended", "R22", "QueuePlace#stop",
					"this.session.leave(this);", "")
				.caughtBy("zookeeper.ZooKeeperReplyTests#nothingIsKeptOfClaimsAndLeasesThatHaveEnded"),
			new Mutant("cancelled claim watches the node in front", "R22", "QueuePlace#clearObstacle",
					"this.obstacle.forEach(Runnable::run);", "")
				.caughtBy("zookeeper.ZooKeeperReplyTests#nothingIsKeptOfClaimsAndLeasesThatHaveEnded"),
			new Mutant("suspension behind a wall clock that was set back is not noticed", "R5", "SystemClock#nanoTime",
					"|| gapMillis < -TOLERANCE_MILLIS", "")
				.caughtBy("time.SystemClockTests#r5SuspensionBehindABackwardJumpOfTheWallClockCounts"),
			new Mutant("loss tells all readers the time of the first", "R7, R19", "LockEvents#lost",
					"lease.grant.owner(), loser.held(),", "lease.grant.owner(), losers.get(0).held(),")
				.caughtBy("engine.R19HandOverTests#lossTellsEachReaderForHowLongItHeldTheLock"),
			new Mutant("nodes that granted nothing are told as those of a lock", "R1", "Watchdog#nodes",
					"names(this.holders)", "names(this.quorum.voters.all)")
				.caughtBy("engine.LockInspectorTests#saysWhichNodesGrantedALock"),
			new Mutant("one request more than the permits asks the nodes", "R13, R20", "LocalQueue#occupantBefore",
					"occupants().size() < member.permits()", "occupants().size() <= member.permits()")
				.caughtBy("engine.R13LocalQueueTests#requestWaitsHereForAPermitOnceThisInstanceHoldsAllOfThem"),
			new Mutant("lock of another engine lets a request pass those that wait", "R13", "LockCall#isNested",
					"&& handle.isGrantedBy(this.engine)", "")
				.caughtBy("engine.R13LocalQueueTests#requestInsideALockOfAnotherEnginePassesNobody"),
			new Mutant("request behind the first is forgotten when that leaves", "R13", "LocalQueue#remove",
					"candidates.add(next);", "")
				.caughtBy("engine.LocalQueuesTests#waiterBehindOneThatLeavesBeforeItsTurnIsAdmitted"),
			new Mutant("forced release of a permit releases all in a group", "R7, R20, R23",
					"GroupedLeaseStore#forceRelease", ".forceRelease(name, permit)", ".forceRelease(name, 0)")
				.caughtBy("groups.GroupedLeaseStoreTests#forcedReleaseOfAPermitLeavesTheOthers"),
			new Mutant("reader that leaves does not count among those that wait", "R19, R21", "release-shared.lua",
					"queued = queued + 1", "")
				.caughtBy(
						"simulation.redis.SimulatedRedisLockNodeTests#releaseOfAReaderCountsTheTicketThatItBringsDown"),
			new Mutant("claim fails if a permit is released while it looks who holds it", "R20, R22", "QueuePlace#ask",
					"case OK, NONODE, NOTEMPTY ->", "case OK, NOTEMPTY ->")
				.caughtBy("zookeeper.ZooKeeperTimeTests#permitThatIsReleasedBeforeItsHolderIsReadIsTaken"),
			new Mutant("lock of several names is released before the commit if one of them is kept", "R11, R12",
					"TransactionLocks#isHeldByOthers", "handle.names().stream().allMatch(",
					"handle.names().stream().anyMatch(")
				.caughtBy("transaction.TransactionalReentryTests#lockOfSeveralNamesIsKeptThoughOneOfThemIsKeptAnyway"),
			new Mutant("nodes are trusted because one of them is new", "R10", "NodeEndpoints#isNewlyStarted",
					"allMatch(LockConnectionDetails::isNewlyStarted)",
					"anyMatch(LockConnectionDetails::isNewlyStarted)")
				.caughtBy("autoconfigure.redis.NodeEndpointsTests#nodesAreNewlyStartedIfAllOfThemAre"),
			new Mutant("votes of a group are told as its nodes", "R23", "LockGauges#bindGroups", "StoreStatus::voting",
					"(group) -> group.nodes().size()")
				.caughtBy("metrics.LockGaugesTests#eachGroupHasItsOwnNodesVotesAndQuorum"),
			new Mutant("latencies are those of the first replies for ever", "R14", "NodeStatistics#add",
					"(int) (this.count.getAndIncrement() % SAMPLES)",
					"(int) Math.min(this.count.getAndIncrement(), SAMPLES - 1)")
				.caughtBy("actuate.LocksEndpointTests#latenciesAreThoseOfTheLatestReplies"),
			new Mutant("gauge of names that share a tag shows one of them", "R13", "LockGauges#take", "Integer::sum",
					"(one, other) -> other")
				.caughtBy("metrics.LockMetersTests#locksWhoseNamesShareATagAreCountedTogether"),
			new Mutant("cancelled wait is counted as an outage", "R4", "LockOutcome#of",
					"|| failure instanceof LockCancelledException", "")
				.caughtBy("metrics.LockMetersTests#cancelledWaitIsContended"),
			new Mutant("loss of the second of two leases is not seen", "R7, R11", "CompositeHandle#ensureHeld",
					"this.parts.forEach(LockHandle::ensureHeld);", "this.parts.get(0).ensureHeld();")
				.caughtBy("engine.CompositeHandleTests#lossOfEitherLeaseIsALossOfBothAndIsToldOnce"),
			new Mutant("two leases are safe again once one of them is", "R26", "CompositeHandle#onAtRisk",
					"atRisk.decrementAndGet() == 0", "atRisk.decrementAndGet() >= 0")
				.caughtBy("engine.CompositeHandleTests#riskLastsAsLongAsThatOfAnyLease"),
			new Mutant("extension of two leases extends one", "R6, R11", "CompositeHandle#extend",
					"this.parts.forEach((part) -> part.extend(lease));", "this.parts.get(0).extend(lease);")
				.caughtBy("engine.CompositeHandleTests#extensionExtendsBothLeases"),
			new Mutant("re-entry that fails keeps the lease that it entered", "R11", "CompositeHandle#reenter",
					"reentered.forEach(LockHandle::close);", "")
				.caughtBy("engine.CompositeHandleTests#reentryThatFailsForTheSecondLeaseLeavesTheFirst"),
			new Mutant("reader that may not write keeps its lease for ever", "R11, R19", "DefaultLockTemplate#acquire",
					"parts.forEach(LockHandle::close); throw ex;", "throw ex;")
				.caughtBy("engine.DefaultLockTemplateTests#readerThatMayNotBecomeAWriterLeavesItsLeaseToTheOuterCall"),
			new Mutant("unlock of a lost lock says nothing", "R7", "LockView#unlock", "handle.ensureHeld();", "")
				.caughtBy("engine.DefaultLockTemplateTests#unlockOfALostLockSaysSoAndForgetsIt"),
			new Mutant("handle extends beyond the longest lease", "R6", "Handle#extendAsync",
					"this.lease.engine.settings.checkLease(lease, name());", "")
				.caughtBy("engine.HandleTests#leaseThatIsTooLongOrTooShortIsNotExtendedTo"),
			new Mutant("lost lock is extended", "R6, R7", "Handle#extendAsync", "ensureHeld();", "")
				.caughtBy("engine.HandleTests#lockThatWasLostOrReleasedIsNotExtended"),
			new Mutant("name has the token of another", "R9, R12", "Handle#fencingToken",
					"tokens[this.lease.names().indexOf(name)]", "tokens[0]")
				.caughtBy("engine.HandleTests#handleOfTheSecondNameHasTheTokenOfTheSecondName"),
			new Mutant("lost lock is asked for although the wait is over", "R1, R4", "LockCall#checkTimeLeft",
					"this.claim.remainingNanos(this.engine.clock.nanoTime()) <= 0", "false")
				.caughtBy("engine.HandOutTests#leaseThatEndsIsNotAskedForAgainAfterTheWait"),
			new Mutant("request that is made again waits for its whole time again", "R4", "Acquisition#waitInQueue",
					"this.call.claim.remainingNanos(this.engine.clock.nanoTime())", "this.call.claim.waitNanos()")
				.caughtBy("engine.AcquisitionTests#requestThatIsMadeAgainBehindOthersWaitsForTheRestOfItsTime"),
			new Mutant("reader shares a lease that nothing renews", "R7, R19", "HeldLease#sharable",
					"&& this.request.leaseTime() == null", "")
				.caughtBy("engine.AcquisitionTests#readerDoesNotShareALeaseThatAnotherReaderHasFixed"),
			new Mutant("reader is refused because of a reader", "R4, R19", "Acquisition#dismiss",
					"held != null && held.mode() == LockMode.EXCLUSIVE", "held != null")
				.caughtBy("engine.AcquisitionTests#readerWithoutAWaitSharesTheLeaseThatTheReaderInFrontGets"),
			new Mutant("reader that is cancelled as it shares a lease keeps it", "R19", "Succession#takeShare",
					"handle.closeAsync();", "")
				.caughtBy("engine.AcquisitionTests#readerThatIsCancelledAsItSharesALeaseDoesNotKeepIt"),
			new Mutant("lock that is cancelled as it is handed out is kept", "R1, R4", "LockCall#handOut",
					"if (!future.complete(granted)) {", "if (!future.complete(granted) && granted.names().isEmpty()) {")
				.caughtBy("engine.HandOutTests#lockThatIsCancelledAsItIsHandedOutIsReleased"),
			new Mutant("queue is used without its lock", "R13", "LocalQueues#locked", "this.locks.lock(names)",
					"this.locks.lock(List.of())")
				.caughtBy("engine.LocalQueuesTests#callThatFoundAQueueWhichIsRemovedMeanwhileEntersTheNewOne"),
			new Mutant("permit is handed to a request for fewer", "R17, R20", "Succession#suits",
					"&& waiter.permits() == lease.permits()", "")
				.caughtBy("engine.AcquisitionTests#permitOfMoreIsNotHandedToARequestForFewer"),
			new Mutant("cool-down is forgotten for whoever asks behind the release", "R18", "Succession#releaseFor",
					"this.engine.store.release(lease.grant, cooldown, next)",
					"this.engine.store.release(lease.grant, Duration.ZERO, next)")
				.caughtBy("engine.LeaseStoreSeamTests#shortHoldCoolsDownAlsoForWhoeverAsksBehindTheRelease"),
			new Mutant("of several readers one asks behind a writer", "R13, R19", "Succession#releaseFor",
					"LocalQueues.run(others);", "")
				.caughtBy("engine.AcquisitionTests#allReadersThatWaitedForAWriterAskOnceItHasLeft"),
			new Mutant("outage is reported as a refusal", "R4", "LockEvents#notAcquired",
					"failure instanceof LockUnavailableException, waited", "false, waited")
				.caughtBy("engine.LockReportTests#refusalIsToldApartFromAnOutage"),
			new Mutant("hold is reported as released at once", "R17", "LockEvents#released",
					"Duration held = left.held();", "Duration held = Duration.ZERO;")
				.caughtBy("engine.LockReportTests#waitGrantAndReleaseAreToldWithTheirTimes"),
			new Mutant("lease that is over is listed as held", "R7", "LockInspector#held", ".filter(HeldLease::isHeld)",
					"")
				.caughtBy("engine.LockInspectorReportTests#leaseWhoseTimeIsOverIsNotListed"),
			new Mutant("refusal by this instance names no owner", "R4, R13", "LockCall#heldHere",
					"notAcquired(this.engine.settings.instanceId(),", "notAcquired(null,")
				.caughtBy("engine.LockCallTests#refusalByThisInstanceSaysWhichThreadHoldsItAndForHowLong"),
			new Mutant("release of one group passes for that of all", "R8, R23", "GroupedGrant#release",
					"(one == ReleaseResult.CONFIRMED)", "(one == ReleaseResult.UNCONFIRMED)")
				.caughtBy("groups.GroupedGrantTests#releaseIsConfirmedIfThatOfBothPartsIs"),
			new Mutant("claim of two groups begins again although it was cancelled", "R23", "GroupedContender#askAgain",
					"&& inTime && !this.cancelled", "&& inTime")
				.caughtBy("groups.GroupedGrantTests#claimThatIsCancelledDoesNotBeginAgainAndReleasesBothParts"),
			new Mutant("setting retains locks that cannot be retained", "R24", "Tenure#retainTime",
					"!request.isRetainable()", "request.names().isEmpty()")
				.caughtBy("engine.LeaseStoreSeamTests#settingRetainsOnlyLocksThatCanBeRetained"),
			new Mutant("second in the queue does not ask when the lease in front can end", "R4",
					"ContenderState#pauseNanos", "result.rank() <= 1 &&", "result.rank() < 1 &&")
				.caughtBy("engine.R04WaitingTests#claimThatIsSecondAsksWhenTheLeaseInFrontEnds"),
			new Mutant("names that were contended once are kept for ever", "R4", "InstanceChannel#contended",
					"this.contendedUntil.clear();", "")
				.caughtBy("quorum.InstanceChannelTests#ofTooManyContendedNamesTheEarlierOnesAreForgotten"),
			new Mutant("name that is granted as its stage is cancelled is kept", "R11",
					"DefaultLockTemplate#joinedWith", "all.closeAsync();", "")
				.caughtBy("engine.DefaultLockTemplateTests#missingNameThatIsGrantedAsTheStageIsCancelledIsReleased"),
			new Mutant("request that the stop did not see asks behind it", "R1, R14", "Acquisition#start",
					"!this.engine.isRunning()", "false")
				.caughtBy("engine.AcquisitionTests#requestThatTheStopDidNotSeeEnds"),
			new Mutant("lease is said to be too short for an engine that stopped", "R14", "LockCall#checkTimeLeft",
					"!this.engine.isRunning() ?", "false ?")
				.caughtBy("engine.HandOutTests#requestWithoutAWaitIsToldThatTheEngineHasStopped"),
			new Mutant("followers of a request that was cancelled as it was about to ask stay with it", "R4",
					"Acquisition#onTurn", "dismiss(null);", "")
				.caughtBy(
						"engine.AcquisitionTests#requestWithoutAWaitAsksForItselfOnceTheOneThatWasAboutToAskIsCancelled"),
			new Mutant("followers of a request that was cancelled behind a release stay with it", "R4",
					"Succession#releaseFor", "cancelled.forEach((waiter) -> waiter.dismiss(null));", "")
				.caughtBy("engine.AcquisitionTests#requestWithoutAWaitAsksForItselfOnceTheOneWhoseTurnCameIsCancelled"),
			new Mutant("request that was cancelled as it entered the queues stays there", "R13",
					"Acquisition#waitInQueue", "leave();", "")
				.caughtBy("engine.AcquisitionTests#requestThatIsCancelledAsItEntersTheQueuesKeepsNobodyWaiting"),
			new Mutant("permit is refused although the last is only asked for", "R4, R20", "LocalQueue#occupantBefore",
					"|| occupant instanceof Waiter", "")
				.caughtBy("engine.AcquisitionTests#permitIsNotRefusedWhileAnotherIsOnlyAskedFor"),
			new Mutant("permit is refused because one of those that ask got one", "R4, R20", "Acquisition#dismiss",
					"&& held.permits() == 0", "")
				.caughtBy("engine.AcquisitionTests#permitIsNotRefusedBecauseTheFirstOfTwoThatAskGetsOne"),
			new Mutant("timer of a request that enters the queue again stays", "R13", "Acquisition#waitInQueue",
					"this.wait.cancel();", "")
				.caughtBy("engine.AcquisitionTests#readerThatEntersTheQueueAgainLeavesNoTimerBehind"),
			new Mutant("reader joins a writer that left while it was downgraded", "R19", "Turn#downgrade",
					"this.readers = set(List.of(this.first));",
					"this.readers = set(List.of(this.first)); this.count = 1;")
				.caughtBy("engine.AcquisitionTests#readerDoesNotJoinAWriterThatLeavesWhileItIsDowngraded"),
			new Mutant("observers are told the end of a lease that its caller never got", "R1", "ObservedRequest#hold",
					"new ObservedRequest(this.observations)", "this")
				.caughtBy("engine.HandOutTests#observersHearNothingOfALeaseThatEndsBeforeItsCallerGetsIt"),
			new Mutant("release behind a renewal that is being sent is left unsent", "R3, R8", "QuorumGrant#send",
					"this.quorum.messenger.flush();", "")
				.caughtBy("engine.R03CommandOrderTests#releaseBehindARenewalThatIsBeingSentIsNotLeftUnsent"),
			new Mutant("ticket of a clock that is ahead stands behind all others", "R21", "line.lua",
					"(clock() + 1000) * 1000", "(clock() + 1000000) * 1000")
				.caughtBy(
						"simulation.redis.SimulatedRedisTests#claimWhoseClockIsAheadStandsInFrontOfThoseThatComeASecondLater"),
			new Mutant("time that was denied once is never asked for again", "R27", "ClockReader#disconnected",
					"this.denied = false;", "")
				.caughtBy("redis.client.ClockReaderTests#timeThatWasDeniedIsAskedForOnTheNextConnection"),
			new Mutant("one lost reply ends the sweep of cool-downs", "R18, R22", "CooldownSweep#sweep",
					"if (stat == null) { later(own, MIN_NANOS);", "if (stat == null) {")
				.caughtBy("zookeeper.ZooKeeperReplyTests#coolDownIsLookedAtAgainWhenTheConnectionWasLostMeanwhile"),
			new Mutant("base of tokens is not known again behind a reconnection", "R22", "FencingTokens#read",
					"this.reading = false;", "")
				.caughtBy("zookeeper.ZooKeeperReplyTests#claimAsksOnceAlsoBehindAReconnection"),
			new Mutant("client that is to end a former session outlives its store", "R14, R22", "Sessions#close",
					"closeFormer();", "")
				.caughtBy("zookeeper.ZooKeeperTimeTests#clientThatIsToEndAFormerSessionEndsWithItsStore"),
			new Mutant("ticket from before a clock was set back stands until its own end", "R21", "line.lua",
					"ends <= LONGEST and ends or 0", "ends")
				.caughtBy("redis.LockScriptTests#ticketOfAWriterFromBeforeTheClockWasSetBackKeepsNoReaderOut"),
			new Mutant("readers overtake a writer behind sixteen others", "R19, R21", "line.lua",
					"ipairs({READERS_AT_ONCE, MAX_READERS})", "ipairs({READERS_AT_ONCE})")
				.caughtBy(
						"simulation.redis.SimulatedRedisLockNodeTests#readerThatComesLaterWaitsForAWriterBehindManyReaders"),
			new Mutant("commands that were replied to count as pending for ever", "R3, R15",
					"CommandQueue#takeRepliedTo", "this.pendingBytes -= command.bytes().length;", "")
				.caughtBy("redis.client.CommandQueueTests#callsThatWereRepliedToLeaveRoomForOthers"),
			new Mutant("pauses between attempts to connect hardly grow", "R3", "Connector#nextPauseMillis", "2 * limit",
					"2 + limit")
				.caughtBy("redis.client.ConnectorTests#pausesGrow"),
			new Mutant("step of connecting takes as long as the server likes", "R15", "Connection#closeIfOverdue",
					"if (this.step.isEmpty()", "if (true || this.step.isEmpty()")
				.caughtBy("redis.client.HandshakeTests#serverThatSaysNothingIsSaid"),
			new Mutant("silent connection gets no rival", "R3", "RedisLockNode#keep", "if (silent &&",
					"if (false && silent &&")
				.caughtBy("redis.client.ConnectorTests#serverThatRepliesLateKeepsItsConnection"),
			new Mutant("certificate for another name is taken", "R3", "Connection#secure",
					"parameters.setEndpointIdentificationAlgorithm(VERIFIES_HOST_NAME);", "")
				.caughtBy("redis.client.ConnectorTests#certificateForAnotherNameIsRefusedWhateverTheParametersSay"),
			new Mutant("refusal of another number of permits is taken", "R20", "ScriptReply#permit",
					"check(owners.size() == permits);", "")
				.caughtBy("redis.ScriptCallTests#repliesToAClaimForAPermitAreRead"),
			new Mutant("release that the servers refuse is waited for", "R8, R22", "ClaimNodes#refused",
					"this.gone.complete(false);", "")
				.caughtBy("zookeeper.ZooKeeperReplyTests#nobodyWaitsForAReleaseThatTheServersRefuse"),
			new Mutant("claim asks again and again while there is no connection", "R22", "QueuePlace#resume",
					"this.session.resume(() -> run(task));", "run(task);")
				.caughtBy("zookeeper.ZooKeeperReplyTests#claimAsksForNothingWhileThereIsNoConnection"),
			new Mutant("cool-downs are deleted with the last of them", "R18, R22", "CooldownSweep#nextNanos", ".min()",
					".max()")
				.caughtBy("zookeeper.ZooKeeperReplyTests#eachCoolDownIsDeletedWhenItEndsAndNotWithTheLast"),
			new Mutant("look at cool-downs goes on behind a stop without a session", "R18, R22", "CooldownSweep#begin",
					"this.pending = this.sessions", "this.sessions")
				.caughtBy("zookeeper.ZooKeeperReplyTests#storeThatIsStartedAgainLooksOnceAtWhatCoolsDown"),
			new Mutant("loss of a lease that is not kept yet is not told", "R7, R22", "ZooKeeperGrant#keep",
					"listener.onLost(lost);", "")
				.caughtBy("zookeeper.ZooKeeperReplyTests#leaseThatIsLostBeforeItIsKeptIsToldToBeLost"),
			new Mutant("write to the node of a holder counts as a grant in a report", "R9, R22", "QueueReport#holder",
					"content.stat().getCzxid()", "content.stat().getMzxid()")
				.caughtBy("zookeeper.ZooKeeperReportTests#reportNamesTheTokenOfAHolderWhoseNodeWasWrittenTo"),
			new Mutant("base of tokens is lowered that another raised meanwhile", "R9, R22", "FencingTokens#raise",
					"content.stat().getVersion()", "-1")
				.caughtBy("zookeeper.TokenBaseTests#baseThatAnotherRaisedMeanwhileIsNotLowered"),
			new Mutant("removals that are over are kept", "R22", "StoreContext#removed",
					"future.whenComplete((gone, error) -> this.removals.remove(future));", "")
				.caughtBy("zookeeper.ZooKeeperSettingsTests#removalThatIsOverIsForgotten"),
			new Mutant("doubt about a node is taken for a list of nodes", "R10, R27", "record.lua",
					"since = true, doubted = true, server = true}", "since = true, server = true}")
				.caughtBy("redis.LockScriptTests#whatTheRecordSaysOfItselfIsNoList"),
			new Mutant("connection that cannot be put to use stays open", "R3, R15", "Connector#use",
					"session.pipeline.close(UNEXPECTED);", "")
				.caughtBy("redis.client.ConnectorTests#connectionThatCannotBePutToUseIsClosed"),
			new Mutant("server is silent before its replies are late", "R10", "NodeHealth#onSilence",
					"Math.max(MIN_SILENCE_NANOS", "Math.min(MIN_SILENCE_NANOS")
				.caughtBy("redis.client.NodeHealthTests#serverIsSilentAfterThreeTimeoutsAndASecondAtLeast"),
			new Mutant("nodes are looked after until the first of them is stopped", "R14, R15", "RedisNodes#remove",
					"if (this.nodes.isEmpty()) {", "if (node != null) {")
				.caughtBy("redis.client.HousekeeperTests#nodesAreKeptWhileAnyIsLeft"),
			new Mutant("heartbeats go on behind the end of their session", "R14, R22", "Heartbeats#stop",
					"this.stopped = true;", "")
				.caughtBy("zookeeper.ZooKeeperReplyTests#sessionThatIsOverSendsNoHeartbeats"),
			new Mutant("end of the last session is not told", "R22", "Sessions#onOver", "this.lastProblem = reason;",
					"")
				.caughtBy("zookeeper.ZooKeeperReportTests#storeWithoutASessionTellsWhatBecameOfTheLast"),
			new Mutant("risk that is older than the lease is told", "R22, R26", "ZooKeeperGrant#risk",
					"current == this.riskBefore", "current == 0")
				.caughtBy(
						"zookeeper.ZooKeeperGrantTests#leaseThatIsGrantedWhileItsSessionIsAtRiskKnowsItWithoutBeingTold"),
			new Mutant("claim for a permit is told to wait each time that it looks", "R20, R22",
					"ZooKeeperContender#reportWaiting", "this.phase == Phase.ASKING &&", "")
				.caughtBy(
						"zookeeper.ZooKeeperPermitReplyTests#thoseThatAskThroughAClaimAreRepliedToWhetherItHasTheTurnOrNot"),
			new Mutant("permit leaves a cool-down that nobody looks at", "R18, R20, R22", "ZooKeeperGrant#release",
					"this.permit > 0 && !cooldown.isZero()", "false")
				.caughtBy("zookeeper.ZooKeeperPermitReplyTests#permitThatCoolsDownKeepsItsNode"),
			new Mutant("time is asked for a second later though a step is suspected", "R27", "ClockReader#update",
					"this.steps.isSuspecting() ||", "")
				.caughtBy("redis.client.ClockReaderTests#timeIsAskedForAtOnceWhileAStepIsSuspected"),
			new Mutant("stop waits for a server that hangs", "R14", "Pipeline#drain", "&& System.nanoTime() < end", "")
				.caughtBy("redis.client.NodeConnectionTests#stopGivesUpAServerThatHangsAndKeepsTheInterrupt"),
			new Mutant("oldest of the other lists is told", "R10", "RecordUpdater#use",
					"thenComparingLong(Use::ageSeconds)", "thenComparingLong((use) -> -use.ageSeconds())")
				.caughtBy("redis.client.JointMajorityTests#latestOfTheListsThatContradictIsNamed"),
			new Mutant("majority of the own list alone", "R10", "Voters#isMajority",
					"&& (this.lists.isEmpty() || this.lists.isMajorityOfEach(slots))", "")
				.caughtBy("quorum.KnownListsTests#everyJointMajorityMeetsEveryMajorityOfTheOtherList"),
			new Mutant("name counts though a record contradicts it", "R10", "Membership#findCommon",
					"(named.containsAll(listed) ? named : listed)", "named")
				.caughtBy("quorum.membership.MembershipTests#namesDecideOnlyWhileNoRecordContradictsThem"),
			new Mutant("other list is forgotten at once", "R10", "Voters#report", "list.untilNanos() - nowNanos > 0",
					"list.untilNanos() < nowNanos")
				.caughtBy("quorum.KnownListsTests#listThatIsNotSeenAgainIsForgottenNoSoonerThanItMay"),
			new Mutant("vote counts before the record was read", "R10", "NodeAdmission#isVoting", "&& seen.read", "")
				.caughtBy(
						"quorum.membership.NodeAdmissionTests#voteDoesNotCountBeforeTheRecordWasReadOnThisConnection"),
			new Mutant("node seen as a replica is not doubted", "R10", "Replication#doubt",
					"this.admission.onDoubt(DOUBT, 0, this.options.clock().minNanoTime());", "")
				.caughtBy("redis.client.ReplicationTests#serverThatIsAReplicaIsDoubtedHoweverLongItRuns"),
			new Mutant("copy of another server votes", "R10", "record.lua", "doubt = 'replica'", "doubt = doubt")
				.caughtBy("simulation.redis.SimulatedRedisTests#recordThatAnotherServerWroteIsDoubted"),
			new Mutant("timer of each release stays until its end", "R8, R22", "StoreContext#withinOperationTimeout",
					"timeout.cancel();", "")
				.caughtBy("zookeeper.ZooKeeperReplyTests#timersOfWhatHasEndedAreTakenBack"),
			new Mutant("permits have no gauge in a registry that is bound later", "R20", "LockTags#watch",
					"this.seen.forEach(watcher);", "")
				.caughtBy("metrics.LockMetersTests#registryThatIsBoundLaterHasTheGaugesOfNamesThatWereUsedBefore"),
			new Mutant("forced release that a bare majority confirms is told as none", "R7",
					"LockDescriptor#isReported", ">= majority", "> majority")
				.caughtBy("actuate.LocksEndpointTests#forcedReleaseThatABareMajorityConfirmsReleasedTheLock"),
			new Mutant("release is not repeated on a node in quarantine", "R8, R10", "Quorum#Quorum",
					"(slot) -> this.voters.nodes.get(slot).status().isConnected()",
					"(slot) -> this.voters.nodes.get(slot).status().isVoting()")
				.caughtBy("engine.R08ReleaseTests#releaseIsRepeatedOnANodeInQuarantine"),
			new Mutant("lease whose renewal was stopped is told to be safe", "R26", "LeaseTerm#isAtRisk",
					"return this.atRisk;", "return this.atRisk && this.renewing;")
				.caughtBy("quorum.LeaseTermTests#leaseWhoseRenewalIsStoppedIsStillAtRisk"),
			new Mutant("claim that has ended queues once more", "R21", "ContenderState#queue",
					"&& this.phase != Phase.DONE", "")
				.caughtBy("quorum.ContenderStateTests#claimThatHasEndedDoesNotQueue"),
			new Mutant("store stops only when a node that hangs replies", "R14", "QuorumStore#stop",
					"2 * this.quorum.timing.operationTimeoutNanos", "200 * this.quorum.timing.operationTimeoutNanos")
				.caughtBy("engine.R14ShutDownTests#storeStopsAfterTwoOperationTimeoutsAtTheLatest"),
			new Mutant("questions wait for nodes that hang", "R9, R24", "NodeQuery#ask",
					"quorum.timing.operationTimeoutNanos", "1000 * quorum.timing.operationTimeoutNanos")
				.caughtBy("engine.TimeLimitTests#furtherTokensAreNotAwaitedForLonger"),
			new Mutant("end of a risk is counted as another", "R26", "LockMeters#onAtRisk", "if (event.atRisk()) {",
					"if (event != null) {")
				.caughtBy("metrics.LockMetersTests#aRiskCountsOnceNotAgainWhenItIsOver"),
			new Mutant("leader of minutes ago is told as the present one", "R4", "Candidate#knownLeader",
					"? KNOWN_FOR_NANOS", "? 60 * KNOWN_FOR_NANOS")
				.caughtBy("leader.DefaultLeaderElectionTests#whoLeadsIsAskedForAgainAfterFiveSeconds"),
			new Mutant("candidate competes without a pause", "R4", "Candidate#pauseUntil", "nanos - System.nanoTime()",
					"System.nanoTime() - nanos")
				.caughtBy("leader.DefaultLeaderElectionTests#roleIsCompetedForOnceASecondAtMost"),
			new Mutant("election that was stopped does not begin again", "R14", "DefaultLeaderElection#takeCandidates",
					"this.candidates = Map.of();", "")
				.caughtBy("leader.DefaultLeaderElectionTests#electionThatWasStoppedCompetesAgainOnceItIsStarted"),
			new Mutant("those who follow a claim are told of every further question", "R4", "ContenderState#begin",
					"this.followers = List.of();", "")
				.caughtBy("quorum.ContenderStateTests#whoFollowsIsToldTheOutcomeOfOneQuestion"),
			new Mutant("those who follow a claim during its question are forgotten", "R4", "ContenderState#failed",
					"Stream.concat(this.served.stream(), this.followers.stream()).toList()", "this.served")
				.caughtBy("quorum.ContenderStateTests#allWhoFollowAQuestionThatGoesOnAreToldItsOutcome"),
			new Mutant("divided votes of the last attempt are not settled", "R4", "ContenderState#isLastAttempt",
					"this.attempts + 1 >=", "this.attempts >=")
				.caughtBy("quorum.ContenderPausesTests#lastOfSeveralAttemptsIsKnownBeforeItBegins"),
			new Mutant("lock that was asked for without a wait leaves a timer", "R4, R8", "AcquireRound#end",
					"cancel(this.pause);", "")
				.caughtBy("engine.R08ReleaseTests#lockThatWasAskedForWithoutAWaitLeavesNoTimer"),
			new Mutant("readers who got the lease of a writer leave a timer", "R19", "Tenure#end",
					"cancel(this.handOverEnd);", "")
				.caughtBy("engine.R19HandOverTests#readersWhoLeaveBeforeTheyAreSharedWithOthersLeaveNoTimer"),
			new Mutant("extension that is confirmed too late succeeds", "R6", "Watchdog#onConfirmed", "return false;",
					"return true;")
				.caughtBy("engine.R06RenewalTests#extensionThatIsConfirmedAfterTheLeaseHasEndedFails"),
			new Mutant("question of a settlement counts no longer than the first", "R4", "AcquireRound#askAgain",
					"limitQuestion();", "")
				.caughtBy("engine.R04WaitingTests#questionOfASettlementHasATimeLimitOfItsOwn"),
			new Mutant("message that a claim is next puts it off", "R21", "QuorumContender#askWithin",
					"&& now + limited - this.dueNanos < 0", "")
				.caughtBy("engine.QuorumClaimTests#messageThatAClaimIsNextPutsNothingOff"),
			new Mutant("leases that were released fill the memory", "R8", "RenewalSchedule#place",
					"boolean watched = entry.isWatched();", "boolean watched = true;")
				.caughtBy("quorum.RenewalScheduleTests#leaseThatHasEndedLeavesTheSchedule"),
			new Mutant("founder does not wait for nodes that it has not read", "R10", "Membership#examine",
					"this.firstReadNanos = nowNanos;", "")
				.caughtBy("quorum.membership.MembershipTests#nodesThatWereNotReadYetAreWaitedForSinceTheFirstWas"),
			new Mutant("names of another engine are taken for locked", "R11", "CompositeHandle#isGrantedBy",
					"return this.parts.get(0).isGrantedBy(engine);", "return true;")
				.caughtBy("engine.CompositeHandleTests#handleIsOfTheEngineThatGrantedIt"),
			new Mutant("shortening through the application's Redis is sent without its script", "R3",
					"SpringRedisLockNode#submit", "instanceof NodeCommand.Renew renew && renew.shorten()",
					"instanceof NodeCommand.Renew renew && !renew.shorten()")
				.caughtBy("redis.spring.SpringRedisLockNodeTests#shorteningRenewalIsSentOnceAndWithItsScript"),
			new Mutant("extension that is confirmed too late ends with its timeout", "R14", "Renewal#received",
					"fail(\"a quorum confirmed its renewal too late, or after the lease was shortened\");", "")
				.caughtBy("engine.R14ShutDownTests#extensionThatTheNodesConfirmAfterTheStopFailsAtOnce"),
			new Mutant("command that failed is sent again through the application's Redis", "R3",
					"SpringRedisLockNode#send", "!sending.whole() && RedisErrors.error(failure).isNoScript()",
					"!sending.whole()")
				.caughtBy("redis.spring.SpringRedisLockNodeTests#commandThatFailedIsNotSentAgain"),
			new Mutant("command that fails does not lead to the new master of its slot", "R8", "LettuceLink#run",
					"if (failure != null) {", "if (failure == null) {")
				.caughtBy("redis.spring.LettuceClusterLinkTests#commandThatFailsHasTheTopologyRead"),
			new Mutant("leader keeps its role when its lock is wanted", "R24", "Candidate#resignOnRequest",
					"current.end();", "")
				.caughtBy("leader.DefaultLeaderElectionTests#leaderResignsWhenItsLockIsWanted"));

	private Mutants() {
	}

}
