package io.quorlock.quorum;

import io.quorlock.quorum.node.NodeCommand;
import io.quorlock.quorum.node.NodeReply;
import io.quorlock.quorum.node.ReplyHandler;

/**
 * One command that is sent to several nodes, and the receiver of their replies.
 */
abstract class NodeRequest implements ReplyHandler {

	private final Messenger messenger;

	private final NodeCommand command;

	private final long sentNanos;

	NodeRequest(Messenger messenger, NodeCommand command, long sentNanos) {
		this.messenger = messenger;
		this.command = command;
		this.sentNanos = sentNanos;
	}

	final void submit(long slots) {
		this.messenger.submit(slots, this.command, this, this.sentNanos);
	}

	final void enqueue(long slots) {
		this.messenger.enqueue(slots, this.command, this, this.sentNanos);
	}

	@Override
	public final void onReply(int slot, NodeReply reply) {
		this.messenger.replied(slot, this.command, reply, this.sentNanos);
		received(slot, reply);
	}

	abstract void received(int slot, NodeReply reply);

	final long sentNanos() {
		return this.sentNanos;
	}

	@Override
	public String toString() {
		return this.command.describe();
	}

}
