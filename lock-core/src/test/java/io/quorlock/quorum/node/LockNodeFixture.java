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

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

import io.quorlock.quorum.node.NodeReply.Blocker;
import io.quorlock.quorum.node.NodeReply.Granted;
import io.quorlock.quorum.node.NodeReply.Inspected;
import io.quorlock.quorum.node.NodeReply.Refused;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A node, what it is sent, and what it says.
 */
abstract class LockNodeFixture {

	static final long LEASE = 20_000;

	static final long FENCE_LIFE = 60_000;

	static final String INSTANCE = "app@host:1:7f";

	final RecordingListener listener = new RecordingListener();

	LockNode node;

	/**
	 * Creates a node that is not started, in front of an empty store.
	 * @return the node
	 */
	protected abstract LockNode createNode();

	@BeforeEach
	void startNode() {
		this.node = createNode();
		this.node.start(this.listener);
		Awaitility.await()
			.atMost(Duration.ofSeconds(20))
			.until(() -> this.node.status().isVoting() && !this.listener.connected.isEmpty());
	}

	@AfterEach
	void stopNode() throws Exception {
		this.node.stop();
		closeStore();
	}

	/**
	 * Closes what the node needed, after it was stopped.
	 * @throws Exception if that fails
	 */
	protected void closeStore() throws Exception {
	}

	/**
	 * Returns whether the node knows if an instance listens to its channel.
	 * @return whether a release request says so
	 */
	protected boolean knowsListeners() {
		return true;
	}

	static NodeCommand read(String token, long proposed) {
		return new NodeCommand.Acquire(new CommandHeader(LockTarget.shared(List.of("order")), new Attempt(token)),
				LEASE, new long[] { proposed }, 16, FENCE_LIFE, null, 1);
	}

	/**
	 * Tickets of an instance that listens stand; others go as soon as they are offered
	 * something.
	 */
	static Ticket ticket(LockTarget target, long stamp, String claim) {
		return ticket(target, stamp, 5_000, claim);
	}

	static Ticket ticket(LockTarget target, long stamp, long patience, String claim) {
		return Ticket.of(stamp, target, patience, INSTANCE + ":" + claim).living(LEASE);
	}

	static NodeCommand queued(LockTarget permits, long stamp, String token) {
		return new NodeCommand.Acquire(new CommandHeader(permits, new Attempt(token)), LEASE, null, 1, 0,
				ticket(permits, stamp, token), 1);
	}

	static void assertGranted(NodeReply reply, int permit, @Nullable Long fence) {
		assertThat(reply).isInstanceOfSatisfying(Granted.class, (granted) -> {
			assertThat(granted.permit()).isEqualTo(permit);
			assertThat(granted.fences()).isEqualTo((fence != null) ? new long[] { fence } : null);
		});
	}

	static NodeCommand forceRelease(int permit, String... owners) {
		return new OperatorCommand.ForceRelease("order", permit, Set.of(owners));
	}

	static NodeCommand permit(String token, int hint, @Nullable Long proposed) {
		return permit(LockTarget.permits("order", 2), token, hint, proposed);
	}

	static NodeCommand permit(LockTarget target, String token, int hint, @Nullable Long proposed) {
		long[] fences = (proposed != null) ? new long[] { proposed } : null;
		return new NodeCommand.Acquire(new CommandHeader(target, new Attempt(token)), LEASE, fences, 16, FENCE_LIFE,
				null, hint);
	}

	static NodeCommand raise(LockTarget target, String token, long fence) {
		return new NodeCommand.Raise(new CommandHeader(target, new Attempt(token)), new long[] { fence, fence },
				FENCE_LIFE, 0);
	}

	static NodeCommand shared(LockTarget target, String token, long lease) {
		return new NodeCommand.Acquire(new CommandHeader(target, new Attempt(token)), lease, null, 1, 0, null, 1);
	}

	static NodeCommand renewal(LockTarget target, String token, long lease, boolean shorten, @Nullable Long fence) {
		return new NodeCommand.Renew(new CommandHeader(target, new Attempt(token)), lease, shorten,
				(fence != null) ? new long[] { fence } : null, (fence != null) ? FENCE_LIFE : 0, true, 0);
	}

	void listen() throws InterruptedException {
		this.node.listen(INSTANCE);
		this.node.flush();
		assertThat(this.listener.listening.poll(20, TimeUnit.SECONDS)).isNotNull();
	}

