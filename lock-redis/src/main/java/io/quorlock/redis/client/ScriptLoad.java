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
