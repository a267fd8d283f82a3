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

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import io.quorlock.LockHandle;
import io.quorlock.LockMode;
import io.quorlock.LockRequest;
import io.quorlock.quorum.node.JointRenewal;
import io.quorlock.quorum.node.NodeCommand;
import io.quorlock.quorum.node.NodeReply;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * R28: leases that are due about the same time are renewed by one command to each node,
 * each by itself.
 */
@Timeout(60)
class R28JointRenewalTests {

	private static final Duration LEASE = Duration.ofSeconds(30);

	private static final Duration INTERVAL = LEASE.dividedBy(3);

	private static final int MAX = JointRenewal.MAX_SIZE;

	private final ScriptedCluster cluster = new ScriptedCluster(5);

	private final List<LockHandle> locks = new ArrayList<>();

	private void hold(int count) {
		for (int i = 0; i < count; i++) {
			this.locks.add(this.cluster.acquire(LockRequest.of("order").key(this.locks.size())).join());
		}
	}

	private static boolean isOf(NodeCommand command, int key) {
		return command.names().get(0).equals("order:" + key);
	}

	/** Other replies to the renewals of some keys, on some nodes. */
	private void reply(int nodes, Predicate<NodeCommand> of, Function<NodeCommand, NodeReply> with) {
		this.cluster.nodes.subList(0, nodes)
			.forEach((node) -> node.script = (command) -> (command instanceof NodeCommand.Renew && of.test(command))
					? with.apply(command) : ScriptedNode.grant(command));
	}

	private List<String> operationsOf(int key) {
		return this.cluster.nodes.get(0).requests.stream()
			.filter((request) -> isOf(request.command(), key))
			.map((request) -> request.command().operation())
			.toList();
	}

	@Test
	void leasesThatAreDueTogetherShareCommandsOfLimitedSize() {
		hold(2 * MAX + 5);
		this.cluster.time.advance(INTERVAL);
		assertThat(this.cluster.nodes).allSatisfy((node) -> assertThat(node.joints).containsExactly(MAX, MAX, 5));
		assertThat(this.locks).allSatisfy((lock) -> assertThat(lock.remaining()).isGreaterThan(LEASE.minusSeconds(1)));
	}

	@Test
	void leasesWithinATenthOfTheIntervalAreRenewedTogetherAndOthersAreNot() {
		hold(1);
		this.cluster.time.advance(INTERVAL.dividedBy(10));
		hold(2);
		this.cluster.time.advance(Duration.ofMillis(1));
		hold(3);
		this.cluster.time.advance(INTERVAL.multipliedBy(9).dividedBy(10));
		assertThat(this.cluster.nodes.get(0).joints).containsExactly(3);
	}

	@Test
	void halfOfTheLeasesThatAreRefusedAreLostAndTheOthersAreRenewed() {
		hold(MAX);
		Predicate<NodeCommand> odd = (command) -> command.names().get(0).matches(".*[13579]");
		reply(3, odd, (command) -> ScriptedNode.refusal(true));
		this.cluster.time.advance(INTERVAL);
		for (int i = 0; i < MAX; i++) {
			assertThat(this.locks.get(i).isHeld()).as("%d", i).isEqualTo(i % 2 == 0);
		}
		assertThat(this.locks.get(0).remaining()).isGreaterThan(LEASE.minusSeconds(1));
	}

	@Test
	void oneNodeThatFailsAndOneThatHangsCostNothing() {
		hold(MAX);
		this.cluster.nodes.get(0).down();
		this.cluster.nodes.get(1).silent();
		this.cluster.time.advance(INTERVAL.plusSeconds(1));
		assertThat(this.locks)
			.allSatisfy((lock) -> assertThat(lock.remaining()).isGreaterThan(LEASE.minusMillis(1_400)));
	}

	@Test
	void validityCountsFromWhenTheJointCommandWasSent() {
		hold(MAX);
		this.cluster.silence();
		this.cluster.time.advance(INTERVAL);
		this.cluster.time.advance(Duration.ofMillis(80));
		grantRenewals();
		assertThat(this.locks)
			.allSatisfy((lock) -> assertThat(lock.remaining()).isEqualTo(LEASE.minusMillis(80 + 302)));
	}

