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

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.luaj.vm2.LuaString;

import io.quorlock.quorum.node.Attempt;
import io.quorlock.quorum.node.NodeCommand;
import io.quorlock.quorum.node.NodeReply;
import io.quorlock.quorum.node.OperatorCommand;
import io.quorlock.redis.LockScript;
import io.quorlock.redis.MembershipRecord;
import io.quorlock.redis.RedisKeys;
import io.quorlock.redis.ScriptCall;
import io.quorlock.redis.ScriptReply;
import io.quorlock.simulation.Violation.Invariant;
import io.quorlock.simulation.redis.RedisErrorException;
import io.quorlock.simulation.redis.SimulatedRedis;
import io.quorlock.simulation.redis.SimulatedRedis.Ailment;
import io.quorlock.simulation.redis.SimulatedRedis.Key;

/**
 * A server that all clients share. It carries out the project's own Lua scripts, and
 * keys, arguments and replies are translated by the classes that the drivers use. It
 * knows besides which attempt wrote a key, which no server can, to see whether another
 * one touches it.
 */
final class SimServer implements SimulatedRedis.Surroundings {

	static final RedisKeys KEYS = new RedisKeys("lock:");

	private static final Map<String, LuaString> LOCK_KEYS = Stream
		.concat(Stream.of("a", "b", "c", World.TICK), World.DUE_TOGETHER.stream())
		.collect(Collectors.toMap((name) -> name, (name) -> LuaString.valueOf(KEYS.lockKey(name))));

	private final World world;

	final String name;

	private final double rate;

	private long wallOffsetMicros;

	private final SimulatedRedis redis = new SimulatedRedis(this);

	private boolean up = true;

	private long steppedAheadAt = Long.MIN_VALUE;

	private int stepsAhead;

	private long doubtedMicros;

	/** Replaced by another, and gone for good. */
	private boolean removed;

	/** Whether it has belonged to the group since the group's beginning. */
	private final boolean founder;

	private long recordedAt = -1;

	private long frozenUntil;

	/** Whether a key is taken away from whoever has it. */
	private boolean forcing;

	private @Nullable Ailment ailment;

	private int restarts;

	private long startedAt = -86_400_000 * Plan.MILLI;

	private final Set<Object> suspects = new HashSet<>();

	private final List<SimNode> connected = new ArrayList<>();

	SimServer(World world, String name, double rate, long wallOffsetMicros, boolean founder) {
		this.world = world;
		this.name = name;
		this.rate = rate;
		this.wallOffsetMicros = wallOffsetMicros;
		this.founder = founder;
	}

	World world() {
		return this.world;
	}

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

	/**
	 * Its wall clock, by which keys expire. It runs too fast or too slowly, and is slewed
	 * back again, so that it stays near the true time.
	 */
	@Override
	public long micros() {
		long half = 2 * this.world.plan.leaseMillis * Plan.MILLI;
		long phase = this.world.now() % (2 * half);
		long astray = (phase < half) ? phase : 2 * half - phase;
		return this.wallOffsetMicros + (this.world.now() + (long) (astray * (this.rate - 1))) / 1_000;
	}

	/** As if an administrator set its clock. */
	void stepClock(long micros) {
		this.wallOffsetMicros += micros;
		if (micros > 0) {
			this.steppedAheadAt = this.world.now();
			this.stepsAhead++;
		}
	}

	long steppedAheadAt() {
		return this.steppedAheadAt;
	}

	int stepsAhead() {
		return this.stepsAhead;
	}

	/** A client writes down that it noticed a step (R27). */
	void doubt() {
		this.doubtedMicros = micros();
	}

