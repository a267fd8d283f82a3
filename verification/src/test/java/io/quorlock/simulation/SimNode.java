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

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.OptionalLong;

import org.jspecify.annotations.Nullable;

import io.quorlock.quorum.membership.Membership;
import io.quorlock.quorum.membership.NodeAdmission;
import io.quorlock.quorum.membership.OtherLists;
import io.quorlock.quorum.node.JointRenewal;
import io.quorlock.quorum.node.JointRenewal.Member;
import io.quorlock.quorum.node.LockNode;
import io.quorlock.quorum.node.NodeCommand;
import io.quorlock.quorum.node.NodeListener;
import io.quorlock.quorum.node.NodeReply;
import io.quorlock.quorum.node.NodeReply.Failed;
import io.quorlock.quorum.node.NodeStatus;
import io.quorlock.quorum.node.NodeStatus.State;
import io.quorlock.quorum.node.ReplyHandler;
import io.quorlock.redis.LockScript;
import io.quorlock.redis.MembershipRecord;
import io.quorlock.redis.ScriptReply;
import io.quorlock.simulation.Violation.Invariant;
import io.quorlock.simulation.redis.RedisErrorException;

/**
 * What one client has of one server: a connection at a time, first in first out, made
 * again when it broke. When a connection breaks, what was under way on it may be lost or
 * may still arrive, until the next connection has had the old one killed (R3).
 */
final class SimNode implements LockNode {

	/** The two ends of a connection need not know the same of it. */
	private static final class Connection {

		private final int run;

		private final String runId;

		private final Deque<Call> unanswered = new ArrayDeque<>();

		private @Nullable String subscribed;

		private boolean usable = true;

		private boolean killed;

		private boolean swallowing;

		private long lastArrival;

		private long lastReturn;

		private long heldUntil;

		private Connection(int run, String runId) {
			this.run = run;
			this.runId = runId;
		}

	}

	/** What a server says of itself at a handshake. */
	private record Greeting(long uptimeSeconds, long recordAge, @Nullable MembershipRecord record, long wallMicros,
			long doubtSeconds, long askedNanos) {
	}

	/** A command on its way, as often as it is sent. */
	private static class Call {

		private final NodeCommand command;

		private final int slot;

		private final ReplyHandler handler;

		protected boolean voting;

		protected int sends;

		/** The plain script could not tell everything. */
		private boolean full;

		Call(NodeCommand command, int slot, ReplyHandler handler) {
			this.command = command;
			this.slot = slot;
			this.handler = handler;
		}

		void reply(NodeReply reply) {
			this.handler.onReply(this.slot, reply);
		}

		LockScript script() {
			return SimServer.scriptOf(this.command, this.full);
		}

		NodeReply execute(SimServer server) {
			return server.execute(this.command, this.full, this.voting);
		}

	}

	/** Renewals that share a command, the first of which stands for all (R28). */
	private static final class JointCall extends Call {

		private final List<Member> members;

		private final int slot;

		private List<NodeReply> replies = List.of();

		private JointCall(List<Member> members, int slot) {
			super(members.get(0).command(), slot, members.get(0).handler());
			this.members = members;
			this.slot = slot;
		}

		@Override
		LockScript script() {
			return LockScript.RENEW_ALL;
		}

		@Override
		NodeReply execute(SimServer server) {
			this.replies = server.execute(this.members.stream().map(Member::command).toList(), super.voting);
			server.world().countJointRenewal(this.replies);
			return this.replies.get(0);
		}

		@Override
		void reply(NodeReply reply) {
			for (int i = 0; i < this.members.size(); i++) {
				this.members.get(i).handler().onReply(this.slot, this.replies.isEmpty() ? reply : this.replies.get(i));
			}
		}

