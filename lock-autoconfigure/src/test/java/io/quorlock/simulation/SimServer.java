package io.quorlock.simulation;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

import org.jspecify.annotations.Nullable;

import io.quorlock.quorum.node.Attempt;
import io.quorlock.quorum.node.CommandVisitor;
import io.quorlock.quorum.node.NodeCommand;
import io.quorlock.quorum.node.NodeReply;
import io.quorlock.quorum.node.OperatorCommand;
import io.quorlock.simulation.Violation.Invariant;

/**
 * A server that all clients share: keys with an expiry by its own clock, and the commands
 * as the Lua scripts carry them out. It remembers besides which attempt wrote a key,
 * which no server can, to see whether another one touches it.
 */
final class SimServer {

	private static final class Key {

		private final Attempt writer;

		private long expiresAt;

		private boolean coolingDown;

		private Key(Attempt writer) {
			this.writer = writer;
		}

		private NodeReply.Blocker blocker() {
			return this.coolingDown ? new NodeReply.Blocker.Cooldown()
					: new NodeReply.Blocker.Owner(this.writer.token());
		}

	}

	private final World world;

	final String name;

	private final double rate;

	private final long wallOffsetMicros;

	private final @Nullable Key[] keys;

	private final long[] fences;

	private final long[] fencesExpireAt;

	private boolean up = true;

	/** Replaced by another, and gone for good. */
	private boolean removed;

	/** Whether it has belonged to the group since the group's beginning. */
	private final boolean founder;

	private long recordedAt = -1;

	private long frozenUntil;

	private int restarts;

	private long startedAt = -86_400_000 * Plan.MILLI;

	private final Set<Attempt> suspects = new HashSet<>();

	private final List<SimNode> connected = new ArrayList<>();

	SimServer(World world, String name, double rate, long wallOffsetMicros, boolean founder) {
		this.world = world;
		this.name = name;
		this.rate = rate;
		this.wallOffsetMicros = wallOffsetMicros;
		this.keys = new Key[world.plan.names];
		this.fences = new long[world.plan.names];
		this.fencesExpireAt = new long[world.plan.names];
		this.founder = founder;
	}

	// ---- life

	boolean isUp() {
		return this.up;
	}

	long frozenUntil() {
		return this.frozenUntil;
	}

	int restarts() {
		return this.restarts;
	}

	String runId() {
		return this.name + "#" + this.restarts;
	}

	long uptimeSeconds() {
		return (long) ((this.world.now() - this.startedAt) * this.rate) / 1_000_000_000;
	}

	long wallMicros() {
		return this.world.now() / 1_000 + this.wallOffsetMicros;
	}

	private long now() {
		return (long) (this.world.now() * this.rate);
	}

	void connected(SimNode node) {
		this.connected.add(node);
	}

	void crash() {
		crash(false);
	}

	/** Crashes, and is up again before anybody knows. */
	void restart() {
		crash(true);
		start();
	}

	private void crash(boolean told) {
		this.up = false;
		for (int i = 0; i < this.keys.length; i++) {
			this.keys[i] = null;
			this.fences[i] = 0;
		}
		this.connected.forEach((node) -> node.serverCrashed(told));
		this.connected.clear();
	}

	void remove() {
		this.removed = true;
		crash();
	}

	/** Who connects first to a node that is new leaves the record of the group (R10). */
	long recordAgeSeconds() {
		if (this.founder) {
			return Long.MAX_VALUE;
		}
		if (this.recordedAt < 0) {
			this.recordedAt = this.world.now();
		}
		return (long) ((this.world.now() - this.recordedAt) * this.rate) / 1_000_000_000;
	}

	void start() {
		if (!this.up && !this.removed) {
			this.up = true;
			this.restarts++;
			this.startedAt = this.world.now();
		}
	}

	void freeze(long until) {
		this.frozenUntil = Math.max(this.frozenUntil, until);
	}

	// ---- commands

	NodeReply execute(NodeCommand command, boolean voting) {
		return command.accept(new Execution(voting));
	}

	private final class Execution implements CommandVisitor<NodeReply> {

		private final boolean voting;

