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

import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;

import org.jspecify.annotations.Nullable;

import io.quorlock.quorum.node.JointRenewal;
import io.quorlock.quorum.node.JointRenewal.Member;
import io.quorlock.quorum.node.NodeCommand;
import io.quorlock.quorum.node.NodeReply;
import io.quorlock.quorum.node.NodeReply.Failed;
import io.quorlock.quorum.node.NodeReply.Failed.Cause;
import io.quorlock.quorum.node.ReplyHandler;
import io.quorlock.redis.LockScript;
import io.quorlock.redis.RedisKeys;
import io.quorlock.redis.RespError;
import io.quorlock.redis.RespReader;
import io.quorlock.redis.ScriptCall;
import io.quorlock.redis.ScriptReply;

/**
 * Renewals on their way to one node that share a command. What fails it fails it for all
 * of them.
 */
final class JointCommand extends PendingCommand {

	private final JointRenewal joint;

	private final int slot;

	private final Pipeline pipeline;

	private final NodeHealth health;

	private final RedisKeys keys;

	private final boolean again;

	private boolean voting;

	JointCommand(JointRenewal joint, int slot, Pipeline pipeline, NodeHealth health, RedisKeys keys) {
		this(joint, slot, pipeline, health, keys, false);
	}

	private JointCommand(JointRenewal joint, int slot, Pipeline pipeline, NodeHealth health, RedisKeys keys,
			boolean again) {
		super(bytes(joint, keys));
		this.joint = joint;
		this.slot = slot;
		this.pipeline = pipeline;
		this.health = health;
		this.keys = keys;
		this.again = again;
	}

	/** Encoded once for all nodes. */
	private static byte[] bytes(JointRenewal joint, RedisKeys keys) {
		if (joint.encodedForm() instanceof byte[] bytes) {
			return bytes;
		}
		byte[] bytes = RespEncoder.evalsha(ScriptCall.ofAll(joint.commands(), keys));
		joint.encodedForm(bytes);
		return bytes;
	}

	@Override
	void onQueued(long nowNanos) {
		super.onQueued(nowNanos);
		this.voting = this.health.isVoting(); // as in LockCommand
	}

	@Override
	boolean isUrgent() {
		return false;
	}

	@Override
	RespReader.Limits limits() {
		return ScriptReply.limits(this.joint.members().size());
	}

	@Override
	void onReply(@Nullable Object reply) {
		if (!(reply instanceof RespError error)) {
			if (reply instanceof List<?> list && list.size() == this.joint.members().size()) {
				this.health.onReply(queuedNanos());
			}
			else {
				this.health.onOddReply(LockCommand.ODD);
			}
			deliver(this.joint.members(), ScriptReply.ofAll(this.joint.commands(), reply, this.voting, this.keys)::get);
		}
		else if (error.isNoScript() && !this.again) {
			sendAgain();
		}
		else {
			String message = error.describe();
			this.health.onError();
			fail(this.joint.members(), Cause.ERROR, message);
			if (error.isUnusable()) {
				this.health.onUnusable(error);
				this.pipeline.close(message);
			}
		}
	}

	/** Without those of which a later command may have been sent. */
	private void sendAgain() {
		String later = "a script was missing, and a later command of the attempt may have been sent";
		List<Member> left = new ArrayList<>();
		List<Member> superseded = new ArrayList<>();
		this.joint.members().forEach((member) -> (member.command().isResendable() ? left : superseded).add(member));
		fail(superseded, Cause.ERROR, later);
		if (!left.isEmpty()) {
			JointRenewal again = new JointRenewal(left);
			this.pipeline.submitIf(() -> again.commands().stream().allMatch(NodeCommand::isResendable), later,
					PendingCommand.loading(LockScript.RENEW_ALL),
					new JointCommand(again, this.slot, this.pipeline, this.health, this.keys, true));
		}
	}

	@Override
	void onFailure(Cause cause, String reason) {
		fail(this.joint.members(), (this.again && cause == Cause.NOT_SENT) ? Cause.ERROR : cause, reason);
	}

	private void fail(List<Member> members, Cause cause, String reason) {
		NodeReply failed = new Failed(cause, reason);
		deliver(members, (index) -> failed);
	}

	private void deliver(List<Member> members, IntFunction<NodeReply> replies) {
		for (int i = 0; i < members.size(); i++) {
			ReplyHandler handler = members.get(i).handler();
			NodeReply reply = replies.apply(i);
			call(() -> handler.onReply(this.slot, reply));
		}
	}

}
