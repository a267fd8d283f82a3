package io.quorlock.simulation;

import java.util.List;

/**
 * The defects that the tests must find. Those in classes of this package are defects of
 * what a server or a driver does, which the engine relies on.
 */
final class Mutants {

	static final List<Mutant> ALL = List.of(
			// ---- validity and majorities
			new Mutant("validity without the drift margin", "R1", "AcquireRound#validUntilNanos",
					"- this.rounds.timing().driftMarginNanos(leaseNanos())", ""),
			new Mutant("drift added instead of subtracted", "R1", "Timing#driftMarginNanos",
					"return (long) (leaseNanos * this.driftFactor)", "return -(long) (leaseNanos * this.driftFactor)"),
			new Mutant("elapsed measured from the last reply", "R1", "AcquireRound#validUntilNanos",
					"this.startNanos + leaseNanos()", "now() + leaseNanos()"),
			new Mutant("validity not looked at again at hand-out", "R1", "Handle#handOut", "if (!isHeld()) {",
					"if (this.closed.get()) {"),
			new Mutant("half of the nodes are enough", "R1", "Voters#Voters", "this.nodes.length / 2 + 1",
					"Math.max(1, this.nodes.length / 2)"),
			new Mutant("quorum of the reachable nodes", "R1", "Voters#isMajority",
					"return Long.bitCount(slots) >= this.majority;",
					"return slots != 0 && Long.bitCount(slots) > "
							+ "java.util.Arrays.stream(this.nodes).filter((node) -> node.status().state() "
							+ "!= io.quorlock.quorum.node.NodeStatus.State.DOWN).count() / 2;"),
			// ---- release
			new Mutant("failed attempt releases only where it acquired", "R2", "AcquireRound#release",
					"attempt(), touched(), ", "attempt(), this.decision.ballot().holders(), "),
			new Mutant("failed attempt releases nothing", "R2", "AcquireRound#release",
					"if (!this.decision.isRefusedByProbe()) {", "if (this.startNanos == 1) {"),
			new Mutant("release goes ahead of what was sent before", "R3", "SimNode#send",
					"connection.lastArrival = Math.max(connection.lastArrival,",
					"connection.lastArrival = Math.max(call.command instanceof NodeCommand.Release ? 0 : "
							+ "connection.lastArrival,"),
			new Mutant("old connection not killed at reconnect", "R3", "SimNode#handShake",
					"this.previous.killed = true;", "this.previous.usable = false;"),
			new Mutant("token reused across attempts", "R2", "QuorumStore#newAttempt",
					"this.tokenPrefix + mark + this.counter.incrementAndGet()", "this.tokenPrefix + 1"),
			new Mutant("release without a reply not repeated", "R8", "UnconfirmedReleases#add",
					"node.releases.add(release);", "node.releases.peek();"),
			new Mutant("release that failed counts as confirmed", "R8", "Release#failed",
					"this.failed.getAndUpdate((slots) -> slots | Voters.bit(slot)); "
							+ "this.releases.unconfirmed().add(slot, this);",
					"this.confirmed.getAndUpdate((slots) -> slots | Voters.bit(slot));"),
			new Mutant("release deletes whoever holds the key", "R8", "release.lua",
					"if redis.call('GET', KEYS[i]) == ARGV[1] then", "if redis.call('GET', KEYS[i]) then"),
			// ---- renewal and loss
			new Mutant("watchdog does not renew", "R6", "Watchdog#onTimer",
					"renew(slots, false, this.term.leaseNanos(), now);", "this.term.epoch();"),
			new Mutant("retries pile up behind renewals without a reply", "R6", "Watchdog#nodesToAsk",
					"return this.voters.isMajority(slots) ? slots : 0;", "return this.voters.all();")
				.caughtBy("engine.R06RenewalTests#retriesDoNotPileUpOnNodesThatOweAReply"),
			new Mutant("renewal without a quorum", "R6", "Renewal#received",
					"Long.bitCount(confirmed) == this.voters.majority()", "Long.bitCount(confirmed) == 1"),
			new Mutant("renewal counts nodes in quarantine", "R6, R10", "Renewal#received",
					"if (reply.voting() && reply instanceof NodeReply.Done) {",
					"if (reply instanceof NodeReply.Done) {"),
			new Mutant("renewal counted from its reply", "R6", "LeaseTerm#confirm",
					"renewal.sentNanos() + renewal.leaseNanos()", "now + renewal.leaseNanos()"),
			new Mutant("renewal of an expired lock counts", "R6", "LeaseTerm#confirm", "|| isExpired(now) ||", "||"),
			new Mutant("lost lock revived by a late renewal", "R7", "LeaseTerm#confirm",
					"if (!isHeld() || isExpired(now) || renewal.epoch() != this.epoch) {",
					"if (this.state == State.LOST) { this.state = State.HELD; } if (!isHeld()) {")
				.and("HeldLease#isHeld", "return this.state.isHeld() && this.grant.isValid();",
						"return this.grant.isValid();"),
			new Mutant("one refusal loses the lock", "R7", "Renewal#isRefusedByQuorum",
					"return this.voters.isMajority(", "return 0 != ("),
			new Mutant("loss noticed by the timer only", "R7", "QuorumGrant#isValid",
					"!this.term.isExpired(this.clock.nanoTime()) ||", "this.term.isHeld() ||"),
			new Mutant("renewal takes the key from another", "R6", "renew.lua",
					"owners[i] = redis.call('GET', KEYS[i])", "owners[i] = redis.call('GET', KEYS[i]) and ARGV[1]"),
			new Mutant("keys shortened before the handle", "R6", "LeaseTerm#change", "if (shorter) {",
					"if (this.epoch < 0) {"),
			new Mutant("earlier renewal undoes a shorter extension", "R6", "LeaseTerm#confirm",
					"|| renewal.epoch() != this.epoch", ""),
			// ---- re-entry
			new Mutant("reader becomes a writer by re-entry", "R11, R19", "DefaultLockTemplate#checkMode",
					"held.mode() == LockMode.EXCLUSIVE", "held.mode() != null")
				.caughtBy("engine.R11ReentryTests#readerDoesNotBecomeAWriter"),
			new Mutant("lock that is not re-entrant is re-entered", "R11", "DefaultLockTemplate#reenter",
					"!request.isReentrant()", "request.names().isEmpty()")
				.caughtBy("engine.R11ReentryTests#lockThatIsNotReentrantIsRefused"),
			new Mutant("lock is re-entered as one of several permits", "R11, R20", "DefaultLockTemplate#reenter",
					"(handle.permit() > 0) != (request.permits() > 0)", "handle.permit() < 0")
				.caughtBy("engine.R11ReentryTests#lockIsNoPermitOfItsName"),
			new Mutant("re-entry takes names for held that are not", "R11, R12", "DefaultLockTemplate#acquire",
					"if (!missing.isEmpty()) {", "if (missing.size() == request.names().size()) {")
				.caughtBy("engine.R11ReentryTests#namesThatTheCallDoesNotHoldAreAskedFor"),
			new Mutant("lost lock is re-entered", "R7, R11", "Handle#reenter", "ensureHeld();", "checkOpen();")
				.caughtBy("engine.R11ReentryTests#lostLockIsNotReentered"),
			new Mutant("first handle releases for all", "R11", "Holder#release", "this.handles.decrementAndGet() == 0",
					"this.handles.decrementAndGet() >= 0")
				.caughtBy("engine.R11ReentryTests#lastHandleReleases"),
			// ---- fencing
			new Mutant("fence without the second round", "R9", "FenceTally#isStored",
					"return this.voters.isMajority(this.stored);", "return true;"),
			new Mutant("second round counts nodes where it holds nothing", "R9", "raise.lua",
					"if redis.call('GET', KEYS[i]) ~= ARGV[1] then", "if not KEYS[i] then"),
			new Mutant("token is the smallest vote", "R9", "FenceTally#FenceTally",
					"this.greatest[i] = Math.max(this.greatest[i], fences[i]);",
					"this.greatest[i] = (this.greatest[i] == 0) ? fences[i] : Math.min(this.greatest[i], "
							+ "fences[i]);"),
			new Mutant("tokens proposed without a clock", "R9", "FenceProposals#propose",
					"long clock = this.clocks.micros();", "long clock = 1;"),
			new Mutant("fence does not outlive its lock", "R9", "Timing#fenceMillis",
					"return this.retentionMillis + keyMillis(leaseNanos);", "return 1;"),
			new Mutant("range of the hand-over not stored", "R9, R17", "acquire-free.lua",
					"math.max(stored + ARGV[7], proposed)", "math.max(stored + 1, proposed)"),
			new Mutant("hand-over without a token of its own", "R17", "Handle#fencingToken",
					"+ this.holder.generation()", ""),
			new Mutant("renewal stores the given fence", "R6, R9", "fences.lua",
					"local fence = math.max(stored, tonumber(granted))", "local fence = tonumber(granted)")
				.caughtBy("simulation.redis.SimulatedRedisTests#renewalKeepsAFenceThatIsGreater"),
			new Mutant("raise stores the given fence", "R9", "fences.lua",
					"local fence = math.max(stored, tonumber(granted))", "local fence = tonumber(granted)")
				.caughtBy("simulation.redis.SimulatedRedisTests#raiseKeepsAFenceThatIsGreater"),
			new Mutant("raise leaves the fence its old time to live", "R9", "raise.lua",
					"redis.call('SET', KEYS[i] .. ':fence', fences[i], 'PX', ARGV[2])",
					"redis.call('SET', KEYS[i] .. ':fence', fences[i], 'PX', "
							+ "math.max(1, redis.call('PTTL', KEYS[i] .. ':fence')))")
				.caughtBy("simulation.redis.SimulatedRedisTests#raiseGivesTheFenceItsWholeLifeAgain"),
			new Mutant("fence expires with the lease", "R9", "acquire-free.lua",
					"fence == proposed and ARGV[8] or fence, 'PX', ARGV[6])",
					"fence == proposed and ARGV[8] or fence, 'PX', ARGV[2])"),
			new Mutant("fences of several names expire with the lease", "R9, R12", "acquire-all.lua",
					"redis.call('SET', KEYS[i] .. ':fence', fences[i], 'PX', ARGV[6])",
					"redis.call('SET', KEYS[i] .. ':fence', fences[i], 'PX', ARGV[2])")
				.caughtBy("simulation.redis.SimulatedRedisTests#fencesOfSeveralNamesOutliveTheLease"),
			new Mutant("vote that ignores the stored fence", "R9", "acquire-free.lua",
					"local fence = math.max(stored + ARGV[7], proposed)", "local fence = proposed"),
			new Mutant("acquire overwrites the key of another", "R1", "acquire-free.lua",
					"redis.call('SET', lock, ARGV[1], 'NX', 'PX', ARGV[2])",
					"redis.call('SET', lock, ARGV[1], 'PX', ARGV[2])"),
			new Mutant("first in the queue overwrites the key of another", "R1, R21", "acquire.lua",
					"redis.call('SET', lock, ARGV[1], 'NX', 'PX', ARGV[2])",
					"redis.call('SET', lock, ARGV[1], 'PX', ARGV[2])"),
			new Mutant("fence of the first in the queue expires with the lease", "R9, R21", "acquire.lua",
					"redis.call('SET', fence_key, fence, 'PX', ARGV[6])",
					"redis.call('SET', fence_key, fence, 'PX', ARGV[2])")
				.caughtBy("simulation.redis.SimulatedRedisTests#fenceOfTheFirstInTheQueueOutlivesTheLease"),
			new Mutant("several names without looking at the last", "R12", "acquire-all.lua",
					"local other = blocker(KEYS[i], waiting)", "local other = i < n and blocker(KEYS[i], waiting)"),
			new Mutant("renewal shortens what an extension lengthened", "R6", "renew.lua", "if ARGV[3] ~= '1' then",
					"if ARGV[3] == '' then")
				.caughtBy("simulation.redis.SimulatedRedisTests#renewalNeverShortensWhatAnExtensionLengthened"),
			new Mutant("lost key not put back by the renewal", "R6", "renew.lua",
					"if not owners[i] then redis.call('SET', KEYS[i], ARGV[1], 'PX', ARGV[2])",
					"if not KEYS[i] then redis.call('SET', KEYS[i], ARGV[1], 'PX', ARGV[2])")
				.caughtBy("simulation.redis.SimulatedRedisTests#renewalPutsALostKeyBack"),
			new Mutant("release of a key that cools down frees it", "R18", "release.lua", "'~cooldown'", "ARGV[1]"),
			new Mutant("cool-down of one of several names put back on all", "R18", "Standings#cooldownMillis",
					"this.cooling.length == 1", "true")
				.caughtBy("engine.R18CoolDownTests#coolDownOfOneNameLocksNoOtherName"),
			// ---- kinds
			new Mutant("reader beside a writer", "R19", "acquire-shared.lua",
					"owner and owner ~= '~shared' and string.sub(owner, 1, 512) or", ""),
			new Mutant("writer of several names beside readers", "R19", "waiting.lua", "if owner == '~shared' then",
					"if owner == '~shared' and ARGV[9] then return nil end if owner == '~shared' then"),
			new Mutant("lease of a later reader does not prolong the key", "R19", "acquire-shared.lua",
					"redis.call('SET', KEYS[i], '~shared', 'PXAT', last)",
					"if redis.call('EXISTS', KEYS[i]) == 0 then redis.call('SET', KEYS[i], '~shared', 'PXAT', last) end")
				.caughtBy("simulation.redis.SimulatedRedisTests#laterReaderProlongsTheKey"),
			new Mutant("first reader to leave frees the others", "R19", "release-shared.lua",
					"owner == '~shared' and last", "owner == '~never' and last"),
			new Mutant("renewal of a reader takes the key of a writer", "R19", "renew-shared.lua",
					"if owners[i] and owners[i] ~= '~shared' and owners[i] ~= ARGV[1] then", "if not KEYS[i] then"),
			new Mutant("reader's token is less than that of the writer before", "R19", "acquire-shared.lua",
					"math.max(stored, tonumber(ARGV[7 + i]))", "1"),
			new Mutant("reader keeps a fence however old it is", "R19", "acquire-shared.lua",
					"math.max(stored, tonumber(ARGV[7 + i]))", "stored > 0 and stored or tonumber(ARGV[7 + i])")
				.caughtBy("simulation.redis.SimulatedRedisTests#readerRaisesAFenceThatIsTooOld"),
			new Mutant("reader proposes nothing", "R19", "FenceProposals#leastOfReaders",
					"(now / this.stepMicros - 1) * this.stepMicros", "0")
				.caughtBy("quorum.FenceProposalsTests#tokenOfAReaderFollowsTheClockInSteps"),
			new Mutant("reader who joins gets the first token of the lease", "R19", "PendingRequest#share",
					"readers.generation()", "0"),
			new Mutant("readers of a writer's lease get its first token", "R17, R19", "Succession#pass",
					"((Acquisition) waiter).holder(generation)", "((Acquisition) waiter).holder(0)"),
			new Mutant("writer gets the lease beside readers that hold it", "R17, R19", "Turn#leave",
					"return this.count.decrementAndGet() == 0;", "return this.count.decrementAndGet() >= 0;"),
			new Mutant("writer takes over among readers", "R17, R19", "LocalQueue#takeNext",
					"(taken.isEmpty() || next.mode() == LockMode.SHARED)", "(taken.size() < 9)"),
			new Mutant("lease that was turned for readers passes to a writer", "R17, R19", "LeaseTerm#passOn",
					"|| this.downgraded ||", "||"),
			new Mutant("readers keep a writer's lease to themselves", "R19", "HeldLease#passTo",
					"this.tenure.whenOver(this::shareIfNotYoung);", "")
				.caughtBy(
						"engine.R19HandOverTests#readersThatStayShareTheLeaseWithOtherInstancesAfterTheMaximumDuration"),
			new Mutant("readers are let in before the handle is one", "R19", "LeaseMode#downgrade",
					"writer.downgraded(true);", "")
				.and("LeaseMode#downgrade", "this.mode == LockMode.SHARED);", "false);"),
			new Mutant("votes for several permits count together", "R20", "Ballot#votingFor",
					"&& granted.permit() == permit", ""),
			new Mutant("permit that is held is given away", "R20", "acquire-permit.lua", "if owner then",
					"if not key then"),
			new Mutant("release of a permit frees those of others", "R20", "release-permit.lua",
					"redis.call('GET', key) == ARGV[1]", "redis.call('GET', key)"),
			new Mutant("fence of a permit not raised", "R20", "acquire-permit.lua",
					"math.max(stored + ARGV[9], tonumber(ARGV[10]))", "math.max(stored, 1)"),
			new Mutant("ticket without an expiry", "R21", "waiting.lua", "if tonumber(all[i + 1]) <= now then",
					"if not all[i] then"),
			new Mutant("nodes do not look at tickets", "R21", "waiting.lua", "elseif all[i] < ticket and",
					"elseif all[i] == waiters and"),
			new Mutant("each node has an order of its own", "R21", "waiting.lua", "elseif all[i] < ticket and",
					"elseif tonumber(all[i + 1]) < tonumber(redis.call('HGET', waiters, ticket) or now * 2) and"),
			new Mutant("fair request leaves no ticket", "R21", "Queueing#registration", "claim.fair() ||", ""),
			new Mutant("readers pass the writer who waits for them", "R19, R21", "Queueing#registration",
					"Registration.BEHIND_READERS", "Registration.NEVER"),
			new Mutant("permits are given to whoever comes", "R20, R21", "acquire-permit.lua",
					"waiting, ahead = tickets_before(waiters, ARGV[3])", "waiting = tickets_before(waiters, ARGV[3])"),
			new Mutant("waiter stands behind those who came later", "R21", "Queueing#Queueing",
					"- (rounds.clock().nanoTime() - claim.queuedAtNanos()) / 1_000",
					"+ (rounds.clock().nanoTime() - claim.queuedAtNanos()) / 1_000"),
			// ---- quarantine
			new Mutant("no quarantine", "R10", "NodeAdmission#isVoting",
					"&& (seen.trusted || waitNanos(seen, nowNanos) == 0);", ";"),
			new Mutant("quarantine shorter than the lease", "R10", "NodeAdmission#NodeAdmission",
					"(quarantine.toNanos() * (1 + driftFactor)) + ROUNDING.toNanos()",
					"(quarantine.toNanos() * (1 + driftFactor)) / 3"),
			new Mutant("acquire counts nodes in quarantine", "R10", "Ballot#note",
					"return; // recorded, not considered (R10)", "reply.voting();")
				.and("Ballot#votingFor", "granted.voting() &&", ""),
			new Mutant("node that is new to the group counts at once", "R10", "NodeAdmission#waitNanos",
					"Math.min(seen.up.nanosAgo(nowNanos), record.nanosAgo(nowNanos))", "seen.up.nanosAgo(nowNanos)")
				.caughtBy("quorum.membership.NodeAdmissionTests#newcomerCountsAfterTheQuarantineFromItsRecordOn"),
			// ---- names that move
			new Mutant("nodes do not look at their seal", "R23", "version.lua", "or seal > version then",
					"or version < 0 then")
				.caughtBy("simulation.redis.SimulatedRedisTests#olderVersionThanTheSealIsRefused"),
			new Mutant("reader takes a fence from before its name moved", "R23", "FenceProposals#leastOfReaders",
					"Math.max(this.floor, moved)", "0")
				.caughtBy("engine.R09FencingTests#readerTakesNoTokenBelowTheFloor"),
			new Mutant("seal is not written", "R23", "Seals#toWrite", "int seal = this.layout.seal();", "int seal = 0;")
				.and("Seals#waitNanos", "reading.seal() >= this.layout.seal()", "reading.seal() >= 0"),
			new Mutant("seal is lost with a restart", "R23", "Seals#toWrite", "seal = Math.max(seal, reading.seal());",
					"seal = Math.max(seal, 0);")
				.caughtBy("quorum.membership.SealsTests#nodeJoinsOnceEnoughOthersToldTheirSeals"),
			new Mutant("node that lost its seal locks for everybody", "R23", "version.lua", "if seal < 0 or seal",
					"if seal")
				.caughtBy("simulation.redis.SimulatedRedisTests#nodeWithoutASealRefusesEveryVersion"),
			new Mutant("seals told before the loss are taken for those after it", "R23", "Seals#isAskedSinceMissed",
					"reading != null && reading.question().number() > this.missedAt[node]", "reading != null")
				.caughtBy("quorum.membership.SealsTests#answerToAQuestionFromBeforeTheLossTellsNothing"),
			new Mutant("fewer seals than a majority needs", "R23", "Seals#isKnown",
					"this.readings.length - this.readings.length / 2", "1")
				.caughtBy("quorum.membership.SealsTests#twoOfThreeThatLostTheirsDoNotCount"),
			new Mutant("young seal", "R23", "Seals#waitNanos", "left[i] = age - reading.ageNanos(leastNanos);",
					"left[i] = age / 4 - reading.ageNanos(leastNanos);")
				.caughtBy("quorum.membership.SealsTests#majorityHasToBeSealedForLongEnough"),
			new Mutant("group is sealed before all of its nodes are marked", "R23", "Seals#action",
					"reading != null && reading.seal() != NOTHING", "reading == null || reading.seal() == MARKED")
				.caughtBy(
						"quorum.membership.SealsTests#groupIsMarkedOnceAllOfItsNodesAreReadAndSealedOnceAllAreMarked"),
			new Mutant("seal of one node is enough", "R23", "Seals#waitNanos", "return left[left.length / 2];",
					"return left[0];")
				.caughtBy("quorum.membership.SealsTests#majorityHasToBeSealedForLongEnough"),
			new Mutant("seal that was read before the connection broke", "R23", "Seals#disconnected",
					"this.readings[node] = null;", "this.questions += node;")
				.caughtBy("quorum.membership.SealsTests#nodeThatMayHaveRestartedDoesNotCount"),
			new Mutant("no wait behind the seal", "R23", "Move#isOver", "waitNanos() <= 0",
					"waitNanos() < Long.MAX_VALUE"),
			new Mutant("new groups alone without a seal", "R23", "Move#isOver", "&& waitNanos() <= 0", ""),
			new Mutant("renewal does not carry the version", "R23", "ScriptCall#renew",
					".version(this.redisKeys, this.version)", "")
				.caughtBy("simulation.redis.SimulatedRedisTests#olderVersionThanTheSealIsRefused"),
			new Mutant("acquire does not carry the version", "R23", "ScriptCall#acquire",
					".version(this.redisKeys, this.version)", "")
				.caughtBy("simulation.redis.SimulatedRedisTests#olderVersionThanTheSealIsRefused"),
			new Mutant("joint lock takes the new group alone", "R23", "Placement#partsOf",
					"new Parts(parts(claim, moves && !over), moves", "new Parts(parts(claim, false), moves"),
			new Mutant("joint lock takes the old group alone", "R23", "Placement#idsOf",
					"ids.add(this.move.previous().groupOf(name));",
					"ids.clear(); ids.add(this.move.previous().groupOf(name));"),
			new Mutant("token of a joint lock stored in one group only", "R23", "JointTokens#store",
					"if (!Arrays.equals(some, grant.tokens())) {", "if (some.length == 0) {")
				.caughtBy("groups.MoveTests#tokenOfAJointLockIsStoredInBothGroups"),
			new Mutant("token of a joint lock is that of one group", "R23", "JointTokens#of",
					"tokens[index] = Math.max(tokens[index], some[i]);", "tokens[index] = some[i];")
				.caughtBy("groups.MoveTests#tokenOfAJointLockIsStoredInBothGroups"),
			// ---- shut-down
			new Mutant("stop releases nothing", "R14", "LockEngine#stop", ".forEach(HeldLease::stop)",
					".limit(0).forEach(HeldLease::stop)"),
			new Mutant("renewals go on after the stop", "R14", "LeaseTerm#release", "this.state = State.RELEASED;",
					"this.lossReason = \"\";"),
			// ---- waiting
			new Mutant("divided vote told as held by another", "R4", "RoundFailures#describe",
					"if (standings.isHeld()) {", "if (decision.isVoted()) {"),
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
					"Math.min(delayNanos, Math.max(0, most))", "Math.max(0, most)"),
			new Mutant("waiter woken by its own release", "R4", "RetryPolicy#isReleased",
					"return released && this.wokenUp < MAX_WAKE_UPS;",
					"return this.voters.isMajority(this.announced);"),
			new Mutant("wait goes on after its time", "R4", "ContenderState#failed", "(remaining <= 0 ||",
					"(remaining <= -1_000_000_000L ||"),
			new Mutant("failed request stays at the head of the queue", "R13", "Acquisition#onFailed", "leave();", "")
				.caughtBy("engine.WaitingTests#manyWaitersFailOneAfterAnotherWithALimitOfAttempts"),
			// ---- leases that nobody uses
			new Mutant("lease that nobody uses is taken by two", "R24", "LeaseState#resume",
					"return this.state.compareAndSet(State.RETAINED, State.HELD);",
					"return !isOver(this.state.get()) && this.state.compareAndSet(this.state.get(), State.HELD);"),
			new Mutant("lease that nobody uses is taken again with the same token", "R24", "Succession#resume",
					"lease.tokens().next()", "lease.tokens().next() - 1"),
			new Mutant("lease that nobody uses is taken although it may not pass on", "R24", "Succession#resume",
					"!there || !lease.tokens().passOn()", "!there")
				.caughtBy("engine.R24RetainedLeaseTests#leaseThatIsTakenAgainBelongsToItsNewHolderAlone"),
			new Mutant("nobody is asked for a lease that is merely kept", "R24", "waiting.lua", "if instance then",
					"if instance == lock then"),
			new Mutant("lease that others want is kept all the same", "R24", "RequestsToRelease#wanted",
					"this.wanted = true; this.giveUp.run();", "this.wanted = false;"),
			new Mutant("what readers share is kept", "R24", "Succession#retain", "lease.mode() == LockMode.SHARED ||",
					"")
				.caughtBy("engine.R24RetainedLeaseTests#leaseThatWasTurnedForReadersIsReleased"),
			new Mutant("lease passes on although others want it", "R24", "Tenure#mayBeRetained",
					"this.retainable && !this.requests.isWanted() &&", "this.retainable &&")
				.caughtBy("engine.R24RetainedLeaseTests#leaseInUseThatIsWantedPassesToNobodyInThisProcess"),
			new Mutant("lease is kept for ever by those who cannot be asked", "R24", "Tenure#mayBeRetained",
					"&& this.endNanos - this.clock.nanoTime() > 0", "")
				.caughtBy("engine.R24RetainedLeaseTests#howeverManyWaitHereOthersGetItWhenALeaseHasPassed"),
			new Mutant("tokens are used before a majority stores them", "R24", "TokenRaise#received",
					"this.parts.voters().isMajority(", "0 != (")
				.caughtBy("engine.R24RetainedLeaseTests#requestWaitsForTokensThatAreOnTheirWay"),
			new Mutant("renewal forgets the tokens that were taken later", "R24", "QuorumGrant#renewal",
					"this.tokens.greatest()", "this.tokens.least()")
				.caughtBy("engine.R24RetainedLeaseTests#renewalRestoresTheFenceThatWasRaised"),
			new Mutant("tokens run away from the clock", "R24", "FenceProposals#isFarAhead", "fence > most",
					"fence > most && fences.length == 0")
				.caughtBy("engine.R24RetainedLeaseTests#tokensNeverRunMoreThanASecondAheadOfTheClock"),
			new Mutant("tokens of new leases run away from the clock", "R24", "FenceProposals#propose",
					"range > 1 && isFarAhead", "range > 1_000_000 && isFarAhead")
				.caughtBy("engine.R24RetainedLeaseTests#tokensOfLeasesThatAreHardlyRetainedDoNotRunAheadEither"),
			new Mutant("requests that cross are reported again", "R24", "RequestCallback#isNew",
					"this.recentIds.contains(id)", "id.equals(this.recentIds.peekLast())")
				.caughtBy("quorum.RequestCallbackTests#requestsThatCrossAreReportedOnceEach"),
			new Mutant("request without a wait is forgotten between two groups", "R4, R23", "GroupedContender#ask",
					"unserved.forEach(following::askFor);", "")
				.caughtBy(
						"groups.GroupedLeaseStoreTests#requestWithoutAWaitReceivesTheOutcomeOfTheGroupThatIsAskedLast"),
			new Mutant("lock-delay of one group only", "R23, R25", "GroupedGrant#takenFor", "overdue < 0",
					"overdue < Long.MAX_VALUE")
				.caughtBy("engine.R25LockDelayTests#releaseBehindTheValidityOfOneGroupKeepsTheNamesOfTheOtherTaken"),
			new Mutant("loss of a lease that nobody uses is reported to its last holder", "R24", "Turn#holders",
					"(this.count.get() > 0) ?", "(this.count.get() > -9) ?")
				.caughtBy("engine.R24RetainedLeaseTests#lossOfALeaseThatNobodyUsesIsNoLoss"),
			new Mutant("request without a wait is refused by a lease that is given up", "R24",
					"ContenderState#isGivenUpSoon", "!RetryPolicy.isRetainable(round)", "round != null")
				.caughtBy("engine.R24RetainedLeaseTests#requestWithoutAWaitAsksAgainWhenTheLeaseIsGivenUp"),
			new Mutant("lease is kept although its time ended before that began", "R24", "Succession#retain",
					"|| lease.tenure().isIdleTimeOver()", "")
				.caughtBy("engine.R24RetainRaceTests#leaseWhoseTimeEndsBeforeItIsKeptIsReleased"),
			new Mutant("request without a wait competes with whoever takes a lease", "R4", "PendingRequest#asking",
					"lease.state().taker() : blocking", "null : blocking")
				.caughtBy("engine.R24RetainedLeaseTests#requestWithoutAWaitCompetesWithNobodyWhoTakesTheLease"),
			new Mutant("request for several names waits for leases that nobody uses", "R24", "Acquisition#waitInQueue",
					"eachLeaseInTheWay(parts().successor()::offer);", "")
				.caughtBy("engine.R24RetainedLeaseTests#requestForSeveralNamesWaitsForNoLeaseThatNobodyUses"),
			new Mutant("request to release does not reach a lease that nobody uses", "R24", "Grants#received",
					"grant.wanted();", "")
				.caughtBy("engine.R24RetainedLeaseTests#requestToReleaseGetsALeaseThatNobodyUses"),
			new Mutant("lease that nobody uses is taken after its validity", "R1, R24", "QuorumGrant#passOn",
					"isValid() &&", "")
				.and("LeaseTerm#passOn", "|| !enoughLeft ||", "||")
				.caughtBy("engine.R24RetainedLeaseTests#leaseWhoseValidityEndedIsNotTakenAgain"),
			// ---- lock delay
			new Mutant("lock delay counts as validity", "R1, R25", "AcquireRound#validUntilNanos",
					"return this.startNanos +", "return this.startNanos + this.rounds.timing().lockDelayNanos() +")
				.caughtBy("engine.R25LockDelayTests#keysLiveForLeaseAndDelayAndTheValidityCountsFromTheLeaseAlone"),
			new Mutant("lock delay counts as validity of a renewal", "R6, R25", "LeaseTerm#confirm",
					"long until = renewal.sentNanos() +",
					"long until = renewal.sentNanos() + this.timing.lockDelayNanos() +")
				.caughtBy("engine.R25LockDelayTests#renewalAddsTheDelayToTheKeysAndNotToTheValidity"),
			new Mutant("keys end with the lease in spite of the delay", "R25", "Timing#keyMillis",
					"(leaseNanos + this.lockDelayNanos)", "leaseNanos")
				.caughtBy("engine.R25LockDelayTests#renewalAddsTheDelayToTheKeysAndNotToTheValidity"),
			new Mutant("loss frees the keys at once", "R25", "LeaseTerm#takenUntil",
					"this.validUntilNanos + this.timing.lockDelayNanos()", "this.validUntilNanos")
				.caughtBy("engine.R25LockDelayTests#lossLeavesTheRestOfTheDelay"),
			new Mutant("late release frees the keys at once", "R25", "LeaseTerm#takenUntil", "!isExpired(now) ||",
					"isExpired(now) ||")
				.caughtBy("engine.R25LockDelayTests#releaseAfterTheValidityLeavesTheRestOfTheDelay"),
			new Mutant("release in time leaves the delay", "R8, R25", "LeaseTerm#takenUntil", "!isExpired(now) ||", "")
				.caughtBy("engine.R25LockDelayTests#releaseInTimeFreesAtOnce"),
			new Mutant("delay shortens the cool-down", "R18, R25", "LeaseTerm#takenUntil",
					"(until == 0 || delay - until > 0) ? delay : until", "delay")
				.caughtBy("engine.R25LockDelayTests#delayDoesNotShortenTheCoolDown"),
			new Mutant("release is given up before the delay is over", "R8, R25", "Timing#longestLifeNanos",
					"+ this.lockDelayNanos", "")
				.caughtBy("engine.R25LockDelayTests#releaseIsRepeatedUntilLeaseAndDelayAreOver"),
			// ---- what the simulation cannot see
			new Mutant("older renewal lowers the validity", "R6", "LeaseTerm#confirm",
					"this.validUntilNanos + Math.max(0, until - this.validUntilNanos)", "until")
				.caughtBy("engine.LeaseRulesTests#olderRenewalNeverLowersTheValidity"),
			new Mutant("release answered by an error counts as confirmed", "R8", "Release#received",
					"if (reply instanceof NodeReply.Released released) {",
					"if (reply instanceof NodeReply.Failed error && error.cause() == "
							+ "NodeReply.Failed.Cause.ERROR) { confirmed(slot, 0); } else if (reply "
							+ "instanceof NodeReply.Released released) {")
				.caughtBy("engine.LeaseRulesTests#releaseThatANodeAnswersWithAnErrorIsSentAgain"),
			new Mutant("callback that is registered after the loss is not run", "R7", "Holder#onLost",
					"if (event != null &&", "if (event == null &&")
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
				.caughtBy("engine.LeaseRulesTests#greatestFenceIsRemembered"),
			new Mutant("hand-over though the last renewal failed", "R17", "LeaseTerm#passOn",
					"|| !this.lossReason.isEmpty()", "")
				.caughtBy("engine.LeaseRulesTests#leaseWhoseLastRenewalFailedIsNotHandedOver"),
			new Mutant("hand-over with under half of the lease left", "R17", "LeaseTerm#passOn", "!enoughLeft",
					"this.epoch < 0 && !enoughLeft")
				.caughtBy("engine.LeaseRulesTests#leaseOfWhichLessThanHalfIsLeftIsNotHandedOver"),
			new Mutant("extension by an earlier holder", "R17", "LeaseTerm#belongsTo", "&& this.passes == passes", "")
				.caughtBy("engine.LeaseRulesTests#extensionByAnEarlierHolderLeavesTheNextHoldersLeaseAlone"),
			new Mutant("cool-down of a lock that nobody got", "R18", "Holder#cooldown", "|| !this.handedOut", "")
				.caughtBy("engine.LeaseRulesTests#lockThatNobodyGotDoesNotCoolDownAfterACancellation"),
			new Mutant("lost wake-up of the timer thread", "R6", "TimerThread#run",
					"this.wakeAt.set(wake); if (this.inbox.isEmpty()) { LockSupport.parkNanos(this, wake - now()); }",
					"if (this.inbox.isEmpty()) { this.wakeAt.set(wake); LockSupport.parkNanos(this, wake - now()); }")
				.caughtBy("engine.TimerThreadTests#taskThatComesWhileTheThreadGoesToSleepIsRun"),
			new Mutant("stop does not notify the holder", "R14", "HeldLease#stop", "lost(reason);", "")
				.caughtBy("engine.LeaseRulesTests#stopNotifiesTheHolderOnceLikeAnyLoss"),
			new Mutant("timer looks for tasks before it says when it wakes up", "R16", "TimerThread#run",
					"this.wakeAt.set(wake); if (this.inbox.isEmpty()) {",
					"boolean empty = this.inbox.isEmpty(); this.wakeAt.set(wake); if (empty) {")
				.caughtBy("engine.TimerThreadTests#taskThatComesWhileTheThreadGoesToSleepIsRun"),
			new Mutant("event stays in the queue of its listener", "R15", "Listeners#run", "!this.events.isEmpty() &&",
					"this.events.size() < 0 &&")
				.caughtBy("engine.ListenersTests#eventThatComesWhileTheThreadIsAboutToLeaveIsDelivered"),
			new Mutant("cool-down of another instance forgotten", "R18", "Leftovers#release",
					"this.rounds.cooldowns().add(this.target.names(), millis * 1_000_000);", "")
				.caughtBy("engine.R18CoolDownTests#coolDownOfAnotherInstanceIsPutBackOnANodeThatIsConnectedAgain"),
			new Mutant("proposals follow the clock of this machine", "R9", "NodeClocks#micros",
					"offset.isPresent() ? now", "offset.isEmpty() ? now")
				.caughtBy("engine.R09FencingTests#stepOfTheClockOfThisMachineTakesNoTokenBack"));

	private Mutants() {
	}

}
