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

package io.quorlock.simulation.redis;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;

import org.jspecify.annotations.Nullable;

import io.quorlock.quorum.node.LockNode;
import io.quorlock.quorum.node.NodeCommand;
import io.quorlock.quorum.node.NodeListener;
import io.quorlock.quorum.node.NodeReply;
import io.quorlock.quorum.node.NodeStatus;
import io.quorlock.quorum.node.ReplyHandler;
import io.quorlock.redis.LockScript;
import io.quorlock.redis.RedisKeys;
import io.quorlock.redis.ScriptCall;
import io.quorlock.redis.ScriptReply;

/**
 * The scripts on a simulated server, by the clock of this machine. It replies and passes
 * messages on before {@link #submit} returns.
 */
final class SimulatedRedisLockNode implements LockNode, SimulatedRedis.Surroundings {

	private static final RedisKeys KEYS = new RedisKeys("lock:");

	private final SimulatedRedis redis = new SimulatedRedis(this);

	private final List<String> published = new ArrayList<>();

	private volatile @Nullable NodeListener listener;

	private volatile String channel = "";

	SimulatedRedisLockNode() {
		Arrays.stream(LockScript.values()).forEach(this.redis::load);
	}

	@Override
	public String name() {
		return "simulated";
	}

	@Override
	public NodeStatus status() {
		return (this.listener != null)
				? new NodeStatus(NodeStatus.State.VOTING, "", Duration.ZERO, "run", null, OptionalLong.empty())
				: NodeStatus.of(NodeStatus.State.DOWN, "stopped");
	}

	@Override
	public void start(NodeListener listener) {
		this.listener = listener;
		listener.onConnected(this);
	}

	@Override
	public void submit(NodeCommand command, int slot, ReplyHandler handler) {
		NodeListener listener = this.listener;
		if (listener == null) {
			handler.onReply(slot, new NodeReply.Failed(NodeReply.Failed.Cause.NOT_SENT, "stopped"));
			return;
		}
		List<String> messages = new ArrayList<>();
		NodeReply reply = run(command, messages);
		messages.forEach((message) -> listener.onMessage(this, message));
		handler.onReply(slot, reply);
	}

	private synchronized NodeReply run(NodeCommand command, List<String> messages) {
		ScriptCall first = ScriptCall.first(command, KEYS);
		NodeReply reply = run(first, command);
		if (ScriptReply.isPartial(first.script(), reply)) {
			reply = run(ScriptCall.of(command, KEYS), command);
		}
		messages.addAll(this.published);
		this.published.clear();
		return reply;
	}

	private NodeReply run(ScriptCall call, NodeCommand command) {
		return ScriptReply.of(command,
				this.redis.eval(new SimulatedRedis.Call(call.script(), call.keys(), call.args()), command.attempt()),
				true);
	}

	@Override
	public void listen(String instance) {
		this.channel = KEYS.instanceChannel(instance);
		NodeListener listener = this.listener;
		if (listener != null) {
			listener.onListening(this);
		}
	}

	@Override
	public void stop() {
		this.listener = null;
	}

	@Override
	public long micros() {
		return System.currentTimeMillis() * 1_000;
	}

	@Override
	public int publish(String channel, String message) {
		if (!channel.equals(this.channel)) {
			return 0;
		}
		this.published.add(message);
		return 1;
	}

	@Override
	public void changing(SimulatedRedis.Key key, Object other) {
	}

}
