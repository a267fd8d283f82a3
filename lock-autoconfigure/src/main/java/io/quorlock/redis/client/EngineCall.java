package io.quorlock.redis.client;

import org.jspecify.annotations.Nullable;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.exceptions.JedisNoScriptException;

import io.quorlock.quorum.membership.NodeAdmission;
import io.quorlock.quorum.node.NodeCommand;
import io.quorlock.quorum.node.NodeReply;
import io.quorlock.quorum.node.NodeReply.Outcome;
import io.quorlock.quorum.node.ReplyHandler;
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

	private boolean counted;

	private int sends;

	EngineCall(NodeCommand command, int slot, ReplyHandler handler, Pipeline pipeline, NodeAdmission admission) {
		super(encode(command));
		this.command = command;
		this.slot = slot;
		this.handler = handler;
		this.pipeline = pipeline;
		this.admission = admission;
	}

	private static byte[] encode(NodeCommand command) {
		if (command.wireForm() instanceof byte[] bytes) {
			return bytes;
		}
		byte[] bytes = Resp.evalsha(ScriptCall.of(command));
		command.wireForm(bytes);
		return bytes;
	}

	@Override
	void onQueued(long nowNanos) {
		super.onQueued(nowNanos);
		// R10: for the run id that is connected now, not when the answer comes
		this.counted = this.admission.counts(nowNanos);
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
			reply(NodeReply.failed(Outcome.ERROR, ServerErrors.describe(error)));
			if (ServerErrors.isUnusable(error)) {
				this.pipeline.close(ServerErrors.describe(error));
			}
		}
		else {
			reply(ScriptReply.of(this.command, answer, this.counted));
		}
	}

	/**
	 * Behind whatever is queued, but never behind the attempt's own release (R3).
	 */
	private void sendAgain() {
		ScriptLoad load = new ScriptLoad(ScriptCall.of(this.command).script());
		this.pipeline.submitIf(this::mayBeSentAgain, "its script was missing", load, this);
	}

	private boolean mayBeSentAgain() {
		return isUrgent() || !this.command.attempt().isReleasing();
	}

	@Override
	void onFailure(Outcome outcome, String reason) {
		reply(NodeReply.failed(outcome, reason));
	}

	private void reply(NodeReply reply) {
		this.handler.onReply(this.slot, reply);
	}

}
