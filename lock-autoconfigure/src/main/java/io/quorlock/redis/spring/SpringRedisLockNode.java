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

package io.quorlock.redis.spring;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.data.redis.connection.ClusterSlotHashUtil;
import org.springframework.data.redis.connection.RedisConnectionFactory;

import io.quorlock.LockKeyException;
import io.quorlock.LogText;
import io.quorlock.quorum.membership.NodeAdmission;
import io.quorlock.quorum.node.Attempt;
import io.quorlock.quorum.node.LockNode;
import io.quorlock.quorum.node.NodeCommand;
import io.quorlock.quorum.node.NodeListener;
import io.quorlock.quorum.node.NodeReply;
import io.quorlock.quorum.node.NodeReply.Failed;
import io.quorlock.quorum.node.NodeStatus;
import io.quorlock.quorum.node.NodeStatus.State;
import io.quorlock.quorum.node.ReplyHandler;
import io.quorlock.redis.LockScript;
import io.quorlock.redis.RedisKeys;
import io.quorlock.redis.RespError;
import io.quorlock.redis.ScriptCall;
import io.quorlock.redis.ScriptReply;
import io.quorlock.redis.client.EvictionPolicy.NodeEviction;
import io.quorlock.time.LockClock;

/**
 * One node over a {@link RedisConnectionFactory}: a single server, Sentinel or a Cluster.
 * <p>
 * Unlike an independent node of a quorum it knows no quarantine after a restart: a server
 * that restarts empty, or a replica that takes over before it has heard of a lock, gives
 * the lock away a second time.
 *
 * @since 0.1.0
 */
public final class SpringRedisLockNode implements LockNode {

	private static final Log logger = LogFactory.getLog(SpringRedisLockNode.class);

	private static final long STOP_MILLIS = 500;

	/** The rights may be corrected meanwhile. */
	private static final long REFUSED_PAUSE_MILLIS = 10_000;

	private static final long FAILED_PAUSE_MILLIS = 1_000;

	private static final long PROBE_LEASE_MILLIS = 1_000;

	/** Nothing else keeps callers from filling the memory while a driver hangs. */
	private static final int MAX_PENDING = 32_768;

	private final String name;

	private final boolean cluster;

	private final RedisLink link;

	private final RedisKeys keys;

	private final ReplicaConfirmation replicas;

	private final ReentrantLock order = new ReentrantLock();

	private final AtomicInteger inFlight = new AtomicInteger();

	private volatile @Nullable String channel;

	private volatile CompletionStage<?> lastReply = CompletableFuture.completedFuture("none");

	private final LinkHealth health;

	private final LockClock clock;

	private volatile @Nullable Running running;

	/**
	 * Create a node that is not started and votes whenever it replies.
	 * @param factory leads to the Redis
	 * @param keys the keys of locks
	 * @param waitReplicas how many replicas must confirm a lock; 0 for none
	 * @param waitTimeout how long they may take
	 * @param clock the engine's clock
	 */
	public SpringRedisLockNode(RedisConnectionFactory factory, RedisKeys keys, int waitReplicas, Duration waitTimeout,
			LockClock clock) {
		this(factory, keys, waitReplicas, waitTimeout, clock, NodeEviction.WARN, Duration.ZERO);
	}

	/**
	 * Create a node that is not started.
	 * @param factory leads to the Redis
	 * @param keys the keys of locks
	 * @param waitReplicas how many replicas must confirm a lock; 0 for none
	 * @param waitTimeout how long they may take
	 * @param clock the engine's clock
	 * @param eviction what is to happen if it evicts keys
	 * @param quarantine for how long it does not vote once it evicts none any more
	 */
	public SpringRedisLockNode(RedisConnectionFactory factory, RedisKeys keys, int waitReplicas, Duration waitTimeout,
			LockClock clock, NodeEviction eviction, Duration quarantine) {
		this.clock = clock;
		RedisTopology topology = RedisTopology.of(factory);
		this.name = topology.name();
		this.cluster = topology.kind() == RedisTopology.Kind.CLUSTER;
		this.health = new LinkHealth(topology, eviction, clock, new NodeAdmission(quarantine, 0, true));
		this.link = RedisTopology.isLettuce(factory) ? LettuceLink.of(factory, topology, waitReplicas > 0)
				: new BlockingLink(factory, clock);
		this.keys = keys;
		this.replicas = new ReplicaConfirmation(this.link, waitReplicas, waitTimeout);
	}

