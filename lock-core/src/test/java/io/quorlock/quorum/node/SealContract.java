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
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import io.quorlock.quorum.node.NodeReply.Done;
import io.quorlock.quorum.node.NodeReply.Granted;
import io.quorlock.quorum.node.NodeReply.Inspected;
import io.quorlock.quorum.node.NodeReply.Refused;
import io.quorlock.quorum.node.NodeReply.Released;
import io.quorlock.quorum.node.NodeReply.Sealed;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What every node must do that names can move from (R23).
 */
public abstract class SealContract {

	private static final int OLD = 3;

	private static final int SEAL = 4;

	private static final int NEW = 5;

	private static final long LEASE = 20_000;

	private static final LockTarget ORDER = LockTarget.exclusive(List.of("order"));

	private static final LockTarget SEVERAL = LockTarget.exclusive(List.of("a", "b"));

	private static final LockTarget SHARED = LockTarget.shared(List.of("shared"));

	private static final LockTarget PERMITS = LockTarget.permits("permits", 2);

	private final List<LockNode> nodes = new ArrayList<>();

	private LockNode old;

	private LockNode moving;

	private LockNode without;

	/**
	 * Creates a node that is not started, in front of the store of this test.
	 * @param version the version of the client's layout, 0 without
	 * @return the node
	 */
	protected abstract LockNode createNode(int version);

	/**
	 * Seals the store.
	 * @param version the least version that it serves
	 */
	protected abstract void seal(int version);

	@BeforeEach
	void start() {
		this.old = start(createNode(OLD));
		this.moving = start(createNode(SEAL));
		this.without = start(createNode(0));
	}

	private LockNode start(LockNode node) {
		this.nodes.add(node);
		node.start(new IdleNodeListener());
		Awaitility.await().atMost(Duration.ofSeconds(20)).until(() -> node.status().isVoting());
		return node;
	}

	@AfterEach
	void stop() {
		this.nodes.forEach(LockNode::stop);
	}

	@Test
	void everyVersionIsServedWithoutASeal() {
		for (LockNode node : this.nodes) {
			Attempt attempt = new Attempt(node.toString());
			assertThat(acquire(node, ORDER, attempt)).isInstanceOf(Granted.class);
			assertThat(send(node, new NodeCommand.Release(header(ORDER, attempt), 0))).isInstanceOf(Released.class);
		}
	}

	@Test
	void olderVersionLocksNothing() {
		seal(SEAL);
		for (LockTarget target : List.of(ORDER, SEVERAL, SHARED, PERMITS)) {
			NodeReply reply = acquire(this.old, target, new Attempt("old"));
			assertThat(reply).isEqualTo(new Sealed(OLD, SEAL));
			assertThat(reply.voting()).isFalse();
			assertThat(send(this.old,
					new NodeCommand.Acquire(header(target, new Attempt("old2")), LEASE, null, 1, 0, null, 1)))
				.isEqualTo(new Sealed(OLD, SEAL));
			target.names().forEach((name) -> assertThat(holders(name)).isEmpty());
		}
	}

	@Test
	void versionOfTheSealAndNewerOnesAreServed() {
		seal(SEAL);
		LockNode newest = start(createNode(NEW));
		for (LockNode node : List.of(this.moving, newest)) {
			for (LockTarget target : List.of(ORDER, SEVERAL, SHARED, PERMITS)) {
				Attempt attempt = new Attempt("new" + node.hashCode());
				NodeReply reply = acquire(node, target, attempt);
				assertThat(reply).isInstanceOf(Granted.class);
				assertThat(reply.voting()).isTrue();
				int permit = ((Granted) reply).permit();
				long[] fences = new long[target.names().size()];
				assertThat(send(node, new NodeCommand.Renew(header(target, attempt), LEASE, false, null, 0, permit)))
					.isEqualTo(new Done(true));
				Arrays.fill(fences, 100);
				assertThat(send(node, new NodeCommand.Raise(header(target, attempt), fences, LEASE, permit)))
					.isEqualTo(new Done(true));
				assertThat(send(node, new NodeCommand.Release(header(target, attempt), 0)))
					.isInstanceOf(Released.class);
			}
		}
	}

	@Test
	void olderHolderRenewsAndRaisesNothingButReleases() {
		for (LockTarget target : List.of(ORDER, SEVERAL, SHARED, PERMITS)) {
			acquire(this.old, target, new Attempt("holder"));
		}
		seal(SEAL);
		for (LockTarget target : List.of(ORDER, SEVERAL, SHARED, PERMITS)) {
			Attempt attempt = new Attempt("holder");
			String name = target.names().get(0);
			int permit = (target.kind() == LockTarget.Kind.PERMIT) ? 1 : 0;
			assertThat(send(this.old, new NodeCommand.Renew(header(target, attempt), 100_000, false, null, 0, permit)))
				.isEqualTo(new Sealed(OLD, SEAL));
			assertThat(holders(name)).hasSize(1)
				.allSatisfy((holder) -> assertThat(holder.remainingMillis()).isLessThanOrEqualTo(LEASE));
			long[] fences = new long[target.names().size()];
			Arrays.fill(fences, 1_000);
			assertThat(send(this.old, new NodeCommand.Raise(header(target, attempt), fences, LEASE, permit)))
				.isEqualTo(new Sealed(OLD, SEAL));
			assertThat(((Inspected) send(this.old, new OperatorCommand.Inspect(name))).fence()).isLessThan(1_000);
			assertThat(send(this.old, new NodeCommand.Release(header(target, attempt), 0)))
				.isInstanceOf(Released.class);
			assertThat(holders(name)).isEmpty();
		}
	}

	@Test
	void olderHolderIsInTheWayUntilItsLeaseEnds() {
		acquire(this.old, ORDER, new Attempt("holder"));
		seal(SEAL);
		assertThat(acquire(this.moving, ORDER, new Attempt("other"))).isInstanceOf(Refused.class);
	}

	@Test
	void clientWithoutAVersionIsNotRefused() {
		seal(SEAL);
		assertThat(acquire(this.without, ORDER, new Attempt("without"))).isInstanceOf(Granted.class);
	}

	@Test
	void sealIsNeverLowered() {
		seal(SEAL);
		seal(2);
		assertThat(acquire(this.old, ORDER, new Attempt("old"))).isEqualTo(new Sealed(OLD, SEAL));
	}

	@Test
	void refusalSaysWhatToDo() {
		assertThat(new Sealed(OLD, SEAL).message())
			.isEqualTo("this instance still runs layout version 3; the node is sealed at 4: deploy the new layout");
	}

	private static CommandHeader header(LockTarget target, Attempt attempt) {
		return new CommandHeader(target, attempt);
	}

	private static NodeReply acquire(LockNode node, LockTarget target, Attempt attempt) {
		long[] proposed = new long[target.names().size()];
		Arrays.fill(proposed, 5);
		return send(node, new NodeCommand.Acquire(header(target, attempt), LEASE, proposed, 1, 3 * LEASE, null, 1));
	}

	private List<Inspected.Holder> holders(String name) {
		return ((Inspected) send(this.old, new OperatorCommand.Inspect(name))).holders();
	}

	private static NodeReply send(LockNode node, NodeCommand command) {
		CompletableFuture<NodeReply> future = new CompletableFuture<>();
		node.submit(command, 0, (slot, reply) -> future.complete(reply));
		return future.orTimeout(20, TimeUnit.SECONDS).join();
	}

}
