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

package io.quorlock.quorum.node;

import java.util.List;

/**
 * Is notified of what happens on a node. Called on a thread of the node's driver, or as
 * {@link LockNode} says on the calling thread; must not block.
 *
 * @since 0.1.0
 */
public interface NodeListener {

	/**
	 * The node is connected, whether it votes or not: what could not be sent may be sent
	 * again.
	 * @param node the node
	 */
	void onConnected(LockNode node);

	/**
	 * The node told which other lists of nodes are in use. Called before
	 * {@link #onConnected}, and again as often as the node is asked. Nodes without a
	 * record of lists never call it.
	 * @param node the node
	 * @param lists all of them
	 */
	void onLists(LockNode node, List<OtherList> lists);

	/**
	 * A message to this instance arrived.
	 * @param node the node
	 * @param message the message
	 */
	void onMessage(LockNode node, InstanceMessage message);

	/**
	 * Dispatch the text of a message to this instance. Called by drivers.
	 * @param node the node
	 * @param text what the node passed on; anything but a message is ignored
	 */
	default void onMessage(LockNode node, String text) {
		InstanceMessage message = InstanceMessage.parse(text);
		if (message != null) {
			onMessage(node, message);
		}
	}

	/**
	 * Messages to this instance are received from now on. Earlier ones may have been
	 * missed.
	 * @param node the node
	 */
	void onListening(LockNode node);

}