	/** Its release is decided when its renewal is, but the command is not sent yet. */
	@Test
	void releaseThatIsDecidedBeforeTheJointCommandIsSentFollowsIt() {
		hold(3);
		LockHandle fixed = this.cluster.acquire(LockRequest.of("fixed").leaseTime(INTERVAL.plusMillis(700))).join();
		fixed.onLost((event) -> this.locks.get(0).closeAsync());
		this.cluster.time.pause(INTERVAL.plusMillis(701));
		this.cluster.time.catchUp();
		assertThat(fixed.isHeld()).isFalse();
		assertThat(this.cluster.nodes.get(0).joints).contains(3);
		assertThat(operationsOf(0)).containsExactly("acquire", "renew", "release");
	}

	@Test
	void releaseBehindAJointCommandThatIsUnderWayEndsTheLeaseAlone() {
		hold(MAX);
		this.cluster.silence();
		this.cluster.time.advance(INTERVAL);
		this.cluster.grant();
		this.locks.get(5).closeAsync();
		assertThat(operationsOf(5)).containsExactly("acquire", "renew", "release");
		grantRenewals();
		this.cluster.time.advance(INTERVAL);
		assertThat(operationsOf(5)).containsExactly("acquire", "renew", "release");
		assertThat(operationsOf(6)).containsExactly("acquire", "renew", "renew");
		assertThat(this.cluster.nodes.get(0).joints).containsExactly(MAX, MAX - 1);
	}

	private void grantRenewals() {
		this.cluster.nodes.forEach((node) -> List.copyOf(node.requests).forEach((request) -> {
			if (request.command() instanceof NodeCommand.Renew) {
				request.grant();
			}
		}));
	}

	@Test
	void shorterExtensionIsNotUndoneByAJointCommandThatWasUnderWay() {
		hold(MAX);
		this.cluster.silence();
		this.cluster.time.advance(INTERVAL);
		this.cluster.grant();
		List<ScriptedNode.Request> joint = this.cluster.nodes.stream()
			.flatMap((node) -> node.requests.stream())
			.filter((request) -> request.command() instanceof NodeCommand.Renew)
			.toList();
		this.locks.get(5).extend(Duration.ofSeconds(3));
		this.locks.get(6).extend(Duration.ofSeconds(60));
		joint.forEach(ScriptedNode.Request::grant);
		assertThat(this.locks.get(5).remaining()).isLessThan(Duration.ofSeconds(3));
		assertThat(this.locks.get(6).remaining()).isGreaterThan(Duration.ofSeconds(59));
		assertThat(this.locks.get(7).remaining()).isGreaterThan(LEASE.minusSeconds(1));
	}

	@Test
	void lockThatIsLostWhileItsJointCommandIsUnderWayIsNotRevived() {
		hold(MAX);
		this.cluster.silence();
		this.cluster.time.advance(INTERVAL);
		this.cluster.grant();
		this.cluster.nodes.get(0).announceForced(ownerOf(5), 0);
		assertThat(this.locks.get(5).isHeld()).isFalse();
		grantRenewals();
		assertThat(this.locks.get(5).isHeld()).isFalse();
		assertThat(this.locks.get(6).remaining()).isGreaterThan(LEASE.minusSeconds(1));
	}

	private String ownerOf(int key) {
		return this.cluster.nodes.get(0).requests.stream()
			.filter((request) -> isOf(request.command(), key))
			.findFirst()
			.orElseThrow()
			.command()
			.attempt()
			.owner();
	}

	@Test
	void lockThatIsDowngradedWhileItsJointCommandIsUnderWayIsRenewedAloneAsAReader() {
		hold(MAX);
		this.cluster.silence();
		this.cluster.time.advance(INTERVAL);
		this.cluster.grant();
		this.locks.get(5).downgrade();
		grantRenewals();
		this.cluster.time.advance(INTERVAL);
		assertThat(this.locks).allSatisfy((lock) -> assertThat(lock.isHeld()).isTrue());
		assertThat(this.cluster.nodes.get(0).joints).containsExactly(MAX, MAX - 1);
		assertThat(this.locks.get(5).mode()).isEqualTo(LockMode.SHARED);
	}

	@Test
	void fencesAreProlongedWhenHalfOfTheirLifeIsOver() {
		hold(2);
		for (int i = 0; i < 31; i++) {
			this.cluster.time.advance(INTERVAL);
		}
		assertThat(prolonged()).isEqualTo(0);
		this.cluster.time.advance(INTERVAL);
		assertThat(prolonged()).isEqualTo(2);
		this.cluster.time.advance(INTERVAL.multipliedBy(10));
		assertThat(prolonged()).isEqualTo(2);
	}

	private long prolonged() {
		return this.cluster.nodes.get(0).requests.stream()
			.filter((request) -> request.command() instanceof NodeCommand.Renew renew && renew.prolong())
			.count();
	}

}
