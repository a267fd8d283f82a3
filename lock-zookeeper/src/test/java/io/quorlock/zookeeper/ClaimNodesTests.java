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

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.common.PathUtils;
import org.apache.zookeeper.data.Stat;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

import io.quorlock.LockMode;
import io.quorlock.store.Claim;
import io.quorlock.store.Contender;
import io.quorlock.store.Grant;
import io.quorlock.time.ManualTime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.anyLong;
import static org.mockito.ArgumentMatchers.eq;
import static org.mockito.BDDMockito.given;
import static org.mockito.BDDMockito.willAnswer;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.never;
import static org.mockito.Mockito.verify;

/**
 * Tests for the nodes of a claim: their paths, what a queue of them tells, and how a
 * contender looks for its own.
 */
class ClaimNodesTests {

	private static final String PATH = "/quorlock/a/_c_1-lock-0000000001";

	private final Session session = mock();

	private final SessionRequests requests = mock();

	private Code deleted = Code.OK;

	private static final String A = "_c_11111111-1111-1111-1111-111111111111-";

	private static final String B = "_c_22222222-2222-2222-2222-222222222222-";

	private static final String C = "_c_33333333-3333-3333-3333-333333333333-";

	private static final String OWNER = "shop 7:00000000000000ab:12";

	private final LockPaths paths = new LockPaths("/apps/locks");

	private final ManualTime time = new ManualTime();

	private final Sessions sessions = mock();

	private final Runnable withdrawal = mock();

	private final StoreContext context = ZooKeeperStores.context(this.time);

	@BeforeEach
	void reply() {
		given(this.session.requests()).willReturn(this.requests);
		willAnswer((call) -> {
			SessionRequests.Reply<SessionRequests.Enqueued> reply = call.getArgument(3);
			reply.received(Code.OK, new SessionRequests.Enqueued(List.of(PATH), new Stat(), false));
			return null;
		}).given(this.requests).enqueue(any(), any(), any(), any());
		willAnswer((call) -> {
			SessionRequests.Reply<Boolean> reply = call.getArgument(1);
			reply.received(this.deleted, this.deleted == Code.OK);
			return null;
		}).given(this.requests).delete(eq(PATH), any());
	}

	private ClaimNodes created() {
		ClaimNodes nodes = new ClaimNodes(this.session, List.of("/quorlock/a"),
				ClaimQueue.Node.prefix(new UUID(0, 1), ClaimQueue.Kind.LOCK), "a");
		nodes.create((code, created) -> {
		});
		return nodes;
	}

	/** It may be there: another one would stand in the queue for good. */
	@ParameterizedTest
	@EnumSource(names = { "CONNECTIONLOSS", "SESSIONEXPIRED", "NOAUTH" })
	void nodeWhoseQueueCannotBeListedIsNotTakenForMissing(Code listed) {
		willAnswer((call) -> {
			SessionRequests.Reply<List<String>> reply = call.getArgument(1);
			reply.received(listed, null);
			return null;
		}).given(this.requests).children(eq("/quorlock/a"), any());
		List<Code> outcomes = new ArrayList<>();
		created().find((code, created) -> outcomes.add(code));
		assertThat(outcomes).containsExactly(listed);
	}

	/** As when there was no reply to the first attempt to replace it. */
	@Test
	void namesBehindOneWhoseNodeIsGoneAlreadyCoolDownAsWell() {
		List<String> containers = List.of("/quorlock/a", "/quorlock/b");
		List<String> paths = containers.stream().map((container) -> container + "/_c_1-lock-0000000001").toList();
		willAnswer((call) -> {
			call.<SessionRequests.Reply<SessionRequests.Enqueued>>getArgument(3)
				.received(Code.OK, new SessionRequests.Enqueued(paths, new Stat(), false));
			return null;
		}).given(this.requests).enqueue(any(), any(), any(), any());
		List<String> cooling = new ArrayList<>();
		willAnswer((call) -> {
			cooling.addAll(call.getArgument(2));
			call.<SessionRequests.Reply<Object>>getArgument(5).received(Code.NONODE, null);
			return null;
		}).given(this.requests).replace(any(), any(), any(), any(), any(), any());
		ClaimNodes nodes = new ClaimNodes(this.session, containers,
				ClaimQueue.Node.prefix(new UUID(0, 1), ClaimQueue.Kind.LOCK), "a");
		nodes.create((code, created) -> {
		});
		assertThat(nodes.remove(new byte[0])).isCompletedWithValue(true);
		assertThat(cooling).containsExactly("/quorlock/a/cooldown", "/quorlock/b/cooldown");
	}

	@Test
	void nodeThatIsGoneAlreadyIsGone() {
		this.deleted = Code.NONODE;
		assertThat(created().remove()).isCompletedWithValue(true);
	}

