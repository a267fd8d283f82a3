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

import io.quorlock.quorum.node.NodeStatus;

/**
 * A connection could not be made, or is over. The message is for people, names no node
 * and holds no secret.
 */
class NodeUnavailableException extends Exception {

	private final NodeStatus.State state;

	NodeUnavailableException(NodeStatus.State state, String reason) {
		super(reason);
		this.state = state;
	}

	static NodeUnavailableException down(String reason) {
		return new NodeUnavailableException(NodeStatus.State.DOWN, reason);
	}

	static NodeUnavailableException rejected(String reason) {
		return new NodeUnavailableException(NodeStatus.State.REJECTED, reason);
	}

	NodeStatus status() {
		return NodeStatus.of(this.state, String.valueOf(getMessage()));
	}

}