		/** As the driver: without those of which a later command may have been sent. */
		@Nullable JointCall again() {
			List<Member> left = this.members.stream().filter((member) -> member.command().isResendable()).toList();
			this.members.stream()
				.filter((member) -> !left.contains(member))
				.forEach((member) -> member.handler().onReply(this.slot, new Failed(Failed.Cause.ERROR, "NOSCRIPT")));
			JointCall again = left.isEmpty() ? null : new JointCall(left, this.slot);
			if (again != null) {
				((Call) again).sends = super.sends;
			}
			return again;
		}

	}

	private static final long WINDOW = 100 * Plan.MILLI;

	private static final long LISTED_AGAIN = 1_000 * Plan.MILLI;

	private static final long RECORD_PERIOD = 10_000 * Plan.MILLI;

	/** Besides the first attempt of each request. */
	private static final int MAX_IN_WINDOW = 60;

	private static final int MAX_SENDS = 3;

	private final World world;

	private final SimClient client;

	final SimServer server;

	private final NodeAdmission admission;

	/** Who the nodes of a group are, if their clocks are read. */
	private final @Nullable Membership membership;

	private final @Nullable SimClock clock;

	/** The lists of others, where instances have different ones. */
	private @Nullable OtherLists lists;

	/** Whether it is known to be connected or out of reach. */
	private boolean tried;

	/** Whether the client never reaches it. */
	private boolean cutOff;

	/** Whether the client waits for it as long as it takes. */
	private boolean awaited;

	private @Nullable String channel;

	private @Nullable NodeListener listener;

	private @Nullable Connection connection;

	private @Nullable Connection previous;

	/** Counts starts and stops: what was begun before is given up. */
	private int life;

	private OptionalLong clockOffsetMicros = OptionalLong.empty();

	private long windowStart;

	private int acquiresInWindow;

	private long requestsBefore;

	/** Nothing gets through before, in one direction or in both. */
	private long requestsHeldUntil;

	private long repliesHeldUntil;

	SimNode(World world, SimClient client, SimServer server) {
		this.world = world;
		this.client = client;
		this.server = server;
		this.admission = new NodeAdmission(world.plan.quarantine(), Plan.DRIFT, false);
		this.membership = null;
		this.clock = null;
	}

	/** A node whose clock is read all the time (R27). */
	SimNode(World world, SimClient client, SimServer server, Membership membership) {
		this.world = world;
		this.client = client;
		this.server = server;
		this.admission = new NodeAdmission(world.plan.quarantine(), Plan.DRIFT, false);
		this.membership = membership;
		this.clock = new SimClock(client, server, world, membership.steps(), client.nodes.size(), this.admission);
	}

	@Override
	public String name() {
		return this.world.nameOf(this.server, this.client.index);
	}

	@Override
	public NodeStatus status() {
		Connection connection = this.connection;
		if (connection == null) {
			return NodeStatus.of(State.DOWN, "not connected");
		}
		boolean voting = this.admission.isVoting(this.client.nanoTime());
		return new NodeStatus(voting ? State.VOTING : State.QUARANTINED, voting ? "" : "in quarantine", Duration.ZERO,
				connection.runId, null, clockOffset());
	}

	/** As the driver: of the handshake, until the clock is read in time. */
	private OptionalLong clockOffset() {
		OptionalLong latest = (this.clock != null) ? this.clock.offsetMicros() : OptionalLong.empty();
		return latest.isPresent() ? latest : this.clockOffsetMicros;
	}

	void keepLists(OtherLists lists) {
		this.lists = lists;
	}

	boolean isTried() {
		return this.tried || this.lists == null;
	}

	void await() {
		this.awaited = true;
	}

	void cutOff() {
		this.cutOff = true;
	}

	@Override
	public void start(NodeListener listener) {
		this.listener = listener;
		this.life++;
		connect(0);
	}

	private NodeListener listener() {
		return Objects.requireNonNull(this.listener);
	}

	@Override
	public void stop() {
		// Disconnects when the engine would have waited long enough, see SimClient.
	}

