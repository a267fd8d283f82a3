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

package io.quorlock.test;

import java.util.ArrayList;
import java.util.List;

import org.junit.jupiter.api.Test;

import io.quorlock.memory.InMemoryLockNode;
import io.quorlock.quorum.node.Attempt;
import io.quorlock.quorum.node.InstanceMessage;
import io.quorlock.quorum.node.LockNode;
import io.quorlock.quorum.node.LockTarget;
import io.quorlock.quorum.node.NodeCommand;
import io.quorlock.quorum.node.NodeListener;
import io.quorlock.quorum.node.NodeReply;
import io.quorlock.quorum.node.NodeStatus.State;
import io.quorlock.quorum.node.OtherList;
import io.quorlock.time.SystemClock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.verify;

/**
 * Tests for {@link SimulatedNode}.
 */
class SimulatedNodeTests implements NodeListener {

	private final List<Object> told = new ArrayList<>();

	private final SimulatedNode node = new SimulatedNode(new InMemoryLockNode("node", new SystemClock()));

	private List<NodeReply> release() {
		List<NodeReply> replies = new ArrayList<>();
		this.node.submit(new NodeCommand.Release(List.of("order"), new Attempt("a"), 0), 0,
				(slot, reply) -> replies.add(reply));
		return replies;
	}

	@Test
	void isUpFromItsStartToItsStop() {
		assertThat(this.node.status().state()).isEqualTo(State.DOWN);
		this.node.start(this);
		assertThat(this.node.status().state()).isEqualTo(State.VOTING);
		assertThat(this.told).containsExactly(this.node);
		this.node.stop();
		assertThat(this.node.status().state()).isEqualTo(State.DOWN);
	}

	@Test
	void repliesNothingWhileItIsUnavailable() {
		this.node.start(this);
		this.node.setAvailable(false);
		assertThat(this.node.status().state()).isEqualTo(State.DOWN);
		assertThat(this.node.status().reason()).isEqualTo("simulated as unavailable");
		assertThat(release()).singleElement().isInstanceOf(NodeReply.Failed.class);
		this.node.setAvailable(true);
		assertThat(this.node.status().state()).isEqualTo(State.VOTING);
		assertThat(release()).singleElement().isInstanceOf(NodeReply.Released.class);
	}

	/** It is connected again, which makes an engine repeat its releases. */
	@Test
	void returnIsToldOnce() {
		this.node.start(this);
		this.node.setAvailable(true);
		assertThat(this.told).hasSize(1);
		this.node.setAvailable(false);
		this.node.setAvailable(true);
		assertThat(this.told).containsExactly(this.node, this.node);
	}

	@Test
	void messagesComeFromTheNodeThatTheEngineKnows() {
		this.node.start(this);
		this.node.listen("app@host:1");
		assertThat(this.told).containsExactly(this.node, "listening");
		LockTarget order = LockTarget.exclusive(List.of("order"));
		Attempt holder = new Attempt("app@host:1:r1");
		assertThat(this.node.hold(order, holder)).isInstanceOf(NodeReply.Granted.class);
		assertThat(this.node.hold(order, new Attempt("other@host:2:1"))).isInstanceOf(NodeReply.Refused.class);
		assertThat(this.told).last().isEqualTo(new InstanceMessage.LeaseWanted(holder.token()));
		this.node.free(order, holder);
		assertThat(this.node.hold(order, new Attempt("other@host:2:1"))).isInstanceOf(NodeReply.Granted.class);
	}

	@Test
	void whatTheEngineQueuesIsFlushed() {
		LockNode delegate = mock(LockNode.class);
		new SimulatedNode(delegate).flush();
		verify(delegate).flush();
	}

	@Override
	public void onConnected(LockNode connected) {
		this.told.add(connected);
	}

	@Override
	public void onLists(LockNode node, List<OtherList> lists) {
	}

	@Override
	public void onMessage(LockNode from, InstanceMessage message) {
		assertThat(from).isSameAs(this.node);
		this.told.add(message);
	}

	@Override
	public void onListening(LockNode listening) {
		assertThat(listening).isSameAs(this.node);
		this.told.add("listening");
	}

}
