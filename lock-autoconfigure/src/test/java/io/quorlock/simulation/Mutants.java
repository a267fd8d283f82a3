package io.quorlock.simulation;

import java.util.List;

/**
 * The defects that the simulation must find. Those in files of this package are defects
 * of what a server or a driver does, which the engine relies on.
 */
final class Mutants {

	static final List<Mutant> ALL = List.of(
			// ---- validity and majorities
			new Mutant("validity without the drift margin", "R1", "AcquireRound.java",
					"this.leaseNanos - this.engine.driftMarginNanos(this.leaseNanos)", "this.leaseNanos"),
			new Mutant("drift added instead of subtracted", "R1", "LockEngine.java",
					"return (long) (leaseNanos * this.settings.clockDriftFactor())",
					"return -(long) (leaseNanos * this.settings.clockDriftFactor())"),
			new Mutant("elapsed measured from the last answer", "R1", "AcquireRound.java",
					"return this.startNanos + this.leaseNanos",
					"return this.engine.clock().nanoTime() + this.leaseNanos"),
			new Mutant("validity not looked at again at hand-out", "R1", "Handle.java",
					"if (!isHeld()) {\n\t\t\tclose();", "if (this.closed.get()) {\n\t\t\tclose();"),
			new Mutant("half of the nodes are enough", "R1", "Quorum.java",
					"this.majority = this.nodes.length / 2 + 1;",
					"this.majority = Math.max(1, this.nodes.length / 2);"),
			new Mutant("quorum of the reachable nodes", "R1", "Quorum.java",
					"return Long.bitCount(slots) >= this.majority;",
					"return slots != 0 && Long.bitCount(slots) > java.util.Arrays.stream(this.nodes)"
							+ ".filter((node) -> node.status().state() != NodeStatus.State.DOWN).count() / 2;"),
			// ---- release
			new Mutant("failed attempt releases only where it acquired", "R2", "AcquireRound.java",
					"attempt(), mayHold(), 0).start()", "attempt(), holders(), 0).start()"),
			new Mutant("failed attempt releases nothing", "R2", "AcquireRound.java", "if (!isRefusedByProbe()) {",
					"if (this.submitting) {"),
			new Mutant("release goes ahead of what was sent before", "R3", "SimNode.java",
					"connection.lastArrival = Math.max(connection.lastArrival,",
					"connection.lastArrival = Math.max(command instanceof NodeCommand.Release ? 0 : connection.lastArrival,"),
			new Mutant("old connection not killed at reconnect", "R3", "SimNode.java", "this.previous.killed = true;",
					"this.previous.usable = false;"),
			new Mutant("token reused across attempts", "R2", "LockEngine.java",
					"this.tokenPrefix + this.counter.incrementAndGet()", "this.tokenPrefix + 1"),
			new Mutant("unanswered release not repeated", "R8", "UnconfirmedReleases.java",
					"pending.releases.add(release);", "pending.releases.peek();"),
			new Mutant("release deletes whoever holds the key", "R8", "SimServer.java",
					"if (key != null && isOwn(key, command.attempt(), \"releases\")) {", "if (key != null) {"),
			// ---- renewal and loss
			new Mutant("watchdog does not renew", "R6", "Lease.java",
					"return new Renewal(this, this.epoch, this.leaseNanos, false);", "return null;"),
			new Mutant("renewal without a quorum", "R6", "Renewal.java",
					"Long.bitCount(confirmed) == engine.quorum().majority()", "Long.bitCount(confirmed) == 1"),
			new Mutant("renewal counts nodes in quarantine", "R6, R10", "Renewal.java",
					"if (reply.voting() && Replies.isCarriedOut(reply)", "if (Replies.isCarriedOut(reply)"),
			new Mutant("renewal counted from its answer", "R6", "Lease.java",
					"renewal.sentNanos() + renewal.leaseNanos()", "now + renewal.leaseNanos()"),
			new Mutant("renewal of an expired lock counts", "R6", "Lease.java",
					"this.state != State.HELD || now - this.validUntilNanos >= 0 || renewal",
					"this.state != State.HELD || renewal"),
			new Mutant("lost lock revived by a late renewal", "R7", "Lease.java",
					"if (this.state != State.HELD || now - this.validUntilNanos >= 0 || renewal.epoch() != this.epoch) {",
					"if (this.state == State.LOST) {\n\t\t\t\tthis.state = State.HELD;\n\t\t\t}\n\t\t\tif (this.state != State.HELD) {"),
			new Mutant("one refusal loses the lock", "R7", "Renewal.java",
					"this.lease.engine().quorum().isMajority(this.refused", "0 != (this.refused"),
			new Mutant("loss noticed by the timer only", "R7", "Lease.java",
					"if (this.engine.clock().nanoTime() - this.validUntilNanos < 0) {\n\t\t\treturn true;",
					"if (this.state == State.HELD) {\n\t\t\treturn true;"),
			new Mutant("renewal takes the key from another", "R6", "SimServer.java",
					"if (key != null && !isOwn(key, command.attempt(), \"renews\")) {", "if (command == null) {"),
			new Mutant("keys shortened before the handle", "R6", "Lease.java", "if (shorter) {",
					"if (this.epoch < 0) {"),
			new Mutant("earlier renewal undoes a shorter extension", "R6", "Lease.java",
					" || renewal.epoch() != this.epoch", ""),
			// ---- fencing
			new Mutant("fence without the second round", "R9", "Votes.java",
					"return this.quorum.isMajority(this.stored);", "return true;"),
			new Mutant("second round counts nodes where it holds nothing", "R9", "SimServer.java",
					"if (!isOwn(key(names, i), command.attempt(), \"raises\")) {", "if (command == null) {"),
			new Mutant("token is the smallest vote", "R9", "Votes.java",
					"greatest[i] = Math.max(greatest[i], fences[i]);",
					"greatest[i] = (greatest[i] == 0) ? fences[i] : Math.min(greatest[i], fences[i]);"),
			new Mutant("tokens proposed without a clock", "R9", "Fences.java",
					"long wall = this.clock.wallMicros() + this.offsetMicros;", "long wall = 1;"),
			new Mutant("fence does not outlive its lock", "R9", "LockEngine.java",
					"return this.settings.fencingRetention().toMillis() + leaseNanos / 1_000_000;", "return 1;"),
			new Mutant("range of the hand-over not stored", "R9, R17", "SimServer.java", "+ command.range(),", "+ 1,"),
			new Mutant("hand-over without a token of its own", "R17", "Lease.java", "this.range + 1 + generation",
					"this.range + 1"),
			// ---- quarantine
			new Mutant("no quarantine", "R10", "NodeAdmission.java",
					"return seen != null && (seen.trusted || waitNanos(seen, nowNanos) == 0);", "return seen != null;"),
			new Mutant("quarantine shorter than the lease", "R10", "NodeAdmission.java",
					"(quarantine.toNanos() * (1 + driftFactor)) + ROUNDING.toNanos()",
					"(quarantine.toNanos() * (1 + driftFactor)) / 3"),
			new Mutant("acquire counts nodes in quarantine", "R10", "Votes.java", "return; // taken, not counted (R10)",
					"reply.voting();"),
			new Mutant("node that is new to the group counts at once", "R10", "NodeAdmission.java",
					"Math.min(seen.up.nanosAgo(nowNanos), record.nanosAgo(nowNanos))", "seen.up.nanosAgo(nowNanos)"),
			// ---- shut-down
			new Mutant("stop releases nothing", "R14", "LockEngine.java", ".map(Lease::stop)",
					".limit(0)\n\t\t\t.map(Lease::stop)"),
			new Mutant("renewals go on after the stop", "R14", "Lease.java", "this.state = State.RELEASED;",
					"this.lossReason = \"\";"),
			// ---- waiting
			new Mutant("waiter depends on the release message", "R4", "Acquisition.java",
					"Math.min(delayNanos, remainingNanos())", "remainingNanos()"),
			new Mutant("waiter woken by its own release", "R4", "Retries.java",
					"return released && this.wokenUp < MAX_WAKE_UPS;",
					"return this.engine.quorum().isMajority(this.announced);"),
			new Mutant("wait goes on after its time", "R4", "Acquisition.java", "boolean over = remaining <= 0 || ",
					"boolean over = remaining <= -1_000_000_000L || "),
			new Mutant("failed request stays at the head of the line", "R13", "Acquisition.java",
					"this.engine.lines().leave(this.keys, this, 0);",
					"this.engine.lines().occupant(this.keys.names().get(0));"));

	private Mutants() {
	}

}
