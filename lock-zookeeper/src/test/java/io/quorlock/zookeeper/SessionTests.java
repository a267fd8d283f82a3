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

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

import org.apache.zookeeper.Watcher.Event.EventType;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import io.quorlock.time.ManualTime;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The end of a session that never reached a server, and tests for {@link SessionEvents}.
 */
class SessionTests implements Session.Listener {

	private final ManualTime time = new ManualTime();

	private final List<String> told = new ArrayList<>();

	private final Session.Member member = (reason) -> this.told.add("member: " + reason);

	private Session session;

	private final SessionEvents events = new SessionEvents(this.time);

	private final List<String> run = new ArrayList<>();

	@BeforeEach
	void open() throws IOException {
		this.session = new Session(ZooKeeperStores.context(this.time), this);
	}

	@AfterEach
	void close() throws InterruptedException {
		this.session.close(0);
	}

	@Override
	public void onReady(Session ready) {
		throw new AssertionError();
	}

	@Override
	public void onOver(Session over, Session.Ending ending, String reason) {
		this.told.add(ending + ": " + reason);
	}

	@Test
	void itsMembersAreToldOnceAndAfterThatItIsOver() throws Exception {
		this.session.join(this.member);
		this.session.close(0);
		this.session.close(0);
		assertThat(this.told).containsExactly("STOPPED: the store is stopped", "member: the store is stopped");
		assertThat(this.session.isOver()).isTrue();
	}

	@Test
	void memberThatJoinsItAfterItsEndIsToldAtOnce() throws Exception {
		this.session.close(0);
		this.told.clear();
		this.session.join(this.member);
		assertThat(this.told).containsExactly("member: the store is stopped");
	}

	@Test
	void memberThatHasLeftIsNotTold() throws Exception {
		this.session.join(this.member);
		this.session.leave(this.member);
		this.session.close(0);
		assertThat(this.told).containsExactly("STOPPED: the store is stopped");
	}

	@Test
	void isOverIfNoServerAcceptsItInTime() {
		this.session.join(this.member);
		this.time.advance(Duration.ofMillis(14_999));
		assertThat(this.told).isEmpty();
		this.time.advance(Duration.ofMillis(1));
		assertThat(this.told).containsExactly("NOT_ACCEPTED: no server accepted a session within 15000 ms",
				"member: no server accepted a session within 15000 ms");
	}

	/** Its requests fail, so that nothing is left that waits for their replies. */
	@Test
	void whatWaitsForAConnectionGoesOnAtItsEndAndSoonAfterThat() throws Exception {
		this.session.resume(() -> this.told.add("before"));
		this.time.advance(Duration.ofSeconds(14));
		assertThat(this.told).isEmpty();
		this.session.close(0);
		assertThat(this.told).contains("before");
		this.session.resume(() -> this.told.add("behind"));
		this.time.advance(Duration.ofMillis(50));
		assertThat(this.told).contains("behind");
	}

	@Test
	void allThatWatchANodeAreNotifiedOnce() {
		this.events.onChange("/a", (event) -> this.run.add("first " + event));
		this.events.onChange("/a", (event) -> this.run.add("second " + event));
		this.events.onChange("/b", (event) -> this.run.add("other"));
		this.events.changed("/a", EventType.NodeDeleted);
		this.events.changed("/a", EventType.NodeDeleted);
		assertThat(this.run).containsExactlyInAnyOrder("first NodeDeleted", "second NodeDeleted");
	}

	/** As the base of tokens is read anew with each connection. */
	@Test
	void whatWatchesANodeAlreadyIsNotifiedOnce() {
		Consumer<EventType> task = (event) -> this.run.add("once");
		this.events.onChange("/a", task);
		this.events.onChange("/a", task);
		this.events.changed("/a", EventType.NodeDeleted);
		assertThat(this.run).containsExactly("once");
	}

	@Test
	void claimThatGivesUpTakesItsOwnWatchBack() {
		Runnable unwatch = this.events.onChange("/a", (event) -> this.run.add("first"));
		Runnable last = this.events.onChange("/a", (event) -> this.run.add("second"));
		unwatch.run();
		this.events.changed("/a", EventType.NodeDeleted);
		assertThat(this.run).containsExactly("second");
		last.run();
		this.events.onChange("/a", (event) -> this.run.add("third")).run();
		assertThat(this.events.watched()).isZero();
	}

	@Test
	void goesOnWhenThereIsAConnectionAgain() {
		this.events.onConnection(() -> this.run.add("a"), () -> false);
		this.time.advance(Duration.ofSeconds(1));
		assertThat(this.run).isEmpty();
		this.events.connected();
		assertThat(this.run).containsExactly("a");
	}

	@Test
	void goesOnSoonWhereTheLossIsNotReportedYet() {
		this.events.onConnection(() -> this.run.add("a"), () -> true);
		assertThat(this.run).isEmpty();
		this.time.advance(Duration.ofMillis(50));
		assertThat(this.run).containsExactly("a");
	}

	/** It would wait for the next loss: the connection is there. */
	@Test
	void goesOnIfTheConnectionComesBackJustWhenItIsAdded() {
		this.events.onConnection(() -> this.run.add("a"), () -> {
			this.events.connected(); // by the thread that reports the connection
			return false;
		});
		assertThat(this.run).containsExactly("a");
	}

}