	/** How long ago a step was noticed by the server's clock, or -1. */
	long doubtSeconds() {
		return (this.doubtedMicros == 0) ? -1 : Math.max(0, (micros() - this.doubtedMicros) / 1_000_000);
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
		this.redis.clear();
		this.redis.forgetScripts();
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

	/** A client's list is in use, and which others are is read (R10). */
	@Nullable MembershipRecord record(String list, Duration remembered, String user) {
		byte[][] keys = { KEYS.recordKey().getBytes(StandardCharsets.UTF_8) };
		byte[][] args = Stream.of("stay", list, Long.toString(remembered.toSeconds()), "", user)
			.map((arg) -> arg.getBytes(StandardCharsets.UTF_8))
			.toArray(byte[][]::new);
		try {
			load(LockScript.RECORD);
			return MembershipRecord.of(this.redis.eval(new SimulatedRedis.Call(LockScript.RECORD, keys, args), user));
		}
		catch (RedisErrorException ex) {
			return null;
		}
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

	/** Refuses commands with an error until it is cured. */
	void ail(Ailment ailment) {
		this.ailment = ailment;
		this.redis.ail(ailment);
	}

	void cure() {
		this.ailment = null;
		this.redis.ail(null);
	}

	boolean isAiling() {
		return this.ailment != null;
	}

	/** A handshake with it fails. */
	boolean isUnusable() {
		return this.ailment == Ailment.LOADING || this.ailment == Ailment.READONLY;
	}

	/** As SCRIPT FLUSH. */
	void forgetScripts() {
		this.redis.forgetScripts();
	}

	void load(LockScript script) {
		this.redis.load(script);
	}

	/** Carry out a command; an error of the server is thrown. */
	NodeReply execute(NodeCommand command, boolean full, boolean voting) {
		EncodedForm form = EncodedForm.of(command, full);
		note(command, 0);
		this.forcing = command instanceof OperatorCommand.ForceRelease;
		try {
			return ScriptReply.of(command, this.redis.eval(form.call(), command.attempt()), voting);
		}
		finally {
			this.forcing = false;
			note(command, 1); // an error changes nothing
		}
	}

	/** Carry out renewals that share a command, each on behalf of its own attempt. */
	List<NodeReply> execute(List<NodeCommand.Renew> renewals, boolean voting) {
		ScriptCall call = ScriptCall.ofAll(renewals, KEYS);
		Map<String, Attempt> authors = new HashMap<>();
		for (int i = 0; i < call.keys().length; i++) {
			authors.put(new String(call.keys()[i], StandardCharsets.UTF_8),
					renewals.get(i % renewals.size()).attempt());
		}
		SimulatedRedis.Authors byKey = (key) -> Objects.requireNonNull(authors.get(key));
		renewals.forEach((renewal) -> note(renewal, 0));
		try {
			return ScriptReply.ofAll(renewals,
					this.redis.eval(new SimulatedRedis.Call(call.script(), call.keys(), call.args()), byKey), voting,
					KEYS);
		}
		finally {
			renewals.forEach((renewal) -> note(renewal, 1));
		}
	}

	/** What was there before may be gone; what is there now stays until it expires. */
	private void note(NodeCommand command, int after) {
		for (String name : command.names()) {
			Key key = lockKey(name);
			if (key != null) {
				this.world.occupancy.seen(name, this, key, this.world.now() + after * leftMillis(key) * Plan.MILLI);
			}
		}
	}

	@Override
	public void changing(Key key, Object other) {
		if (!isShared(key) && !key.name().endsWith(":fence") && !this.forcing) {
			throw new Violation(Invariant.OWN_KEYS_ONLY,
					"%s changes %s on %s, which %s wrote".formatted(other, key.name(), this.name, key.author()));
		}
	}

	@Override
	public int publish(String channel, String message) {
		int listeners = 0;
		for (SimNode node : this.connected) {
			if (node.isListeningTo(channel)) {
				listeners++;
				node.send(message);
			}
		}
		this.world.countMessages(listeners);
		return listeners;
	}

	/** A command as the interpreter takes it, made once for all servers. */
	private record EncodedForm(LockScript script, SimulatedRedis.Call call) {

		static EncodedForm of(NodeCommand command, boolean full) {
			if (full) {
				return of(ScriptCall.of(command, KEYS));
			}
			if (command.encodedForm() instanceof EncodedForm form) {
				return form;
			}
			EncodedForm form = of(ScriptCall.first(command, KEYS));
			command.encodedForm(form);
			return form;
		}

		private static EncodedForm of(ScriptCall call) {
			return new EncodedForm(call.script(), new SimulatedRedis.Call(call.script(), call.keys(), call.args()));
		}

	}

	static LockScript scriptOf(NodeCommand command, boolean full) {
		return EncodedForm.of(command, full).script();
	}

	private @Nullable Key lockKey(String name) {
		return this.redis.key(Objects.requireNonNull(LOCK_KEYS.get(name)));
	}

	boolean isHeldBy(NodeCommand command) {
		Key key = lockKey(command.names().get(0));
		return key != null && key.author() == command.attempt();
	}

	boolean isHeldByOther(NodeCommand command) {
		return isHeldByOther(command, Long.MAX_VALUE);
	}

	/** Whether another attempt has the command's (first) key, for so long at most. */
	boolean isHeldByOther(NodeCommand command, long maxNanos) {
		Key key = lockKey(command.names().get(0));
		return key != null && key.author() != command.attempt() && leftMillis(key) * Plan.MILLI < maxNanos;
	}

	private long leftMillis(Key key) {
		return key.expiresAtMillis() - micros() / 1_000;
	}

	void raiseFences(long fence) {
		World.NAMES.subList(0, this.world.plan.names).forEach((name) -> setFence(name, Long.toString(fence)));
	}

	/** As an operator may do by mistake. */
	void setFence(String name, String value) {
		this.redis.command(this, "SET", KEYS.fenceKey(name), value, "PX",
				Long.toString(this.world.plan.leaseMillis + this.world.plan.retentionMillis));
	}

	/** Remembers the keys of attempts that are over: they must be gone soon. */
	void suspectLeftovers() {
		for (Key key : lockKeys()) {
			if (!isShared(key) && key.author() instanceof Attempt attempt && attempt.isReleasing()
					&& isRepeated(attempt)) {
				this.suspects.add(attempt);
			}
		}
	}

	void checkSuspects() {
		checkNothingLeft(this.suspects::contains);
	}

	/** Who was killed or stopped repeats no release. */
	private boolean isRepeated(Attempt attempt) {
		return this.world.clients.stream().anyMatch((client) -> !client.wasStopped() && isBy(client, attempt));
	}

	private static boolean isBy(SimClient client, Object author) {
		return author.toString().startsWith(client + ":");
	}

	void checkNothingLeft(SimClient client) {
		checkNothingLeft((author) -> isBy(client, author));
	}

	void checkNothingLeft() {
		for (Key key : lockKeys()) {
			if (isShared(key) && !this.world.mayCoolDownAmongReaders(key, leftMillis(key))) {
				throw new Violation(Invariant.NOTHING_LEFT,
						"%s has %s with readers for another %d ms".formatted(this.name, key.name(), leftMillis(key)));
			}
		}
		checkNothingLeft((author) -> true);
	}

	private void checkNothingLeft(Predicate<Object> isOver) {
		for (Key key : lockKeys()) {
			if (!isShared(key) && isOver.test(key.author()) && !this.world.mayCoolDown(key)) {
				throw new Violation(Invariant.NOTHING_LEFT, "%s has %s with %s of %s for another %d ms"
					.formatted(this.name, key.name(), key.value(), key.author(), leftMillis(key)));
			}
		}
	}

	/** Its author is whoever wrote it last, of several readers. */
	private static boolean isShared(Key key) {
		return !(key.value() instanceof LuaString) || key.value().toString().equals("~shared");
	}

	private static boolean isQueue(Key key) {
		return key.name().contains(":line") || key.name().endsWith(":ends");
	}

	/** Fences stay, and tickets expire by themselves. */
	private List<Key> lockKeys() {
		return this.redis.keys()
			.stream()
			.filter((key) -> !key.name().endsWith(":fence") && !isQueue(key) && !key.name().equals(KEYS.recordKey()))
			.toList();
	}

}
