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

import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.data.Stat;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

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
 * Tests for {@link ClaimNodes}.
 */
class ClaimNodesTests {

	private static final String PATH = "/quorlock/a/_c_1-lock-0000000001";

	private final Session session = mock();

	private final SessionRequests requests = mock();

	private Code deleted = Code.OK;

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

}
