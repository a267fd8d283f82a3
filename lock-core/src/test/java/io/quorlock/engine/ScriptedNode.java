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

package io.quorlock.engine;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;

import io.quorlock.quorum.node.CommandVisitor;
import io.quorlock.quorum.node.InstanceMessage;
import io.quorlock.quorum.node.JointRenewal;
import io.quorlock.quorum.node.LockNode;
import io.quorlock.quorum.node.NodeCommand;
import io.quorlock.quorum.node.NodeListener;
import io.quorlock.quorum.node.NodeReply;
import io.quorlock.quorum.node.NodeStatus;
import io.quorlock.quorum.node.NodeStatus.State;
import io.quorlock.quorum.node.OperatorCommand;
import io.quorlock.quorum.node.Refusals;
import io.quorlock.quorum.node.ReplyHandler;
import io.quorlock.quorum.node.Ticket;

/**
 * A node that answers when and what a test says, and keeps what it was asked.
 */
final class ScriptedNode implements LockNode {

	private final String name;

	final List<Request> requests = new ArrayList<>();

	/** How many renewals shared each command. */
	final List<Integer> joints = new ArrayList<>();

	/** What was sent to it, subscriptions included, in order. */
	final List<String> sent = new ArrayList<>();

	/** The same; what was sent together is one entry. */
	final List<List<String>> packets = new ArrayList<>();

	/** Answers at once; without it the test answers by hand. */
	@Nullable Function<NodeCommand, NodeReply> script;

	NodeStatus status = new NodeStatus(State.VOTING, "", Duration.ZERO, "run", null, OptionalLong.empty());

	final List<String> listening = new ArrayList<>();

	private Runnable whenListening = () -> {
	};

	/** What waits for the next command or for a flush, with its name. */
	private final Map<Runnable, String> unflushed = new LinkedHashMap<>();

	/** What it has not done yet, because an answer made somebody send more. */
	private final Deque<Runnable> received = new ArrayDeque<>();

	private boolean busy;

	private @Nullable NodeListener listener;

	ScriptedNode(String name) {
		this.name = name;
	}

	@Override
	public String name() {
		return this.name;
	}

	@Override
	public NodeStatus status() {
		return this.status;
	}

	@Override
	public void start(NodeListener listener) {
		this.listener = listener;
	}

	/** It is connected again. */
	void connected() {
		Objects.requireNonNull(this.listener).onConnected(this);
	}

	/** It offers a name to the claim that it refused last with this ticket. */
	void offer(String ticket, String name) {
		message(new InstanceMessage.Offer(ticket, name));
	}

	/** It has offered a name to another, and this claim is the next. */
	void tellNext(String ticket, String name) {
		message(new InstanceMessage.Next(ticket, name));
	}

	/** It tells the instance of a lease that others were refused because of it. */
	void announceWanted(String owner) {
		message(new InstanceMessage.LeaseWanted(owner));
	}

	/** It passes on that somebody asks for the release of a lease. */
	void announceRequest(String owner) {
		message(new InstanceMessage.ReleaseRequested("request-1", Duration.ofSeconds(5), owner));
	}

	/** It tells the instance of a lease that an operator released it. */
	void announceForced(String owner, int permit) {
		message(new InstanceMessage.Forced(owner, permit));
	}

	private void message(InstanceMessage message) {
		Objects.requireNonNull(this.listener).onMessage(this, message);
	}

	/** It confirms the subscription. */
	void confirmListening() {
		Objects.requireNonNull(this.listener).onListening(this);
	}

	/** Return the ticket that it was brought last. */
	String lastTicket() {
		for (int i = this.requests.size() - 1; i >= 0; i--) {
			NodeCommand command = this.requests.get(i).command();
			Ticket ticket = (command instanceof NodeCommand.Release release) ? release.ticket()
					: (command instanceof NodeCommand.Acquire acquire) ? acquire.ticket() : null;
			if (ticket != null) {
				return ticket.text();
			}
		}
		throw new AssertionError("No ticket came to " + this.name);
	}

	@Override
	public void submit(NodeCommand command, int slot, ReplyHandler handler) {
		enqueue(command, slot, handler);
		flush();
	}

	@Override
	public void submit(JointRenewal joint, int slot) {
		this.joints.add(joint.members().size());
		joint.members().forEach((member) -> enqueue(member.command(), slot, member.handler()));
		flush();
	}