	@Override
	public String name() {
		return this.name;
	}

	@Override
	public NodeStatus status() {
		Running running = this.running;
		return (running != null) ? this.health.status(running) : NodeStatus.of(State.DOWN, this.health.down());
	}

	/**
	 * Return what is worth knowing of a node that may well vote.
	 * @return the note; empty if there is none
	 */
	public String note() {
		Running running = this.running;
		return LogText.remarks(this.health.note(), (running != null) ? running.note() : "");
	}

	@Override
	public void start(NodeListener listener) {
		Running running = new Running(listener);
		this.health.onDown("connecting");
		this.running = running;
		running.start();
	}

	@Override
	public void submit(NodeCommand command, int slot, ReplyHandler handler) {
		Running running = this.running;
		// A release may have to follow an acquire that is still in the driver.
		boolean release = command instanceof NodeCommand.Release;
		String down = this.health.down();
		if (down.isEmpty() && running != null) {
			down = running.silence();
		}
		if (running == null || !running.isOpen() || (!down.isEmpty() && !release)) {
			handler.onReply(slot, new Failed(Failed.Cause.NOT_SENT, down));
		}
		else if (this.inFlight.get() >= (release ? 2 * MAX_PENDING : MAX_PENDING)) {
			handler.onReply(slot, new Failed(Failed.Cause.NOT_SENT, "too many pending commands"));
		}
		else {
			// A shortening is not sent again, should the server lack the script.
			boolean whole = command instanceof NodeCommand.Renew renew && renew.shorten();
			Sending sending = new Sending(command, ScriptCall.first(command, this.keys), whole, null);
			this.inFlight.incrementAndGet();
			CompletionStage<NodeReply> reply = send(sending);
			this.lastReply = reply;
			reply.whenComplete((result, failure) -> {
				this.inFlight.decrementAndGet();
				NodeReply outcome = (failure != null) ? failed(command, failure) : result;
				this.health.onReply(command, outcome);
				handler.onReply(slot, outcome);
			});
		}
	}

	/** Look for a lock that nobody else uses, in a Cluster in the slot that failed. */
	private void probe(String suspect) {
		String name;
		do {
			name = "probe:" + Long.toUnsignedString(ThreadLocalRandom.current().nextLong(), Character.MAX_RADIX);
		}
		while (slotOf(name) != slotOf(suspect));
		List<String> names = List.of(name);
		Attempt attempt = new Attempt(name + ":1");
		NodeCommand acquire = new NodeCommand.Acquire(names, attempt, PROBE_LEASE_MILLIS, null, 1, 0);
		send(new Sending(acquire, ScriptCall.of(acquire, this.keys), false, null)).whenComplete((reply, failure) -> {
			this.health.onProbe((failure != null) ? failed(acquire, failure) : reply);
			NodeCommand release = new NodeCommand.Release(names, attempt, 0);
			send(new Sending(release, ScriptCall.of(release, this.keys), false, null));
		});
	}

	@Override
	public void check(List<String> names) {
		for (String name : names) {
			if (this.cluster && slotOf(name) != slotOf(names.get(0))) {
				throw new LockKeyException(
						("Locks '%s' and '%s' are in different slots of the Redis Cluster, so that they cannot be locked "
								+ "together. Lock one name for both, or list independent nodes in distributed-lock.nodes")
							.formatted(names.get(0), name));
			}
		}
	}

