package io.quorlock.redis.client;

import org.jspecify.annotations.Nullable;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.exceptions.JedisNoScriptException;

import io.quorlock.quorum.membership.NodeAdmission;
import io.quorlock.quorum.node.NodeCommand;
import io.quorlock.quorum.node.NodeReply;
import io.quorlock.quorum.node.NodeReply.Failed.Cause;
import io.quorlock.quorum.node.ReplyHandler;
import io.quorlock.redis.RedisKeys;
import io.quorlock.redis.ScriptCall;
import io.quorlock.redis.ScriptReply;

/**
 * A command of the engine on its way to one node.
 */
final class EngineCall extends Call {

	/** A server that still lacks a script that was loaded twice will never have it. */
	private static final int MAX_SENDS = 3;

	private final NodeCommand command;

	private final int slot;

	private final ReplyHandler handler;

	private final Pipeline pipeline;

	private final NodeAdmission admission;

	private final RedisKeys keys;

	private boolean voting;

	private int sends;

	private boolean scriptMissing;

	EngineCall(NodeCommand command, int slot, ReplyHandler handler, Pipeline pipeline, NodeAdmission admission,
			RedisKeys keys) {
		super(encode(command, keys));
		this.command = command;
		this.slot = slot;
		this.handler = handler;
		this.pipeline = pipeline;
		this.admission = admission;
		this.keys = keys;
	}

	private static byte[] encode(NodeCommand command, RedisKeys keys) {
		if (command.wireForm() instanceof byte[] bytes) {
			return bytes;
		}
		byte[] bytes = Resp.evalsha(ScriptCall.of(command, keys));
		command.wireForm(bytes);
		return bytes;
	}

	@Override
	void onQueued(long nowNanos) {
		super.onQueued(nowNanos);
		// R10: for the run id that is connected now, not when the answer comes
		this.voting = this.admission.isVoting(nowNanos);
		this.sends++;
	}

	@Override
	boolean isUrgent() {
		return this.command instanceof NodeCommand.Release;
	}

	@Override
	void onAnswer(@Nullable Object answer) {
		if (answer instanceof JedisNoScriptException && this.sends < MAX_SENDS) {
			sendAgain();
		}
		else if (answer instanceof JedisDataException error) {
			reply(new NodeReply.Failed(Cause.ERROR, ServerErrors.describe(error)));
			if (ServerErrors.isUnusable(error)) {
				this.pipeline.close(ServerErrors.describe(error));
			}
		}
		else {
			reply(ScriptReply.of(this.command, answer, this.voting));
		}
	}

	/**
	 * Behind whatever is queued, but never behind a later command of the attempt (R3).
	 */
	private void sendAgain() {
		this.scriptMissing = true;
		ScriptLoad load = new ScriptLoad(ScriptCall.of(this.command, this.keys).script());
		this.pipeline.submitIf(this.command::isResendable,
				"a script was missing, and a later command of the attempt may have been sent", load, this);
	}

	@Override
	void onFailure(Cause cause, String reason) {
		boolean error = this.scriptMissing && cause == Cause.NOT_SENT;
		reply(new NodeReply.Failed(error ? Cause.ERROR : cause, reason));
	}

	private void reply(NodeReply reply) {
		this.handler.onReply(this.slot, reply);
	}

}
