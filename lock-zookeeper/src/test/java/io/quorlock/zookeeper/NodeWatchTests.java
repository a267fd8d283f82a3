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

import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.Watcher.Event.EventType;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import io.quorlock.time.ManualTime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.eq;
import static org.mockito.BDDMockito.given;
import static org.mockito.BDDMockito.willAnswer;
import static org.mockito.Mockito.mock;

/**
 * What becomes of the watch of a lease's node when a connection is lost.
 */
class NodeWatchTests {

	private final ManualTime time = new ManualTime();

	private final Session session = mock();

	private final SessionEvents events = new SessionEvents(this.time);

	private final List<SessionRequests.Reply<SessionRequests.Content>> reads = new ArrayList<>();

	private final List<Runnable> resumed = new ArrayList<>();

	private int deleted;

	private ClaimNodes.Watch watch;

	@BeforeEach
	void start() {
		SessionRequests requests = mock();
		given(this.session.requests()).willReturn(requests);
		given(this.session.events()).willReturn(this.events);
		willAnswer((call) -> this.resumed.add(call.getArgument(0))).given(this.session).resume(any());
		willAnswer((call) -> this.reads.add(call.getArgument(2))).given(requests).read(eq("/a"), eq(true), any());
		this.watch = new ClaimNodes.Watch(this.session, List.of("/a"), () -> this.deleted++);
		this.time.advance(Duration.ofMillis(20));
		assertThat(this.reads).hasSize(1);
	}

	/** Without it, the server would not say that the node is gone. */
	@Test
	void nodeIsWatchedOnceThereIsAConnectionAgain() {
		this.reads.get(0).received(Code.CONNECTIONLOSS, null);
		this.resumed.get(0).run();
		assertThat(this.reads).hasSize(2);
		this.reads.get(1).received(Code.NONODE, null);
		assertThat(this.deleted).isOne();
	}

	@Test
	void nodeOfALeaseThatEndedMeanwhileIsNotWatchedAgain() {
		this.reads.get(0).received(Code.CONNECTIONLOSS, null);
		this.watch.forget();
		this.resumed.get(0).run();
		assertThat(this.reads).hasSize(1);
		this.reads.get(0).received(Code.NONODE, null);
		this.events.changed("/a", EventType.NodeDeleted);
		assertThat(this.deleted).isZero();
		assertThat(this.events.watched()).isZero();
	}

}
