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

package io.quorlock.zookeeper;

import java.util.List;
import java.util.UUID;

import org.junit.jupiter.api.Test;

import io.quorlock.store.Grant;

import static org.assertj.core.api.Assertions.assertThat;

class ClaimQueueTests {

	private static final String A = "_c_11111111-1111-1111-1111-111111111111-";

	private static final String B = "_c_22222222-2222-2222-2222-222222222222-";

	private static final String C = "_c_33333333-3333-3333-3333-333333333333-";

	private static final String OWNER = "shop 7:00000000000000ab:12";

	@Test
	void ordersClaimsByTheirNumberAndNotByTheirName() {
		ClaimQueue queue = new ClaimQueue(List.of(A + "lock-0000000012", C + "lock-0000000003", B + "lock-0000000007"));
		assertThat(queue.inOrder()).extracting(ClaimQueue.Node::sequence).containsExactly(3, 7, 12);
		assertThat(queue.head()).isEqualTo(node(C + "lock-0000000003"));
		assertThat(queue.obstacle(node(A + "lock-0000000012"))).isEqualTo(node(B + "lock-0000000007"));
		assertThat(queue.firstObstacle(node(A + "lock-0000000012"))).isEqualTo(node(C + "lock-0000000003"));
		assertThat(queue.obstacle(node(C + "lock-0000000003"))).isNull();
	}

	/** The servers give the number at which their counter ends again and again. */
	@Test
	void letsNeitherOfTwoClaimsWithOneNumberBeFirst() {
		ClaimQueue.Node first = node(A + "lock-2147483647");
		ClaimQueue.Node second = node(B + "lock-2147483647");
		ClaimQueue.Node negative = node(C + "lock--2147483648");
		ClaimQueue queue = new ClaimQueue(List.of(negative.name(), first.name(), second.name()));
		assertThat(queue.obstacle(first)).isEqualTo(second);
		assertThat(queue.firstObstacle(second)).isEqualTo(first);
		assertThat(queue.firstObstacle(negative)).isEqualTo(first);
		assertThat(queue.inOrder()).containsExactly(first, second, negative);
		assertThat(queue.inOrder()).allMatch(ClaimQueue.Node::isBeyondLast);
	}

	@Test
	void letsReadersPassReadersOnly() {
		ClaimQueue queue = new ClaimQueue(List.of(A + "__READ__0000000001", B + "__READ__0000000002",
				C + "lock-0000000003", B + "__READ__0000000004", A + "__WRIT__0000000005"));
		assertThat(queue.obstacle(node(B + "__READ__0000000002"))).isNull();
		assertThat(queue.obstacle(node(C + "lock-0000000003"))).isEqualTo(node(B + "__READ__0000000002"));
		assertThat(queue.firstObstacle(node(C + "lock-0000000003"))).isEqualTo(node(A + "__READ__0000000001"));
		assertThat(queue.obstacle(node(B + "__READ__0000000004"))).isEqualTo(node(C + "lock-0000000003"));
		assertThat(queue.obstacle(node(A + "__WRIT__0000000005"))).isEqualTo(node(B + "__READ__0000000004"));
	}

	/** Readers come in any order as well. */
	@Test
	void findsTheNearestAndTheFirstThatStandInTheWay() {
		ClaimQueue queue = new ClaimQueue(List.of(A + "lock-0000000005", B + "lock-0000000003", C + "lock-0000000007",
				B + "__READ__0000000008", A + "lock-0000000004", C + "__READ__0000000001"));
		assertThat(queue.obstacle(node(A + "__READ__0000000009"))).isEqualTo(node(C + "lock-0000000007"));
		assertThat(queue.firstObstacle(node(A + "__READ__0000000009"))).isEqualTo(node(B + "lock-0000000003"));
		assertThat(queue.isCoolingDown()).isFalse();
	}

	@Test
	void ignoresWhatIsNoClaim() {
		ClaimQueue queue = new ClaimQueue(List.of("cooldown", "leases", "lock-x", A + "lock-0000000001"));
		assertThat(queue.inOrder()).hasSize(1);
		assertThat(queue.isCoolingDown()).isTrue();
	}

	@Test
	void findsAClaimByItsId() {
		UUID id = UUID.randomUUID();
		String own = ClaimQueue.Node.prefix(id, ClaimQueue.Kind.LOCK) + "0000000009";
		assertThat(new ClaimQueue(List.of(A + "lock-0000000001", own)).find(ClaimQueue.Node.idPrefix(id)))
			.isEqualTo(node(own));
		assertThat(new ClaimQueue(List.of(A + "lock-0000000001")).find(ClaimQueue.Node.idPrefix(id))).isNull();
	}

	@Test
	void namesNodesAsCuratorDoes() {
		UUID id = UUID.fromString("11111111-1111-1111-1111-111111111111");
		assertThat(ClaimQueue.Node.prefix(id, ClaimQueue.Kind.LOCK)).isEqualTo(A + "lock-");
		assertThat(ClaimQueue.Node.prefix(id, ClaimQueue.Kind.READ)).isEqualTo(A + "__READ__");
		assertThat(ClaimQueue.Node.prefix(id, ClaimQueue.Kind.LEASE)).isEqualTo(A + "lease-");
	}

	/** A permit has a number, and a node that was a writer's has a token. */
	@Test
	void dataWithANumberNamesItAndItsOwner() {
		for (long number : new long[] { 3, 1_700_000_000_000_000L }) {
			ClaimQueue.NodeData data = new ClaimQueue.NodeData(OWNER, number);
			assertThat(data).hasToString(OWNER + " " + number);
			assertThat(ClaimQueue.NodeData.parse(data.toString())).isEqualTo(data);
		}
		assertThat(new ClaimQueue.NodeData(OWNER, 0)).hasToString(OWNER);
	}

	@Test
	void dataOfOthersNamesNoNumber() {
		for (String data : new String[] { OWNER, "192.168.0.1", "", "42" }) {
			assertThat(ClaimQueue.NodeData.parse(data)).isEqualTo(new ClaimQueue.NodeData(data, 0));
		}
	}

	@Test
	void instanceIsWhatStandsBeforeTheLastTwoParts() {
		assertThat(Grant.instanceOf(OWNER)).isEqualTo("shop 7");
		assertThat(Grant.instanceOf("host:8080:00000000000000ab:12")).isEqualTo("host:8080");
		assertThat(Grant.instanceOf("192.168.0.1")).isEqualTo("192.168.0.1");
		assertThat(Grant.instanceOf("host:8080")).isEqualTo("host:8080");
	}

	private static ClaimQueue.Node node(String name) {
		ClaimQueue.Node node = ClaimQueue.Node.parse(name);
		assertThat(node).isNotNull();
		return node;
	}

}