	/** Whoever releases them is not kept waiting until the session is over. */
	@Test
	void nodesThatMayNotBeLookedForAreNotSaidToBeGone() {
		willAnswer((call) -> {
			SessionRequests.Reply<List<String>> reply = call.getArgument(1);
			reply.received(Code.NOAUTH, null);
			return null;
		}).given(this.requests).children(eq("/quorlock/a"), any());
		ClaimNodes nodes = created();
		nodes.find((code, created) -> {
		});
		assertThat(nodes.gone()).isCompletedWithValue(false);
	}

	@Test
	void nodeThatTheServersRefuseToDeleteIsDeletedLater() {
		this.deleted = Code.NOAUTH;
		assertThat(created().remove()).isCompletedWithValue(false);
		verify(this.session).later(anyLong(), any());
	}

	/** The client of a session whose authentication was refused never says expired. */
	@Test
	void nodeGoesWithItsSession() {
		given(this.session.isOver()).willReturn(true);
		this.deleted = Code.AUTHFAILED;
		assertThat(created().remove()).isCompletedWithValue(true);
		verify(this.session, never()).later(anyLong(), any());
	}

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

	@Test
	void keepsNamesAsTheyAreWhereZooKeeperAllowsIt() {
		assertThat(this.paths.container("order:42")).isEqualTo("/apps/locks/order:42");
		assertThat(this.paths.container("订单 7~x")).isEqualTo("/apps/locks/订单 7~x");
	}

	@Test
	void encodesWhatZooKeeperRefuses() {
		assertThat(LockPaths.encode("a/b")).isEqualTo("a%2Fb");
		assertThat(LockPaths.encode("100%")).isEqualTo("100%25");
		assertThat(LockPaths.encode(".")).isEqualTo("%2E");
		assertThat(LockPaths.encode("..")).isEqualTo("%2E%2E");
		assertThat(LockPaths.encode("...")).isEqualTo("...");
		assertThat(LockPaths.encode("\u0000\n\u007F\uE000\uFFF0")).isEqualTo("%00%0A%7F%EE%80%80%EF%BF%B0");
		assertThat(LockPaths.encode("\u001F\u0020~\u009F\u00A0")).isEqualTo("%1F\u0020~%C2%9F\u00A0");
		assertThat(LockPaths.encode("\uF8FF\uF900\uFFEF")).isEqualTo("%EF%A3%BF\uF900\uFFEF");
		assertThat(LockPaths.encode("\uD83D\uDD12")).isEqualTo("%F0%9F%94%92");
	}

	@Test
	void givesEveryCharacterAValidPathOfItsOwn() {
		Set<String> encoded = Stream.iterate(1, (c) -> c < 0x11000, (c) -> c + 1)
			.filter((c) -> !(c >= 0xD800 && c <= 0xDFFF))
			.map((c) -> LockPaths.encode(Character.toString(c)))
			.peek((name) -> PathUtils.validatePath("/" + name))
			.collect(Collectors.toSet());
		assertThat(encoded).hasSize(0x11000 - 1 - 0x800);
	}

	@Test
	void listsTheRootAndItsParents() {
		assertThat(this.paths.rootAndParents()).containsExactly("/apps", "/apps/locks");
		assertThat(new LockPaths("/").rootAndParents()).isEmpty();
		assertThat(new LockPaths("/").container("a")).isEqualTo("/a");
	}

	@Test
	void keepsItsOwnNodesApartFromNames() {
		assertThat(LockPaths.encode("%sessions")).isNotEqualTo("%sessions");
		assertThat(this.paths.sessions()).isEqualTo("/apps/locks/%sessions");
		assertThat(this.paths.tokenBase()).isEqualTo("/apps/locks/%token-base");
	}

	/** It would be kept for as long as there is none. */
	@ParameterizedTest
	@CsvSource({ "0, PT0S", "0, PT1H", "1, PT0S", "1, PT1H" })
	void claimThatHasEndedWantsNoSessionAnyMore(int permits, Duration wait) {
		given(this.sessions.isStarted()).willReturn(true);
		given(this.sessions.use(any())).willReturn(this.withdrawal);
		Contender.Listener listener = mock();
		Claim claim = new Claim(List.of("a"), LockMode.EXCLUSIVE, permits, false, Duration.ofSeconds(30).toNanos(),
				true, 1, this.time.nanoTime(), wait.toNanos(), Integer.MAX_VALUE, false, false);
		Contender contender = new ZooKeeperContender(this.context, this.sessions, claim, listener);
		contender.start();
		contender.cancel();
		verify(listener).onFailed(any());
		verify(this.withdrawal).run();
		assertThat(this.time.pending()).isZero();
	}

}