		private Execution(boolean voting) {
			this.voting = voting;
		}

		@Override
		public NodeReply acquire(NodeCommand.Acquire command) {
			List<String> names = command.names();
			NodeReply refusal = refusal(names, null, this.voting, storedFences(names));
			if (refusal != null) {
				return refusal;
			}
			long[] proposed = command.proposed();
			long[] votes = (proposed != null) ? new long[names.size()] : null;
			for (int i = 0; i < names.size(); i++) {
				write(names, i, command.attempt(), command.leaseMillis());
				if (proposed == null || votes == null) {
					continue; // puts a cool-down back
				}
				votes[i] = Math.max(fence(index(names, i)) + command.range(), proposed[i]); // R9
				storeFence(index(names, i), votes[i], command.fenceMillis());
			}
			return new NodeReply.Granted(this.voting, votes);
		}

		@Override
		public NodeReply raise(NodeCommand.Raise command) {
			List<String> names = command.names();
			for (int i = 0; i < names.size(); i++) {
				if (!isOwn(key(names, i), command.attempt(), "raises")) {
					return new NodeReply.NotHeld(this.voting);
				}
			}
			for (int i = 0; i < names.size(); i++) {
				raiseFence(index(names, i), command.fences()[i], command.fenceMillis());
			}
			return new NodeReply.Done(this.voting);
		}

		@Override
		public NodeReply renew(NodeCommand.Renew command) {
			List<String> names = command.names();
			NodeReply refusal = refusal(names, command.attempt(), this.voting, null);
			boolean all = true;
			for (int i = 0; i < names.size(); i++) {
				Key key = key(names, i);
				if (key != null && !isOwn(key, command.attempt(), "renews")) {
					all = false;
					continue;
				}
				long left = (key == null || command.shorten()) ? 0 : (key.expiresAt - now()) / Plan.MILLI;
				write(names, i, command.attempt(), Math.max(left, command.leaseMillis())); // R6
				long[] fences = command.fences();
				raiseFence(index(names, i), (fences != null) ? fences[i] : 0, command.fenceMillis());
			}
			return (all || refusal == null) ? new NodeReply.Done(this.voting) : refusal;
		}

		@Override
		public NodeReply release(NodeCommand.Release command) {
			List<String> names = command.names();
			int listeners = 0;
			for (int i = 0; i < names.size(); i++) {
				Key key = key(names, i);
				if (key != null && isOwn(key, command.attempt(), "releases")) {
					if (command.cooldownMillis() > 0) { // R18
						key.expiresAt = now() + command.cooldownMillis() * Plan.MILLI;
						key.coolingDown = true;
					}
					else {
						SimServer.this.keys[index(names, i)] = null;
						listeners += announce(names.get(i));
					}
				}
			}
			return new NodeReply.Released(this.voting, listeners);
		}

		@Override
		public NodeReply drop(NodeCommand.Drop command) {
			return new NodeReply.Released(this.voting, 0);
		}

		@Override
		public NodeReply withdraw(NodeCommand.Withdraw command) {
			return new NodeReply.Done(this.voting);
		}

		@Override
		public NodeReply inspect(OperatorCommand.Inspect command) {
			throw new IllegalArgumentException(command.toString());
		}

		@Override
		public NodeReply forceRelease(OperatorCommand.ForceRelease command) {
			throw new IllegalArgumentException(command.toString());
		}

	}

	/** What stands in the way of an attempt, or null. */
	private @Nullable NodeReply refusal(List<String> names, @Nullable Attempt attempt, boolean voting,
			long @Nullable [] stored) {
		List<NodeReply.@Nullable Blocker> others = new ArrayList<>();
		long longest = -1;
		for (int i = 0; i < names.size(); i++) {
			Key key = key(names, i);
			boolean taken = key != null && (attempt == null || !isOwn(key, attempt, "renews"));
			others.add((taken && key != null) ? key.blocker() : null);
			longest = (taken && key != null) ? Math.max(longest, (key.expiresAt - now()) / Plan.MILLI) : longest;
		}
		return (longest >= 0) ? new NodeReply.Refused(voting, others, longest, stored) : null;
	}

