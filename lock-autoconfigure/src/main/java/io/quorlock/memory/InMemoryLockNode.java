package io.quorlock.memory;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.ReentrantLock;

import org.jspecify.annotations.Nullable;

import io.quorlock.engine.EngineClock;
import io.quorlock.quorum.node.LockNode;
import io.quorlock.quorum.node.NodeCommand;
import io.quorlock.quorum.node.NodeListener;
import io.quorlock.quorum.node.NodeReply;
import io.quorlock.quorum.node.NodeReply.Failed;
import io.quorlock.quorum.node.NodeStatus;
import io.quorlock.quorum.node.NodeStatus.State;
import io.quorlock.quorum.node.OperatorCommand;
import io.quorlock.quorum.node.ReplyHandler;

/**
 * A node that keeps its keys in this process. Each command is atomic, as a script of
 * Redis is.
 *
 * @since 0.1.0
 */
public final class InMemoryLockNode implements LockNode {

	private final String name;

	private final InMemoryStore store;

	private final Executor replyExecutor;

	private final ReentrantLock lock = new ReentrantLock();

	private final Set<String> watched = ConcurrentHashMap.newKeySet();

	private volatile @Nullable NodeListener listener;

	/**
	 * Create a node that replies on the submitting thread.
	 * @param name the node's name
	 * @param clock by which keys expire
	 */
	public InMemoryLockNode(String name, EngineClock clock) {
		this(name, clock, Runnable::run);
	}

	/**
	 * Create a node.
	 * @param name the node's name
	 * @param clock by which keys expire
	 * @param replyExecutor runs the reply handlers, in order
	 */
	public InMemoryLockNode(String name, EngineClock clock, Executor replyExecutor) {
		this.name = name;
		this.store = new InMemoryStore(clock);
		this.replyExecutor = replyExecutor;
	}

	@Override
	public String name() {
		return this.name;
	}

	@Override
	public NodeStatus status() {
		return (this.listener != null)
				? new NodeStatus(State.VOTING, "", Duration.ZERO, this.name, null, OptionalLong.empty())
				: NodeStatus.of(State.DOWN, "stopped");
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
			handler.onReply(slot, new Failed(Failed.Cause.NOT_SENT, "stopped"));
			return;
		}
		Map<String, String> released = new LinkedHashMap<>();
		NodeReply reply;
		this.lock.lock();
		try {
			reply = this.store.execute(command, released);
			released.keySet().retainAll(this.watched);
			if (command instanceof OperatorCommand.RequestRelease) {
				reply = new NodeReply.Released(true, released.size());
			}
		}
		finally {
			this.lock.unlock();
		}
		NodeReply result = reply;
		this.replyExecutor.execute(() -> {
			handler.onReply(slot, result);
			released.forEach((free, first) -> listener.onReleased(this, free, first));
		});
	}

	@Override
	public void watch(String name) {
		this.watched.add(name);
		NodeListener listener = this.listener;
		if (listener != null) {
			listener.onWatching(this, name);
		}
	}

	@Override
	public void unwatch(String name) {
		this.watched.remove(name);
	}

	@Override
	public void stop() {
		this.listener = null;
	}

}
