package io.quorlock.redis.client;

import org.jspecify.annotations.Nullable;

import io.quorlock.quorum.node.NodeReply.Failed.Cause;
import io.quorlock.redis.LockScript;

/**
 * Gives the server a script again that it forgot.
 */
final class ScriptLoad extends Call {

	ScriptLoad(LockScript script) {
		super(Resp.command("SCRIPT", "LOAD", script.source()));
	}

	@Override
	void onAnswer(@Nullable Object answer) {
		// The call behind it finds out whether it worked.
	}

	@Override
	void onFailure(Cause cause, String reason) {
		// The call behind it fails, too.
	}

}