	void disconnect() {
		this.life++;
		Connection connection = this.connection;
		if (connection != null) {
			connection.usable = false;
			lose(connection);
		}
	}

	void processEnded() {
		this.life++;
		if (this.connection != null) {
			this.connection.usable = false;
		}
	}

	private void connect(long delay) {
		int life = this.life;
		if (this.cutOff) {
			this.client.later(this.world.plan.operationMillis * Plan.MILLI, () -> this.tried = true);
			return;
		}
		this.client.later(delay, () -> {
			long since = this.client.instant();
			long asked = (this.clock != null) ? this.client.nanoTime() : 0;
			long paused = this.client.instant() - since;
			this.world.later(paused + requestDelay(), () -> handShake(life, since, asked));
		});
	}

	/** At the server: INFO, and CLIENT KILL of the connection before. */
	private void handShake(int life, long since, long asked) {
		if (this.life != life) {
			return;
		}
		if (!this.server.isUp() || this.server.frozenUntil() > this.world.now() || this.server.isUnusable()) {
			this.client.later(0, () -> this.tried = true);
			connect(this.world.chance.between(10, 100) * Plan.MILLI);
			return;
		}
		if (this.previous != null) {
			this.previous.killed = true;
		}
		Connection connection = new Connection(this.server.restarts(), this.server.runId());
		EnumSet.allOf(LockScript.class).forEach(this.server::load);
		long uptime = this.server.uptimeSeconds();
		long age = this.server.recordAgeSeconds();
		MembershipRecord record = record();
		long wall = this.server.micros();
		long doubt = this.server.doubtSeconds();
		this.client.later(replyDelay(), () -> {
			boolean late = !this.awaited
					&& this.client.instant() - since > this.world.plan.operationMillis * Plan.MILLI;
			if (this.life == life) {
				established(connection, new Greeting(uptime, age, record, wall, doubt, asked), late);
			}
		});
	}

	private @Nullable MembershipRecord record() {
		return (this.lists != null)
				? this.server.record(this.client.list(), this.world.plan.listsRemembered(), this.client.toString())
				: null;
	}

	private void established(Connection connection, Greeting greeting, boolean late) {
		this.tried = true;
		if (late || !this.server.isUp() || this.server.restarts() != connection.run) {
			connect(this.world.chance.between(10, 100) * Plan.MILLI);
			return;
		}
		this.clockOffsetMicros = OptionalLong.of(greeting.wallMicros - this.client.nanoTime() / 1_000);
		this.admission.onConnected(connection.runId, greeting.uptimeSeconds, this.client.nanoTime());
		this.connection = connection;
		if (this.lists == null) {
			this.admission.onRecord(greeting.recordAge, this.client.nanoTime());
		}
		else {
			onLists(connection, this.lists, greeting.recordAge, greeting.record);
		}
		if (this.membership != null && this.clock != null) {
			this.membership.claim(this.client.nodes.indexOf(this), connection.runId);
			this.clock.onTime(greeting.wallMicros, greeting.askedNanos);
			this.clock.onDoubt(greeting.doubtSeconds);
			readClock(connection, this.clock);
		}
		this.server.connected(this);
		listener().onConnected(this);
		subscribe();
	}

	/** A node that could not write its record does not vote. */
	private void onLists(Connection connection, OtherLists lists, long recordAge, @Nullable MembershipRecord record) {
		if (record != null) {
			long now = this.client.nanoTime();
			listener().onLists(this, lists.onRecord(record.since(), record.uses(), now));
			this.admission.onRecord(recordAge, now);
		}
		this.client.later((record != null) ? RECORD_PERIOD : LISTED_AGAIN, () -> {
			if (this.connection == connection) {
				this.world.later(requestDelay(), () -> readLists(connection, lists));
			}
		});
	}

	private void readLists(Connection connection, OtherLists lists) {
		if (!isGone(connection)) {
			long age = this.server.recordAgeSeconds();
			MembershipRecord record = record();
			this.client.later(replyDelay(), () -> {
				if (this.connection == connection) {
					onLists(connection, lists, age, record);
				}
			});
		}
	}

