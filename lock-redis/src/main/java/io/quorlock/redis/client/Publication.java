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
import io.quorlock.redis.RefusedMessages;
import io.quorlock.redis.RespError;

/**
 * A message that a script was not allowed to publish.
 */
final class Publication extends PendingCommand {

	private final NodeHealth health;

	Publication(RefusedMessages.Message message, NodeHealth health) {
		super(RespEncoder.publish(message.channel(), message.text()));
		this.health = health;
	}

	@Override
	void onReply(@Nullable Object reply) {
		if (reply instanceof RespError error) {
			this.health.onError(ServerErrors.describe(error));
		}
	}

	@Override
	void onFailure(Cause cause, String reason) {
		// Whoever waits for the message asks by itself, later.
	}

}