	boolean isHeldBy(NodeCommand command) {
		Key key = key(command.names(), 0);
		return key != null && key.writer == command.attempt();
	}

	boolean isHeldByOther(NodeCommand command) {
		return isHeldByOther(command, Long.MAX_VALUE);
	}

	/** Whether another attempt has the command's (first) key, for so long at most. */
	boolean isHeldByOther(NodeCommand command, long mostNanos) {
		Key key = key(command.names(), 0);
		return key != null && key.writer != command.attempt() && key.expiresAt - now() < mostNanos;
	}

	private int announce(String name) {
		int listeners = 0;
		for (SimNode node : this.connected) {
			if (node.isWatching(name)) {
				listeners++;
				node.announce(name);
			}
		}
		return listeners;
	}

	/** Compares the value, as the scripts do, and the writer, as they cannot. */
	private boolean isOwn(@Nullable Key key, Attempt attempt, String deed) {
		if (key == null || key.coolingDown || !key.writer.token().equals(attempt.token())) {
			return false;
		}
		if (key.writer != attempt) {
			throw new Violation(Invariant.OWN_KEYS_ONLY,
					"another attempt with the value %s %s the key on %s".formatted(attempt, deed, this.name));
		}
		return true;
	}

	private void write(List<String> names, int i, Attempt attempt, long millis) {
		Key key = new Key(attempt);
		key.expiresAt = now() + millis * Plan.MILLI;
		this.keys[index(names, i)] = key;
	}

	private long fence(int index) {
		return (this.fencesExpireAt[index] > now()) ? this.fences[index] : 0;
	}

	private void raiseFence(int index, long fence, long millis) {
		storeFence(index, Math.max(fence(index), fence), millis);
	}

	private void storeFence(int index, long fence, long millis) {
		this.fences[index] = fence;
		this.fencesExpireAt[index] = now() + millis * Plan.MILLI;
	}

	void raiseFences(long fence) {
		for (int i = 0; i < this.fences.length; i++) {
			raiseFence(i, fence, this.world.plan.leaseMillis + this.world.plan.retentionMillis);
		}
	}

	private long[] storedFences(List<String> names) {
		long[] stored = new long[names.size()];
		for (int i = 0; i < stored.length; i++) {
			stored[i] = fence(index(names, i));
		}
		return stored;
	}

	private @Nullable Key key(List<String> names, int i) {
		return key(index(names, i));
	}

	private @Nullable Key key(int index) {
		Key key = this.keys[index];
		return (key != null && key.expiresAt > now()) ? key : null;
	}

	private static int index(List<String> names, int i) {
		return World.nameIndex(names.get(i));
	}

	// ---- what must not stay

	/** Remembers the keys of attempts that are over: they must be gone soon. */
	void suspectLeftovers() {
		for (int i = 0; i < this.keys.length; i++) {
			Key key = key(i);
			if (key != null && !key.coolingDown && key.writer.isReleasing() && isRepeated(key)) {
				this.suspects.add(key.writer);
			}
		}
	}

	void checkSuspects() {
		checkNothingLeft(this.suspects::contains);
	}

	/** Who was killed or stopped repeats no release. */
	private boolean isRepeated(Key key) {
		return this.world.clients.stream().anyMatch((client) -> !client.wasStopped() && isBy(client, key.writer));
	}

	private static boolean isBy(SimClient client, Attempt attempt) {
		return attempt.token().startsWith(client + ":");
	}

	void checkNothingLeft(SimClient client) {
		checkNothingLeft((attempt) -> isBy(client, attempt));
	}

	void checkNothingLeft() {
		checkNothingLeft((attempt) -> true);
	}

	private void checkNothingLeft(Predicate<Attempt> isOver) {
		for (int i = 0; i < this.keys.length; i++) {
			Key key = key(i);
			if (key != null && !key.coolingDown && isOver.test(key.writer)) {
				throw new Violation(Invariant.NOTHING_LEFT, "%s has a key of %s for another %d ms".formatted(this.name,
						key.writer, (key.expiresAt - now()) / Plan.MILLI));
			}
		}
	}

}
