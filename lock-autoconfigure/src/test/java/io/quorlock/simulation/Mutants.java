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
			new Mutant("release goes ahead of what was sent before", "R3", "SimNode#submit",
					"connection.lastArrival = Math.max(connection.lastArrival,",
					"connection.lastArrival = Math.max(command instanceof NodeCommand.Release ? 0 : "
							+ "connection.lastArrival,"),
			new Mutant("old connection not killed at reconnect", "R3", "SimNode#handShake",
					"this.previous.killed = true;", "this.previous.usable = false;"),
			new Mutant("token reused across attempts", "R2", "QuorumStore#newAttempt",
					"this.tokenPrefix + this.counter.incrementAndGet()", "this.tokenPrefix + 1"),
			new Mutant("release without a reply not repeated", "R8", "UnconfirmedReleases#add",
					"node.releases.add(release);", "node.releases.peek();"),
			new Mutant("release that failed counts as confirmed", "R8", "Release#failed",
					"this.failed.getAndUpdate((slots) -> slots | Voters.bit(slot)); "
							+ "this.releases.unconfirmed().add(slot, this);",
					"this.confirmed.getAndUpdate((slots) -> slots | Voters.bit(slot));"),
			new Mutant("release deletes whoever holds the key", "R8", "SimServer#release",
					"if (key != null && isOwn(key, command.attempt(), \"releases\")) {", "if (key != null) {"),
			// ---- renewal and loss
			new Mutant("watchdog does not renew", "R6", "Watchdog#onTimer", "renew(false, now);", "this.term.epoch();"),
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
				.and("HeldLease#isHeld", "return this.state.get() == State.HELD && this.grant.isValid();",
						"return this.grant.isValid();"),
			new Mutant("one refusal loses the lock", "R7", "Renewal#isRefusedByQuorum",
					"return this.voters.isMajority(", "return 0 != ("),
			new Mutant("loss noticed by the timer only", "R7", "QuorumGrant#isValid",
					"!this.term.isExpired(this.clock.nanoTime()) ||", "this.term.isHeld() ||"),
			new Mutant("renewal takes the key from another", "R6", "SimServer#renew",
					"if (key != null && !isOwn(key, command.attempt(), \"renews\")) {", "if (command == null) {"),
			new Mutant("keys shortened before the handle", "R6", "LeaseTerm#change", "if (shorter) {",
					"if (this.epoch < 0) {"),
			new Mutant("earlier renewal undoes a shorter extension", "R6", "LeaseTerm#confirm",
					"|| renewal.epoch() != this.epoch", ""),
			// ---- fencing
			new Mutant("fence without the second round", "R9", "FenceTally#isStored",
					"return this.voters.isMajority(this.stored);", "return true;"),
			new Mutant("second round counts nodes where it holds nothing", "R9", "SimServer#raise",
					"if (!isOwn(key(names, i), command.attempt(), \"raises\")) {", "if (command == null) {"),
			new Mutant("token is the smallest vote", "R9", "FenceTally#FenceTally",
					"this.greatest[i] = Math.max(this.greatest[i], fences[i]);",
					"this.greatest[i] = (this.greatest[i] == 0) ? fences[i] : Math.min(this.greatest[i], "
							+ "fences[i]);"),
			new Mutant("tokens proposed without a clock", "R9", "FenceProposals#propose",
					"long micros = this.clocks.micros();", "long micros = 1;"),
			new Mutant("fence does not outlive its lock", "R9", "Timing#fenceMillis",
					"return this.retentionMillis + leaseNanos / 1_000_000;", "return 1;"),
			new Mutant("range of the hand-over not stored", "R9, R17", "SimServer#acquire", "+ command.range(),",
					"+ 1,"),
			new Mutant("hand-over without a token of its own", "R17", "HeldLease#fencingToken",
					"tokens[name] + holder.generation()", "tokens[name]"),
			// ---- quarantine
			new Mutant("no quarantine", "R10", "NodeAdmission#isVoting",
					"return seen != null && (seen.trusted || waitNanos(seen, nowNanos) == 0);", "return seen != null;"),
			new Mutant("quarantine shorter than the lease", "R10", "NodeAdmission#NodeAdmission",
					"(quarantine.toNanos() * (1 + driftFactor)) + ROUNDING.toNanos()",
					"(quarantine.toNanos() * (1 + driftFactor)) / 3"),
			new Mutant("acquire counts nodes in quarantine", "R10", "Ballot#note",
					"return; // taken, not counted (R10)", "reply.voting();")
				.and("Ballot#votingFor", "granted.voting() &&", ""),
			new Mutant("node that is new to the group counts at once", "R10", "NodeAdmission#waitNanos",
					"Math.min(seen.up.nanosAgo(nowNanos), record.nanosAgo(nowNanos))", "seen.up.nanosAgo(nowNanos)"),
			// ---- shut-down
			new Mutant("stop releases nothing", "R14", "LockEngine#stop", ".forEach(HeldLease::stop)",
					".limit(0).forEach(HeldLease::stop)"),
			new Mutant("renewals go on after the stop", "R14", "LeaseTerm#release", "this.state = State.RELEASED;",
					"this.lossReason = \"\";"),
			// ---- waiting
			new Mutant("waiter depends on the release message", "R4", "ContenderState#limited",
					"Math.min(delayNanos, Math.max(0, most))", "Math.max(0, most)"),
			new Mutant("waiter woken by its own release", "R4", "RetryPolicy#isReleased",
					"return released && this.wokenUp < MAX_WAKE_UPS;",
					"return this.voters.isMajority(this.announced);"),
			new Mutant("wait goes on after its time", "R4", "ContenderState#failed", "(remaining <= 0 ||",
					"(remaining <= -1_000_000_000L ||"),
			new Mutant("failed request stays at the head of the queue", "R13", "Acquisition#onFailed",
					"this.parts.queues().leave(this)", "List.of()"),
			// ---- what the simulation cannot see
			new Mutant("older renewal lowers the validity", "R6", "LeaseTerm#confirm",
					"this.validUntilNanos + Math.max(0, until - this.validUntilNanos)", "until")
				.caughtBy("LeaseRulesTests#olderRenewalNeverLowersTheValidity"),
			new Mutant("release answered by an error counts as confirmed", "R8", "Release#received",
					"if (reply instanceof NodeReply.Released released) {",
					"if (reply instanceof NodeReply.Failed error && error.cause() == "
							+ "NodeReply.Failed.Cause.ERROR) { confirmed(slot, 0); } else if (reply "
							+ "instanceof NodeReply.Released released) {")
				.caughtBy("LeaseRulesTests#releaseThatANodeAnswersWithAnErrorIsSentAgain"),
			new Mutant("callback that is registered after the loss is not run", "R7", "Holder#onLost",
					"if (event != null &&", "if (event == null &&")
				.caughtBy("LeaseRulesTests#callbackThatIsRegisteredAfterTheLossRuns"),
			new Mutant("extension ignores that no quorum confirmed", "R6", "Handle#extend",
					"if (!extendAsync(lease).toCompletableFuture().join()) {",
					"if (!extendAsync(lease).toCompletableFuture().isDone()) {")
				.caughtBy("LeaseRulesTests#extensionThatNoQuorumConfirmsFails"),
			new Mutant("remaining time of several leases is the longest", "R12", "CompositeHandle#remaining", ".min(",
					".max(")
				.caughtBy("LeaseRulesTests#severalLeasesRemainAsLongAsTheShortest"),
			new Mutant("memory of fences keeps the latest", "R9", "FenceProposals#seen", "Math::max",
					"(before, latest) -> latest")
				.caughtBy("LeaseRulesTests#greatestFenceIsRemembered"),
			new Mutant("hand-over though the last renewal failed", "R17", "LeaseTerm#passOn",
					"|| !this.lossReason.isEmpty()", "")
				.caughtBy("LeaseRulesTests#leaseWhoseLastRenewalFailedIsNotHandedOver"),
			new Mutant("hand-over with under half of the lease left", "R17", "LeaseTerm#passOn", "!enoughLeft",
					"this.epoch < 0 && !enoughLeft")
				.caughtBy("LeaseRulesTests#leaseOfWhichLessThanHalfIsLeftIsNotHandedOver"),
			new Mutant("extension by an earlier holder", "R17", "LeaseTerm#belongsTo", "&& this.passes == passes", "")
				.caughtBy("LeaseRulesTests#extensionByAnEarlierHolderLeavesTheNextHoldersLeaseAlone"),
			new Mutant("cool-down of a lock that nobody got", "R18", "HeldLease#cooldown", "|| !left.isHandedOut()", "")
				.caughtBy("LeaseRulesTests#lockThatNobodyGotDoesNotCoolDown"),
			new Mutant("stop does not notify the holder", "R14", "HeldLease#stop", "lost(loser,",
					"lossReason = String.join(\"\",")
				.caughtBy("LeaseRulesTests#stopNotifiesTheHolderOnceLikeAnyLoss"));

	private Mutants() {
	}

}
