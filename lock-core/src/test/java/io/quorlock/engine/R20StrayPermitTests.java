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

package io.quorlock.engine;

import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import io.quorlock.LockHandle;
import io.quorlock.LockRequest;
import io.quorlock.quorum.QuorumSettings;
import io.quorlock.quorum.node.NodeCommand;
import io.quorlock.quorum.node.NodeReply;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * R20: permits beside the one that was granted are not kept.
 */
@Timeout(60)
class R20StrayPermitTests {

	private static final LockRequest PERMIT = ScriptedCluster.ORDER.permits(2);

	private final ScriptedCluster cluster = new ScriptedCluster(3);

	private void grants(int slot, int permit) {
		ScriptedNode.Request request = this.cluster.nodes.get(slot).last();
		NodeCommand.Acquire acquire = (NodeCommand.Acquire) request.command();
		request.reply(new NodeReply.Granted(true, acquire.proposed(), permit));
	}

	private CompletableFuture<LockHandle> asked() {
		this.cluster.silence();
		CompletableFuture<LockHandle> lock = this.cluster.acquire(PERMIT);
		this.cluster.grant();
		return lock;
	}

	@Test
	void permitOfAMinorityIsDroppedBehindTheGrant() {
		CompletableFuture<LockHandle> lock = asked();
		grants(0, 2);
		grants(1, 1);
		grants(2, 1);
		assertThat(lock.join().permit()).isOne();
		assertThat(this.cluster.nodes.get(0).operations()).containsExactly("acquire", "drop");
		NodeCommand.Drop drop = (NodeCommand.Drop) this.cluster.nodes.get(0).last().command();
		assertThat(drop.permit()).as("the permit that is kept").isOne();
		assertThat(this.cluster.nodes.get(1).operations()).containsExactly("acquire");
		assertThat(this.cluster.nodes.get(2).operations()).containsExactly("acquire");
	}

	@Test
	void permitThatANodeGrantsLateIsDropped() {
		CompletableFuture<LockHandle> lock = asked();
		grants(0, 1);
		grants(1, 1);
		assertThat(lock.join().permit()).isOne();
		assertThat(this.cluster.nodes.get(2).operations()).containsExactly("acquire");
		grants(2, 2);
		assertThat(this.cluster.nodes.get(2).operations()).containsExactly("acquire", "drop");
	}

	@Test
	void lateVoteForTheSamePermitIsKept() {
		CompletableFuture<LockHandle> lock = asked();
		grants(0, 2);
		grants(1, 2);
		grants(2, 2);
		assertThat(lock.join().permit()).isEqualTo(2);
		assertThat(this.cluster.nodes.get(2).operations()).containsExactly("acquire");
	}

	/** Instances that all begin at one permit would get in each other's way. */
	@Test
	void everyAttemptBeginsAtAPermitByChance() {
		AtomicLong random = new AtomicLong();
		ScriptedCluster chance = new ScriptedCluster(1, (engine) -> {
		}, (quorum) -> quorum.set(QuorumSettings::random, random::incrementAndGet)
			.set(QuorumSettings::identity, random::incrementAndGet));
		ScriptedNode node = chance.nodes.get(0).silent();
		Set<Integer> hints = new TreeSet<>();
		for (int i = 0; i < 20; i++) {
			chance.acquire(LockRequest.of("order" + i).permits(4));
			hints.add(((NodeCommand.Acquire) node.last().command()).hint());
		}
		assertThat(hints).containsExactly(1, 2, 3, 4);
	}

}
