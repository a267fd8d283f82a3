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

import org.apache.zookeeper.AsyncCallback.Create2Callback;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.ZooKeeper;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.eq;
import static org.mockito.BDDMockito.willAnswer;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.verify;

/**
 * What becomes of queues that are to be created together.
 */
class ContainersTests {

	private final ZooKeeper client = mock(ZooKeeper.class);

	private final SessionRequests requests = new SessionRequests(this.client, "server", ZooDefs.Ids.OPEN_ACL_UNSAFE,
			() -> 0, (node, operation, outcome, error, nanos) -> {
			});

	@Test
	void queuesThatExistAlreadyAreThere() {
		reply("/root/a", Code.NODEEXISTS);
		reply("/root/b", Code.OK);
		assertThat(create()).isEqualTo(Code.OK);
		reply("/root/b", Code.NODEEXISTS);
		assertThat(create()).isEqualTo(Code.OK);
	}

	/** Such as by a quota: the claim would look for the first over and over. */
	@Test
	void queueThatIsRefusedIsNotOverlookedBecauseTheLastIsThere() {
		reply("/root/a", Code.QUOTAEXCEEDED);
		reply("/root/b", Code.NODEEXISTS);
		assertThat(create()).isEqualTo(Code.QUOTAEXCEEDED);
	}

	/** There may be many names, each of which is locked once. */
	@Test
	void queuesAreDeletedByTheServersWhenTheyAreEmpty() {
		reply("/root/a", Code.OK);
		reply("/root/b", Code.OK);
		create();
		for (String path : List.of("/root/a", "/root/b")) {
			verify(this.client).create(eq(path), any(), any(), eq(CreateMode.CONTAINER), any(Create2Callback.class),
					any());
		}
	}

	private void reply(String path, Code code) {
		willAnswer((call) -> {
			call.<Create2Callback>getArgument(4).processResult(code.intValue(), path, null, path, null);
			return null;
		}).given(this.client).create(eq(path), any(), any(), any(), any(Create2Callback.class), any());
	}

	private Code create() {
		List<Code> received = new ArrayList<>();
		Containers.create(this.requests, new LockPaths("/root"), List.of("/root/a", "/root/b"),
				(code, done) -> received.add(code));
		assertThat(received).hasSize(1);
		return received.get(0);
	}

}
