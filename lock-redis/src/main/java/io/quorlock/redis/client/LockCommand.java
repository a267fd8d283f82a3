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

package io.quorlock.redis.client;

import org.jspecify.annotations.Nullable;

import io.quorlock.quorum.node.NodeCommand;
import io.quorlock.quorum.node.NodeReply;
import io.quorlock.quorum.node.NodeReply.Failed;
import io.quorlock.quorum.node.NodeReply.Failed.Cause;
import io.quorlock.quorum.node.ReplyHandler;
import io.quorlock.redis.LockScript;
import io.quorlock.redis.RedisKeys;
import io.quorlock.redis.RespError;
import io.quorlock.redis.RespReader;
import io.quorlock.redis.ScriptCall;
import io.quorlock.redis.ScriptReply;

/**
 * A command of an attempt on its way to one node.
 */
final class LockCommand extends PendingCommand {

	/** A server that still lacks a script that was loaded twice will never have it. */
	private static final int MAX_SENDS = 3;

	static final String ODD = "sends replies that no lock script gives; do all clients of this node use the same"
			+ " version?";

	private final NodeCommand command;

	private final int slot;

	private final ReplyHandler handler;

	private final Pipeline pipeline;

	private final NodeHealth health;

	private final RedisKeys keys;

	private final LockScript script;

	/** The reply to the plain script, if this is the command in full behind it. */
	private final @Nullable NodeReply partial;

	private boolean voting;

	private int sends;

	private boolean scriptMissing;

	LockCommand(NodeCommand command, int slot, ReplyHandler handler, Pipeline pipeline, NodeHealth health,
			RedisKeys keys) {
		this(Encoded.first(command, keys), null, command, slot, handler, pipeline, health, keys);
	}

	private LockCommand(Encoded encoded, @Nullable NodeReply partial, NodeCommand command, int slot,
			ReplyHandler handler, Pipeline pipeline, NodeHealth health, RedisKeys keys) {
		super(encoded.bytes());
		this.script = encoded.script();
		this.partial = partial;
		this.command = command;
		this.slot = slot;
		this.handler = handler;
		this.pipeline = pipeline;
		this.health = health;
		this.keys = keys;
	}

	@Override
	void onQueued(long nowNanos) {
		super.onQueued(nowNanos);
		// For the run id that is connected now, not when the reply comes
		this.voting = this.health.isVoting();
		this.sends++;
	}

	@Override
	boolean isUrgent() {
		return this.command instanceof NodeCommand.Release;
	}

	@Override
	RespReader.Limits limits() {
		return ScriptReply.limits(this.command);
	}

	@Override
	void onReply(@Nullable Object reply) {
		onReplyOfScript(ScriptReply.publish(reply, this::publish));
	}

	/** Whoever waits for a message that gets lost asks by itself, later. */
	private void publish(byte[] channel, byte[] text) {
		this.pipeline.submit(PendingCommand.of(RespEncoder.publish(channel, text), (reply, queuedNanos) -> {
			if (reply instanceof RespError) {
				this.health.onError();
			}
		}));
	}

	private void onReplyOfScript(@Nullable Object reply) {
		if (!(reply instanceof RespError error)) {
			NodeReply result = ScriptReply.of(this.command, reply, this.voting);
			if (result instanceof Failed) {
				this.health.onOddReply(ODD);
			}
			else {
				this.health.onReply(queuedNanos());
			}
			if (ScriptReply.isPartial(this.script, result)) {
				sendInFull(result);
			}
			else {
				deliver(result);
			}
		}
		else if (error.isNoScript() && this.sends < MAX_SENDS) {
			sendAgain();
		}
		else {
			fail(error);
		}
	}

	private void fail(RespError error) {
		String message = error.describe();
		if (error.isOfKeys()) {
			message = error.describe(this.command.target(), this.keys);
		}
		else if (error.isNoScript()) {
			this.health.onOddReply(message);
		}
		else {
			this.health.onError();
		}
		try {
			deliver(new Failed(Cause.ERROR, message));
		}
		finally {
			if (error.isUnusable()) {
				this.health.onUnusable(error);
				this.pipeline.close(message);
			}
		}
	}

	/**
	 * Behind whatever is queued, but never behind a later command of the attempt.
	 */
	private void sendAgain() {
		this.scriptMissing = true;
		this.pipeline.submitIf(this.command::isResendable,
				"a script was missing, and a later command of the attempt may have been sent",
				PendingCommand.loading(this.script), this);
	}

	/**
	 * In the same order. If the command cannot be sent, the partial reply counts.
	 */
	private void sendInFull(NodeReply partial) {
		this.pipeline.submitIf(this.command::isResendable, "a later command of the attempt may have been sent",
				new LockCommand(Encoded.of(ScriptCall.of(this.command, this.keys)), partial, this.command, this.slot,
						this.handler, this.pipeline, this.health, this.keys));
	}

	@Override
	void onFailure(Cause cause, String reason) {
		if (this.partial != null && cause == Cause.NOT_SENT) {
			deliver(this.partial);
			return;
		}
		boolean error = this.scriptMissing && cause == Cause.NOT_SENT;
		deliver(new Failed(error ? Cause.ERROR : cause, reason));
	}

	private void deliver(NodeReply reply) {
		this.handler.onReply(this.slot, reply);
	}

	/** What goes over the connection, the same for all nodes. */
	private record Encoded(LockScript script, byte[] bytes) {

		static Encoded first(NodeCommand command, RedisKeys keys) {
			if (command.encodedForm() instanceof Encoded encoded) {
				return encoded;
			}
			Encoded encoded = of(ScriptCall.first(command, keys));
			command.encodedForm(encoded);
			return encoded;
		}

		private static Encoded of(ScriptCall call) {
			return new Encoded(call.script(), RespEncoder.evalsha(call));
		}

	}

}