	private int slotOf(String name) {
		return ClusterSlotHashUtil.calculateSlot(this.keys.lockKey(name));
	}

	/** Send a command, and once more if its reply asks for another form of it. */
	private CompletionStage<NodeReply> send(Sending sending) {
		CompletionStage<NodeReply> reply = runInOrder(sending);
		return reply.handle((result, failure) -> {
			if (failure == null && ScriptReply.isPartial(sending.call().script(), result)) {
				return send(sending.inFull(this.keys, result));
			}
			if (failure != null && !sending.whole() && RedisErrors.error(failure).isNoScript()) {
				return send(sending.withScript());
			}
			if (failure != null && RedisErrors.error(failure).isOfMove() && sending.call().script() == LockScript.RENEW
					&& sending.call().keys().length > sending.command().names().size()) {
				return send(sending.ofLocks(this.keys));
			}
			return reply;
		}).thenCompose(Function.identity());
	}

	/** No handler is called in here: it may wait for a thread that waits to send. */
	private CompletionStage<NodeReply> runInOrder(Sending sending) {
		this.order.lock();
		try {
			NodeReply otherwise = sending.otherwise();
			if (otherwise != null && !sending.command().isResendable()) {
				return CompletableFuture.completedFuture(otherwise);
			}
			return run(sending);
		}
		catch (RuntimeException | Error ex) {
			return CompletableFuture.failedFuture(ex);
		}
		finally {
			this.order.unlock();
		}
	}

	private CompletionStage<NodeReply> run(Sending sending) {
		NodeCommand command = sending.command();
		ScriptCall call = sending.call();
		boolean voting = this.health.isVoting();
		CompletionStage<NodeReply> reply = this.link.run(call, command.attempt(), sending.whole())
			.thenApply((raw) -> ScriptReply.publish(raw, this::publish))
			.thenApply((raw) -> ScriptReply.of(command, raw, voting));
		return this.replicas.isRequired()
				? reply.thenCompose((result) -> (result instanceof NodeReply.Granted)
						? this.replicas.confirm(result, call.keys()[0]) : CompletableFuture.completedFuture(result))
				: reply;
	}

	/**
	 * The reply counts all the same. Whoever waits for the message asks by itself, later.
	 */
	private void publish(byte[] channel, byte[] text) {
		try {
			this.link.publish(channel, text);
		}
		catch (RuntimeException ex) {
			logger.debug("A message was not published", ex);
		}
	}

	private NodeReply failed(NodeCommand command, Throwable failure) {
		RespError error = RedisErrors.error(failure);
		return error.isOfKeys() ? new Failed(Failed.Cause.ERROR, error.describe(command.target(), this.keys))
				: RedisErrors.toReply(failure);
	}

	@Override
	public void listen(String instance) {
		String before = this.channel;
		String wanted = this.keys.instanceChannel(instance);
		this.channel = wanted;
		Running running = this.running;
		if (running != null && running.isOpen() && !wanted.equals(before)) {
			// It has a connection of its own, on which it would overtake the commands.
			this.lastReply.whenComplete((reply, failure) -> running.subscribeSoon(wanted));
		}
	}

	@Override
	public void stop() {
		Running running = this.running;
		this.running = null;
		if (running != null) {
			long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(STOP_MILLIS);
			while (this.inFlight.get() > 0 && deadline - System.nanoTime() > 0) {
				LockSupport.parkNanos(1_000_000);
			}
			running.stop(deadline);
			this.health.onDown("stopped");
		}
	}

	/**
	 * What there is from a start to the stop.
	 */
	private final class Running extends LinkMonitor implements ChannelSubscription.Listener {

		private final SpringRedisLockNode node = SpringRedisLockNode.this;

		private final NodeListener listener;

		private volatile @Nullable ChannelSubscription subscription;