	/** Again and again, on the connection, in turn with the commands. */
	private void readClock(Connection connection, SimClock clock) {
		this.client.later(SimClock.TICK, () -> {
			if (this.connection != connection) {
				return;
			}
			if (clock.isDue()) {
				long sent = this.client.nanoTime();
				connection.lastArrival = Math.max(connection.lastArrival, this.client.instant() + requestDelay());
				this.world.later(connection.lastArrival - this.world.now(),
						() -> clockAtServer(connection, clock, sent));
			}
			readClock(connection, clock);
		});
	}

	private void clockAtServer(Connection connection, SimClock clock, long sent) {
		if (isGone(connection)) {
			return;
		}
		if (this.server.frozenUntil() > this.world.now()) {
			this.world.later(this.server.frozenUntil() - this.world.now(),
					() -> clockAtServer(connection, clock, sent));
			return;
		}
		long micros = this.server.micros();
		if (connection.usable) {
			connection.lastReturn = Math.max(connection.lastReturn, this.world.now() + replyDelay());
			this.client.at(connection.lastReturn, () -> {
				if (this.connection == connection) {
					clock.onTime(micros, sent);
				}
			});
		}
	}

	/** Whether nothing of the connection reaches the server any more. */
	private boolean isGone(Connection connection) {
		return connection.killed || connection.swallowing || !this.server.isUp()
				|| this.server.restarts() != connection.run;
	}

	@Nullable SimClock clock() {
		return this.clock;
	}

	/** Whether the present connection has read the server's clock before. */
	boolean isComparingSinceBefore(long when) {
		return this.connection != null && this.clock != null && this.clock.comparesSinceBefore(when);
	}

	void noticedOwnStep(long when) {
		if (this.clock != null) {
			this.clock.noticedOwnStep(when);
		}
	}

	/** When the leases from before a step must have ended, its votes count. */
	void checkVotesAgain() {
		Connection connection = this.connection;
		SimClock clock = this.clock;
		if (clock != null && connection != null) {
			int notices = clock.notices();
			this.client.later(this.world.plan.quarantineEndMillis() * Plan.MILLI, () -> {
				if (this.connection == connection && clock.notices() == notices
						&& !this.admission.isVoting(this.client.look())) {
					this.world.fail(new Violation(Invariant.VOTES_AGAIN, clock + " was stepped long ago"));
				}
			});
		}
	}

	/** The connection breaks, and nobody killed the server. */
	void cut(boolean swallow) {
		Connection connection = this.connection;
		if (connection != null && connection.usable) {
			connection.usable = false;
			connection.swallowing = swallow;
			this.client.later(this.world.chance.below(5 * Plan.MILLI), () -> broken(connection, 100));
		}
	}

	/** Noticed some time later; at once if its operating system told. */
	void serverCrashed(boolean told) {
		Connection connection = this.connection;
		if (connection != null && connection.usable) {
			connection.usable = false;
			long noticed = told ? 1 : this.world.chance.oneOf(0, 1, 50, 500);
			this.client.later(noticed * Plan.MILLI, () -> broken(connection, told ? 5 : 100));
		}
	}

	private void broken(Connection connection, long reconnectMillis) {
		if (this.connection != connection) {
			return;
		}
		lose(connection);
		connect(this.world.chance.between(1, reconnectMillis) * Plan.MILLI);
	}

	private void lose(Connection connection) {
		this.connection = null;
		this.previous = connection;
		if (this.clock != null) {
			this.clock.disconnected();
		}
		List<Call> lost = new ArrayList<>(connection.unanswered);
		connection.unanswered.clear();
		lost.forEach((call) -> call.reply(new Failed(Failed.Cause.CONNECTION_LOST, "broken")));
	}

