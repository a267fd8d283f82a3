package io.quorlock.redis.client;

import org.jspecify.annotations.Nullable;

import io.quorlock.quorum.node.NodeReply.Failed.Cause;
import io.quorlock.redis.LockScript;

/**
 * Load a script again that the server no longer has.
 */
final class ScriptLoad extends PendingCommand {

	ScriptLoad(LockScript script) {
		super(RespEncoder.command("SCRIPT", "LOAD", script.source()));
	}

	@Override
	void onReply(@Nullable Object reply) {
		// The command behind it finds out whether it worked.
	}

	@Override
	void onFailure(Cause cause, String reason) {
		// The command behind it fails, too.
	}

}
