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
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;

import org.apache.zookeeper.AsyncCallback.Create2Callback;
import org.apache.zookeeper.AsyncCallback.DataCallback;
import org.apache.zookeeper.AsyncCallback.StatCallback;
import org.apache.zookeeper.AsyncCallback.VoidCallback;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.Stat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import io.quorlock.store.ReplyOutcome;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.eq;
import static org.mockito.BDDMockito.willAnswer;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.verify;

/**
 * What replies of a server mean that a real one gives too seldom to wait for them.
 */
class SessionRequestsTests {

	private final ZooKeeper client = mock(ZooKeeper.class);

	private final List<ReplyOutcome> observed = new ArrayList<>();

	private final SessionRequests requests = new SessionRequests(this.client, "server", ZooDefs.Ids.OPEN_ACL_UNSAFE,
			() -> 0, List.of((node, operation, outcome, error, nanos) -> this.observed.add(outcome)));

	private Code delete(Code reply) {
		willAnswer((call) -> {
			call.<VoidCallback>getArgument(2).processResult(reply.intValue(), "/a", null);
			return null;
		}).given(this.client).delete(eq("/a"), eq(-1), any(VoidCallback.class), any());
		List<Code> received = new ArrayList<>();
		this.requests.delete("/a", (code, deleted) -> received.add(code));
		assertThat(received).hasSize(1);
		return received.get(0);
	}

	@ParameterizedTest
	@EnumSource(names = { "CONNECTIONLOSS", "OPERATIONTIMEOUT", "REQUESTTIMEOUT", "SESSIONMOVED", "THROTTLEDOP" })
	void deleteThatMayHaveBeenCarriedOutOrNotIsLost(Code reply) {
		assertThat(delete(reply)).isEqualTo(Code.CONNECTIONLOSS);
		assertThat(this.observed).containsExactly(ReplyOutcome.LOST);
	}

	@ParameterizedTest
	@EnumSource(names = { "OK", "NONODE", "NODEEXISTS", "BADVERSION" })
	void whatTheServersFoundOtherwiseIsNoError(Code reply) {
		assertThat(delete(reply)).isEqualTo(reply);
		assertThat(this.observed).containsExactly(ReplyOutcome.OK);
	}

	@Test
	void deleteOfAnExpiredSessionDidNotHappen() {
		assertThat(delete(Code.SESSIONEXPIRED)).isEqualTo(Code.SESSIONEXPIRED);
		assertThat(this.observed).containsExactly(ReplyOutcome.NOT_SENT);
	}

	@Test
	void whatIsForbiddenIsAnError() {
		assertThat(delete(Code.NOAUTH)).isEqualTo(Code.NOAUTH);
		assertThat(this.observed).containsExactly(ReplyOutcome.ERROR);
	}

	/** As the servers' own shell creates it. */
	@Test
	void nodeWithoutDataIsEmpty() {
		willAnswer((call) -> {
			call.<DataCallback>getArgument(2).processResult(0, "/a", null, null, new Stat());
			return null;
		}).given(this.client).getData(eq("/a"), eq(false), any(DataCallback.class), any());
		List<String> received = new ArrayList<>();
		this.requests.read("/a", false, (code, content) -> received.add(Objects.requireNonNull(content).text()));
		assertThat(received).containsExactly("");
	}

	/** Another instance may have raised the number meanwhile. */
	@Test
	void writeIsForTheVersionThatWasRead() {
		byte[] data = { 1 };
		this.requests.write("raise", "/a", data, 3, (code, stat) -> {
		});
		verify(this.client).setData(eq("/a"), eq(data), eq(3), any(StatCallback.class), any());
	}

	@Test
	void observerIsToldOfWhatAnErrorIsAndHowLongItTook() {
		List<String> told = new ArrayList<>();
		AtomicLong nanos = new AtomicLong(500);
		SessionRequests observed = new SessionRequests(this.client, "server", ZooDefs.Ids.OPEN_ACL_UNSAFE, nanos::get,
				List.of((node, operation, outcome, error, taken) -> told
					.add(node + " " + operation + " " + error + " " + taken)));
		for (Code reply : List.of(Code.OK, Code.NOAUTH)) {
			willAnswer((call) -> {
				nanos.addAndGet(70);
				call.<VoidCallback>getArgument(2).processResult(reply.intValue(), "/a", null);
				return null;
			}).given(this.client).delete(eq("/a"), eq(-1), any(VoidCallback.class), any());
			observed.delete("/a", (code, deleted) -> {
			});
		}
		assertThat(told).containsExactly("server delete null 70", "server delete NOAUTH 70");
	}

	@Test
	void replyIsReceivedThoughAnObserverFails() {
		SessionRequests observed = new SessionRequests(this.client, "server", ZooDefs.Ids.OPEN_ACL_UNSAFE, () -> 0,
				List.of((node, operation, outcome, error, taken) -> {
					throw new IllegalStateException("of a test");
				}));
		willAnswer((call) -> {
			call.<VoidCallback>getArgument(2).processResult(Code.OK.intValue(), "/a", null);
			return null;
		}).given(this.client).delete(eq("/a"), eq(-1), any(VoidCallback.class), any());
		List<Code> received = new ArrayList<>();
		observed.delete("/a", (code, deleted) -> received.add(code));
		assertThat(received).containsExactly(Code.OK);
	}

	@Test
	void queuesThatExistAlreadyAreThere() {
		replyToCreate("/root/a", Code.NODEEXISTS);
		replyToCreate("/root/b", Code.OK);
		assertThat(createQueues()).isEqualTo(Code.OK);
		replyToCreate("/root/b", Code.NODEEXISTS);
		assertThat(createQueues()).isEqualTo(Code.OK);
	}

	/** Such as by a quota: the claim would look for the first over and over. */
	@Test
	void queueThatIsRefusedIsNotOverlookedBecauseTheLastIsThere() {
		replyToCreate("/root/a", Code.QUOTAEXCEEDED);
		replyToCreate("/root/b", Code.NODEEXISTS);
		assertThat(createQueues()).isEqualTo(Code.QUOTAEXCEEDED);
	}

	/** There may be many names, each of which is locked once. */
	@Test
	void queuesAreDeletedByTheServersWhenTheyAreEmpty() {
		replyToCreate("/root/a", Code.OK);
		replyToCreate("/root/b", Code.OK);
		createQueues();
		for (String path : List.of("/root/a", "/root/b")) {
			verify(this.client).create(eq(path), any(), any(), eq(CreateMode.CONTAINER), any(Create2Callback.class),
					any());
		}
	}

	private void replyToCreate(String path, Code code) {
		willAnswer((call) -> {
			call.<Create2Callback>getArgument(4).processResult(code.intValue(), path, null, path, null);
			return null;
		}).given(this.client).create(eq(path), any(), any(), any(), any(Create2Callback.class), any());
	}

	private Code createQueues() {
		List<Code> received = new ArrayList<>();
		this.requests.createContainers(List.of("/root/a", "/root/b"), (code, done) -> received.add(code));
		assertThat(received).hasSize(1);
		return received.get(0);
	}

}