	@Override
	public void submit(NodeCommand command, int slot, ReplyHandler handler) {
		Connection connection = this.connection;
		if (connection == null) {
			handler.onReply(slot, new Failed(Failed.Cause.NOT_SENT, "not connected"));
			return;
		}
		if (this.client.isStopping() && command instanceof NodeCommand.Renew) {
			this.world
				.fail(new Violation(Invariant.STOPPED_MEANS_OVER, this.client + " was stopped and sends " + command));
		}
		this.client.maybePauseInside();
		if (command instanceof NodeCommand.Acquire) {
			countAcquire();
			this.client.asks(command.attempt());
		}
		// Some clients send each renewal so.
		boolean jointly = this.client.index % 2 == 0 && command instanceof NodeCommand.Renew renew
				&& renew.isJoinable();
		send(connection, jointly ? new JointCall(List.of(new Member((NodeCommand.Renew) command, handler)), slot)
				: new Call(command, slot, handler));
	}

	@Override
	public void submit(JointRenewal joint, int slot) {
		Connection connection = this.connection;
		if (connection == null || this.client.isStopping()) {
			LockNode.super.submit(joint, slot);
			return;
		}
		this.client.maybePauseInside();
		send(connection, new JointCall(joint.members(), slot));
	}

	private void send(Connection connection, Call call) {
		connection.unanswered.add(call);
		this.world.countCommand();
		call.sends++;
		// R10: judged when it is sent.
		call.voting = this.admission.isVoting(this.client.nanoTime()) && this.client.isTried();
		if (this.clock != null) {
			this.world.clockFaults.checkVoting(this.clock, call.voting);
		}
		connection.lastArrival = Math.max(connection.lastArrival, this.client.instant() + requestDelay());
		this.world.trace("%s to %s: %s, arrives at %.3f ms", this.client, name(), call.command,
				connection.lastArrival / 1e6);
		this.world.at(connection.lastArrival, new Arrival(connection, call));
	}

	private void countAcquire() {
		if (this.world.now() - this.windowStart > WINDOW) {
			this.windowStart = this.world.now();
			this.acquiresInWindow = 0;
			this.requestsBefore = this.client.requests();
		}
		long requests = this.client.requests() - this.requestsBefore;
		long max = this.world.plan.askers() * Math.max(1, this.world.plan.rare.dueTogether) * MAX_IN_WINDOW + requests;
		if (this.world.plan.crowd == 0 && ++this.acquiresInWindow > max) {
			this.world
				.fail(new Violation(Invariant.RETRIES_BACK_OFF, "%s asked %s %d times in %d ms for %d new requests"
					.formatted(this.client, name(), this.acquiresInWindow, WINDOW / Plan.MILLI, requests)));
		}
	}

	private final class Arrival extends Agenda.Event {

		private final Connection connection;

		private final Call call;

		private final Ambush.Trap trap;

		private Arrival(Connection connection, Call call) {
			this.connection = connection;
			this.call = call;
			this.trap = SimNode.this.world.ambush.trap(SimNode.this.client, SimNode.this.server, call.command);
		}

		@Override
		void happen() {
			SimServer server = SimNode.this.server;
			if (isGone(this.connection)) {
				return;
			}
			if (server.frozenUntil() > time()) {
				SimNode.this.world.putOff(server.frozenUntil(), this);
				return;
			}
			if (isHeldUp()) {
				SimNode.this.world.putOff(this.connection.heldUntil, this);
				return;
			}
			if (this.trap.swallows()) {
				cut(true);
				return;
			}
			NodeReply reply = execute(server);
			if (this.connection.usable) {
				answer(this.connection, this.call, reply);
			}
		}