	InstanceMessage message() throws InterruptedException {
		InstanceMessage message = this.listener.messages.poll(20, TimeUnit.SECONDS);
		assertThat(message).isNotNull();
		return message;
	}

	/** In any order: some drivers receive messages on several threads. */
	void assertMessages(InstanceMessage... expected) throws InterruptedException {
		List<InstanceMessage> received = new ArrayList<>();
		while (received.size() < expected.length) {
			received.add(message());
		}
		assertThat(received).containsExactlyInAnyOrder(expected);
	}

	static NodeCommand claim(LockTarget target, Ticket ticket) {
		return new NodeCommand.Acquire(new CommandHeader(target, new Attempt(ticket.text())), LEASE, null, 1, 0, ticket,
				1);
	}

	static InstanceMessage offer(Ticket ticket, String name) {
		return new InstanceMessage.Offer(ticket.text(), name);
	}

	static NodeCommand fencedClaim(LockTarget target, long proposed) {
		long[] fences = new long[target.names().size()];
		Arrays.fill(fences, proposed);
		return new NodeCommand.Acquire(new CommandHeader(target, new Attempt("claim")), LEASE, fences, 1, FENCE_LIFE,
				ticket(target, 1, "claim"), 1);
	}

	NodeReply acquire(String token, long proposed, String... names) {
		long[] fences = new long[names.length];
		Arrays.fill(fences, proposed);
		return send(new NodeCommand.Acquire(List.of(names), new Attempt(token), LEASE, fences, 1, FENCE_LIFE));
	}

	NodeReply renew(String token, long lease, boolean shorten, String... names) {
		return send(TestCommands.renew(List.of(names), new Attempt(token), lease, shorten, null, 0));
	}

	NodeReply raise(String token, long fence) {
		return send(TestCommands.raise(List.of("order"), new Attempt(token), new long[] { fence }, FENCE_LIFE));
	}

	NodeReply release(String token, long cooldown, String... names) {
		return send(new NodeCommand.Release(List.of(names), new Attempt(token), cooldown));
	}

	NodeReply release(LockTarget target, String token) {
		return send(new NodeCommand.Release(new CommandHeader(target, new Attempt(token)), 0));
	}

	static long @Nullable [] votes(NodeReply reply) {
		return ((Granted) reply).fences();
	}

	static List<@Nullable String> owners(Refused refused) {
		List<@Nullable String> owners = new ArrayList<>();
		refused.blockers()
			.forEach((blocker) -> owners.add((blocker instanceof Blocker.Owner owner) ? owner.value()
					: (blocker != null) ? blocker.getClass().getSimpleName() : null));
		return owners;
	}

	static Refused refused(NodeReply reply) {
		return (Refused) reply;
	}

	Inspected inspect(String name) {
		return (Inspected) send(new OperatorCommand.Inspect(name));
	}

	@Nullable String ownerOf(String name) {
		List<Inspected.Holder> holders = inspect(name).holders();
		return holders.isEmpty() ? null : holders.get(0).owner();
	}

	long remaining(String name) {
		return inspect(name).holders().get(0).remainingMillis();
	}

	void awaitFree(String name) {
		Awaitility.await().atMost(Duration.ofSeconds(20)).until(() -> inspect(name).holders().isEmpty());
	}

	NodeReply send(NodeCommand command) {
		CompletableFuture<NodeReply> future = new CompletableFuture<>();
		this.node.submit(command, 3, (slot, reply) -> {
			if (slot != 3 || !future.complete(reply)) {
				throw new IllegalStateException("A second or misdirected reply: " + reply);
			}
		});
		return future.orTimeout(20, TimeUnit.SECONDS).join();
	}

	static final class RecordingListener implements NodeListener {

		final LinkedBlockingQueue<LockNode> connected = new LinkedBlockingQueue<>();

		final LinkedBlockingQueue<InstanceMessage> messages = new LinkedBlockingQueue<>();

		final LinkedBlockingQueue<LockNode> listening = new LinkedBlockingQueue<>();

		volatile Runnable onMessage = () -> {
		};

		@Override
		public void onConnected(LockNode node) {
			this.connected.add(node);
		}

		@Override
		public void onLists(LockNode node, List<OtherList> lists) {
		}

		@Override
		public void onMessage(LockNode node, InstanceMessage message) {
			this.messages.add(message);
			this.onMessage.run();
		}

		@Override
		public void onListening(LockNode node) {
			this.listening.add(node);
		}

	}

}