	@Override
	public void enqueue(NodeCommand command, int slot, ReplyHandler handler) {
		Request request = new Request(command, slot, handler);
		enqueue(command.operation(), () -> receive(request));
	}

	private void receive(Request request) {
		this.requests.add(request);
		if (this.script != null) {
			request.reply(this.script.apply(request.command()));
		}
	}

	private void enqueue(String operation, Runnable effect) {
		this.unflushed.put(effect, operation);
	}

	@Override
	public void flush() {
		if (this.unflushed.isEmpty()) {
			return;
		}
		Map<Runnable, String> packet = new LinkedHashMap<>(this.unflushed);
		this.unflushed.clear();
		this.packets.add(List.copyOf(packet.values()));
		this.sent.addAll(packet.values());
		this.received.addAll(packet.keySet());
		if (!this.busy) {
			this.busy = true;
			for (Runnable next = this.received.poll(); next != null; next = this.received.poll()) {
				next.run();
			}
			this.busy = false;
		}
	}

	@Override
	public void listen(String instance) {
		enqueue("listen", () -> this.listening.add(instance));
		this.whenListening.run();
	}

	/** Runs in the middle of the next subscriptions. */
	void onListen(Runnable task) {
		this.whenListening = task;
	}

	@Override
	public void stop() {
	}

	/**
	 * Grants with the proposed fence, renews and releases, to the ticket that comes
	 * along.
	 */
	ScriptedNode granting() {
		this.script = (command) -> {
			Ticket ticket = (command instanceof NodeCommand.Release release && !release.failed()) ? release.ticket()
					: null;
			if (ticket != null) {
				this.received.add(() -> offer(ticket.text(), command.names().get(0)));
			}
			return grant(command);
		};
		return this;
	}

	/** Grants, and so many claims wait when it releases. */
	ScriptedNode withWaiting(int waiting) {
		this.script = (command) -> (command instanceof NodeCommand.Release) ? new NodeReply.Released(true, waiting)
				: grant(command);
		return this;
	}

	ScriptedNode refusing() {
		this.script = (command) -> (command instanceof NodeCommand.Release) ? new NodeReply.Released(true, 0)
				: refusal(true);
		return this;
	}

	ScriptedNode silent() {
		this.script = null;
		return this;
	}

	ScriptedNode down() {
		this.script = (command) -> new NodeReply.Failed(NodeReply.Failed.Cause.NOT_SENT, "connection refused");
		this.status = NodeStatus.of(State.DOWN, "connection refused");
		return this;
	}

	static NodeReply refusal(boolean voting) {
		return Refusals.of(voting, List.of("other@host:1:ab:7"), 20_000, null);
	}

	static NodeReply grant(NodeCommand command) {
		return command.accept(new Granting());
	}

	List<String> operations() {
		return this.requests.stream().map((request) -> request.command.operation()).toList();
	}

	Request last() {
		return this.requests.get(this.requests.size() - 1);
	}

	record Request(NodeCommand command, int slot, ReplyHandler handler) {

		void reply(NodeReply reply) {
			this.handler.onReply(this.slot, reply);
		}

		void grant() {
			reply(ScriptedNode.grant(this.command));
		}

	}

	private static final class Granting implements CommandVisitor<NodeReply> {

		@Override
		public NodeReply acquire(NodeCommand.Acquire command) {
			return new NodeReply.Granted(true, command.proposed());
		}

		@Override
		public NodeReply raise(NodeCommand.Raise command) {
			return new NodeReply.Done(true);
		}

		@Override
		public NodeReply renew(NodeCommand.Renew command) {
			return new NodeReply.Done(true);
		}

		@Override
		public NodeReply release(NodeCommand.Release command) {
			return new NodeReply.Released(true, 0);
		}

		@Override
		public NodeReply drop(NodeCommand.Drop command) {
			return new NodeReply.Released(true, 0);
		}

		@Override
		public NodeReply withdraw(NodeCommand.Withdraw command) {
			return new NodeReply.Done(true);
		}

		@Override
		public NodeReply inspect(OperatorCommand.Inspect command) {
			return new NodeReply.Inspected(true, List.of(), List.of(), 0);
		}

		@Override
		public NodeReply requestRelease(OperatorCommand.RequestRelease command) {
			return new NodeReply.PassedOn(true, 0);
		}

		@Override
		public NodeReply forceRelease(OperatorCommand.ForceRelease command) {
			return new NodeReply.Done(true);
		}

	}

}