		private NodeReply execute(SimServer server) {
			NodeReply reply;
			try {
				if (this.call.sends > 1) {
					server.load(this.call.script());
				}
				reply = this.call.execute(server);
			}
			catch (RedisErrorException ex) {
				reply = new Failed(Failed.Cause.ERROR, ex.code());
			}
			this.trap.executed();
			if (this.call.command instanceof NodeCommand.Acquire && this.call.voting) {
				SimNode.this.world.clockFaults.voted(SimNode.this.client, server, this.call.command.names());
			}
			SimNode.this.world.trace("%s at %s: %s -> %s", SimNode.this.client, server.name, this.call.command, reply);
			return reply;
		}

		/** What follows it on the connection has to wait, too. */
		private boolean isHeldUp() {
			if (this.connection.heldUntil <= time()) {
				this.connection.heldUntil = time() + this.trap.delay();
			}
			return this.connection.heldUntil > time();
		}

	}

	private void answer(Connection connection, Call call, NodeReply reply) {
		connection.lastReturn = Math.max(connection.lastReturn, this.world.now() + replyDelay());
		this.client.at(connection.lastReturn, () -> {
			if (connection.unanswered.remove(call)) {
				received(connection, call, reply);
			}
		});
	}

	/** As the drivers treat replies that are errors. */
	private void received(Connection connection, Call call, NodeReply reply) {
		String error = (reply instanceof Failed failed) ? failed.message() : "";
		if (error.equals("NOSCRIPT") && call.sends < MAX_SENDS && call instanceof JointCall joint
				&& connection == this.connection) {
			JointCall again = joint.again();
			if (again != null) {
				send(connection, again);
			}
			return;
		}
		if (error.equals("NOSCRIPT") && call.sends < MAX_SENDS && call.command.isResendable()
				&& connection == this.connection) {
			// With the script, behind whatever was sent since (R3).
			send(connection, call);
			return;
		}
		if (ScriptReply.isPartial(call.script(), reply) && call.command.isResendable()
				&& connection == this.connection) {
			call.full = true;
			call.sends = 0;
			send(connection, call);
			return;
		}
		call.reply(reply);
		if (error.equals("LOADING") || error.equals("READONLY")) {
			connection.usable = false;
			broken(connection, 100);
		}
	}

	@Override
	public void listen(String instance) {
		this.channel = SimServer.KEYS.instanceChannel(instance);
		subscribe();
	}

	private void subscribe() {
		Connection connection = this.connection;
		String wanted = this.channel;
		if (connection != null && wanted != null) {
			// Behind the commands, as on the connection of the real driver.
			long arrival = Math.max(this.client.instant() + requestDelay(), connection.lastArrival);
			connection.lastArrival = arrival;
			this.world.later(arrival - this.world.now(), () -> {
				connection.subscribed = wanted;
				this.client.later(replyDelay(), () -> {
					if (wanted.equals(this.channel)) {
						listener().onListening(this);
					}
				});
			});
		}
	}

	boolean isListeningTo(String channel) {
		Connection connection = this.connection;
		return connection != null && connection.usable && channel.equals(this.channel)
				&& channel.equals(connection.subscribed);
	}

	/**
	 * R4: the engine does not depend on messages. Those of a crowd arrive, since two that
	 * are lost in a row cost as much as its claims wait.
	 */
	void send(String message) {
		if (this.world.plan.crowded || !this.world.chance.onceIn(8)) {
			this.client.later(replyDelay(), () -> listener().onMessage(this, message));
		}
	}

	void hold(long requestsUntil, long repliesUntil) {
		this.requestsHeldUntil = Math.max(this.requestsHeldUntil, requestsUntil);
		this.repliesHeldUntil = Math.max(this.repliesHeldUntil, repliesUntil);
	}

	void heal() {
		this.requestsHeldUntil = 0;
		this.repliesHeldUntil = 0;
	}

	private long requestDelay() {
		return Math.max(this.world.networkDelay(this.client, this.server), this.requestsHeldUntil - this.world.now());
	}

	private long replyDelay() {
		return Math.max(this.world.networkDelay(this.client, this.server), this.repliesHeldUntil - this.world.now());
	}

}
