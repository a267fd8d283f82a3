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

package io.quorlock.redis.spring;

import io.quorlock.quorum.node.NodeReply.Failed;

/**
 * What a link knows of a command without a reply, where drivers leave it to be guessed.
 */
@SuppressWarnings("serial")
final class LinkException extends IllegalStateException {

	final Failed reply;

	private LinkException(Failed.Cause cause, String message) {
		super(message);
		this.reply = new Failed(cause, message);
	}

	/** Nothing of it was given to a driver. */
	static LinkException notSent(String message) {
		return new LinkException(Failed.Cause.NOT_SENT, message);
	}

	/** The server replied, but what was sent before may still follow. */
	static LinkException unconfirmed(String message) {
		return new LinkException(Failed.Cause.CONNECTION_LOST, message);
	}

}