		private volatile String logged = "";

		Running(NodeListener listener) {
			super(SpringRedisLockNode.this.link, SpringRedisLockNode.this.clock, SpringRedisLockNode.this.health);
			this.listener = listener;
		}

		private boolean isStopped() {
			return this.node.running != this;
		}

		@Override
		void onOpen() {
			unsubscribe(); // it may lead elsewhere
			subscribeAgain();
		}

		@Override
		void onUp() {
			if (isStopped()) {
				return;
			}
			ChannelSubscription subscription = this.subscription;
			if (subscription != null) {
				subscription.check();
			}
			if (this.node.health.onConnection("", this)) {
				this.listener.onConnected(this.node);
			}
			String suspect = this.node.health.suspect();
			if (suspect != null) {
				probe(suspect);
			}
		}

		@Override
		void onDown(String reason) {
			if (!isStopped()) {
				this.node.health.onConnection(reason, this);
			}
		}

		private void subscribeAgain() {
			String channel = this.node.channel;
			if (channel != null) {
				subscribeSoon(channel);
			}
		}

		private void subscribeSoon(String channel) {
			execute(() -> subscribe(channel), 0);
		}

		private void subscribe(String channel) {
			ChannelSubscription before = this.subscription;
			if (isStopped() || !channel.equals(this.node.channel) || (before != null && before.isFor(channel))) {
				return;
			}
			unsubscribe();
			ChannelSubscription subscription = new ChannelSubscription(this.node.link::openSubscription, channel, this);
			this.subscription = subscription;
			subscription.start();
		}

		private void unsubscribe() {
			ChannelSubscription subscription = this.subscription;
			this.subscription = null;
			if (subscription != null) {
				subscription.close();
			}
		}

		@Override
		public void onSubscribed() {
			this.logged = "";
			this.listener.onListening(this.node);
		}

		@Override
		public void onFailure(Throwable failure) {
			String reason = RedisErrors.describe(failure);
			boolean refused = reason.matches("(NOPERM|ERR) .*"); // others, as BUSY, pass
			if (refused && !reason.equals(this.logged)) {
				this.logged = reason;
				logger.warn("Lock " + note() + "; let the user of the connections subscribe to it");
			}
			execute(this::subscribeAgain, refused ? REFUSED_PAUSE_MILLIS : FAILED_PAUSE_MILLIS);
		}

		String note() {
			return this.logged.isEmpty() ? "" : "claims of this instance are not notified of offers, and wait longer: "
					+ this.logged + " for channel " + LogText.bounded(String.valueOf(this.node.channel));
		}

		@Override
		public void onMessage(String message) {
			this.listener.onMessage(this.node, message);
		}

		void stop(long deadline) {
			stop();
			ChannelSubscription subscription = this.subscription;
			unsubscribe();
			if (subscription != null) {
				subscription.awaitEnd(deadline - System.nanoTime());
			}
		}

	}

	/**
	 * A command on its way.
	 *
	 * @param whole whether the script is sent with it
	 * @param otherwise the reply if a later command of the attempt may have been sent;
	 * {@code null} when this one is sent for the first time
	 */
	private record Sending(NodeCommand command, ScriptCall call, boolean whole, @Nullable NodeReply otherwise) {

		Sending withScript() {
			return new Sending(this.command, this.call, true, new Failed(Failed.Cause.ERROR,
					"a script was missing, and a later command of the attempt may have been sent"));
		}

		Sending ofLocks(RedisKeys keys) {
			return new Sending(this.command, ScriptCall.ofLocks((NodeCommand.Renew) this.command, keys), this.whole,
					new Failed(Failed.Cause.ERROR,
							"the lock's slot is moved, and a later command of the attempt may have been sent"));
		}

		Sending inFull(RedisKeys keys, NodeReply partial) {
			return new Sending(this.command, ScriptCall.of(this.command, keys), false, partial);
		}

	}

}
