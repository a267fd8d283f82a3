package io.quorlock.memory;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;

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

	/** Of the layout of the client, 0 without (R23). */
	private final int version;

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
		this(name, new InMemoryStore(clock), replyExecutor, 0);
	}

	private InMemoryLockNode(String name, InMemoryStore store, Executor replyExecutor, int version) {
		this.name = name;
		this.store = store;
		this.replyExecutor = replyExecutor;
		this.version = version;
	}

	/**
	 * Return the same node as a client with a layout reaches it (R23).
	 * @param version the version of the layout
	 * @return a node with the same keys, for one client
	 */
	public InMemoryLockNode withLayout(int version) {
		return new InMemoryLockNode(this.name, this.store, this.replyExecutor, version);
	}

	/**
	 * Refuse clients with older layouts.
	 * @param version the least version that the node serves; it is never lowered
	 */
	public void seal(int version) {
		this.store.lock().lock();
		try {
			this.store.seal(version);
		}
		finally {
			this.store.lock().unlock();
		}
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
		Map<String, String> announced = new LinkedHashMap<>();
		NodeReply reply;
		this.store.lock().lock();
		try {
			reply = this.store.execute(command, this.version, announced);
			announced.keySet().retainAll(this.watched);
			if (command instanceof OperatorCommand.RequestRelease) {
				reply = new NodeReply.Released(true, announced.size());
			}
		}
		finally {
			this.store.lock().unlock();
		}
		NodeReply result = reply;
		this.replyExecutor.execute(() -> {
			handler.onReply(slot, result);
			announced.forEach((name, text) -> listener.onAnnounced(this, name, text));
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
