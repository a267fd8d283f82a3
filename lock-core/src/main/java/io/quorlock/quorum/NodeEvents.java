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

package io.quorlock.quorum;

import java.util.List;

import io.quorlock.quorum.node.InstanceMessage;
import io.quorlock.quorum.node.LockNode;
import io.quorlock.quorum.node.NodeListener;
import io.quorlock.quorum.node.OtherList;

/**
 * What the nodes report unasked: connections, and messages to this instance.
 */
final class NodeEvents implements NodeListener {

	private final Rounds rounds;

	private final Voters voters;

	private final NodeClocks clocks;

	private final InstanceChannel channel;

	NodeEvents(Rounds rounds, NodeClocks clocks, InstanceChannel channel) {
		this.rounds = rounds;
		this.voters = rounds.voters();
		this.clocks = clocks;
		this.channel = channel;
	}

	@Override
	public void onConnected(LockNode node) {
		this.clocks.refresh();
		this.rounds.releases().unconfirmed().repeat(this.voters.slotOf(node));
	}

	@Override
	public void onLists(LockNode node, List<OtherList> lists) {
		this.voters.lists().report(this.voters.slotOf(node), lists, this.rounds.clock().leastNanoTime());
	}

	@Override
	public void onMessage(LockNode node, InstanceMessage message) {
		this.channel.received(this.voters.slotOf(node), message);
	}

	@Override
	public void onListening(LockNode node) {
		this.channel.listening(this.voters.slotOf(node));
	}

}
