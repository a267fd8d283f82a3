package io.quorlock.engine;

import java.time.Duration;
import java.util.OptionalLong;

import org.jspecify.annotations.Nullable;

import io.quorlock.quorum.node.InstanceMessage;
import io.quorlock.quorum.node.LockNode;
import io.quorlock.quorum.node.NodeCommand;
import io.quorlock.quorum.node.NodeListener;
import io.quorlock.quorum.node.NodeReply;
import io.quorlock.quorum.node.NodeStatus;
import io.quorlock.quorum.node.ReplyHandler;

/**
 * A node that can be cut off, or put into quarantine.
 */
public final class SwitchableNode implements LockNode {

	private final LockNode node;

	private volatile boolean silent;

	private volatile @Nullable NodeStatus status;

	public SwitchableNode(LockNode node) {
		this.node = node;
	}

	/** From now on it swallows commands without an answer, while it seems well. */
	public void silence() {
		this.silent = true;
	}

	/** From now on it is down. */
	public void cutOff() {
		this.status = NodeStatus.of(NodeStatus.State.DOWN, "connection refused");
	}

	public void quarantine(Duration votesIn) {
		this.status = new NodeStatus(NodeStatus.State.QUARANTINED, "restarted empty", votesIn, "run-2", "7.0.15",
				OptionalLong.empty());
	}

	@Override
	public String name() {
		return this.node.name();
	}

	@Override
	public NodeStatus status() {
		NodeStatus status = this.status;
		return (status != null) ? status : withClock(this.node.status());
	}

	/** A node in memory does not tell its clock, as servers do. */
	private static NodeStatus withClock(NodeStatus status) {
		SystemClock clock = new SystemClock();
		return new NodeStatus(status.state(), status.reason(), status.votesIn(), status.runId(), status.version(),
				OptionalLong.of(clock.wallMicros() - clock.nanoTime() / 1_000));
	}

	@Override
	public void start(NodeListener listener) {
		this.node.start(new NodeListener() {

			@Override
			public void onConnected(LockNode node) {
				listener.onConnected(SwitchableNode.this);
			}

			@Override
			public void onReleased(LockNode node, String name, String first) {
				listener.onReleased(SwitchableNode.this, name, first);
			}

			@Override
			public void onInstanceMessage(LockNode node, InstanceMessage message) {
				listener.onInstanceMessage(SwitchableNode.this, message);
			}

			@Override
			public void onWatching(LockNode node, String name) {
				listener.onWatching(SwitchableNode.this, name);
			}

		});
	}

	@Override
	public void submit(NodeCommand command, int slot, ReplyHandler handler) {
		NodeStatus status = this.status;
		if (status != null && status.state() == NodeStatus.State.DOWN) {
			handler.onReply(slot, new NodeReply.Failed(NodeReply.Failed.Cause.NOT_SENT, status.reason()));
		}
		else if (!this.silent) {
			this.node.submit(command, slot, handler);
		}
	}

	@Override
	public void watch(String name) {
		this.node.watch(name);
	}

	@Override
	public void unwatch(String name) {
		this.node.unwatch(name);
	}

	@Override
	public void flush() {
		this.node.flush();
	}

	@Override
	public void stop() {
		this.node.stop();
	}

}
